//! `turnkeeper.json`, as `install` writes it and `status` tells it.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Value, json};
use turnkeeper_loop_detector::{LoopDetector, LoopDetectorOptions};

use super::place::Here;
use super::{flag, many};
use crate::files::{content_of, write_file};
use crate::problem::Result;
use crate::settings::{JsonText, keys};

const FILE: &str = "turnkeeper.json";

pub(super) fn arguments() -> [Arg; 3] {
    let threshold =
        "the count at which a rule speaks, or \"false\", in turnkeeper.json; again for another";
    let exempt = "a tool that is left out, in turnkeeper.json; again for another";
    let list = |name, value, help| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .action(ArgAction::Append)
            .help(help)
    };
    [
        list("threshold", "name=count", threshold).value_parser(Threshold::parse),
        list("exempt", "tool", exempt),
        flag(
            "off",
            "watch nothing here, in turnkeeper.json, and install nothing",
        ),
    ]
}

/// The name of an option of the detector, and a whole number of at least 1, or false.
#[derive(Clone)]
struct Threshold {
    name: String,
    count: Value,
}

impl Threshold {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let (name, given) = text.split_once('=').unwrap_or((text, ""));
        let is_number =
            !given.is_empty() && given.len() <= 15 && given.bytes().all(|it| it.is_ascii_digit());
        let count = match given.parse::<u64>() {
            Ok(count) if is_number && count >= 1 => json!(count),
            _ if given == "false" => json!(false),
            _ => return Err("It is a name, =, and a whole number of at least 1 or false.".into()),
        };
        match mistake_in(name, &count) {
            Some(mistake) => Err(mistake),
            None => Ok(Threshold {
                name: name.to_owned(),
                count,
            }),
        }
    }

    fn told(&self) -> String {
        told(&self.name, &self.count)
    }
}

fn told(name: &str, count: &Value) -> String {
    if count == false {
        format!("{name} off")
    } else {
        format!("{name} {count}")
    }
}

/// Why the detector does not take a threshold.
fn mistake_in(name: &str, count: &Value) -> Option<String> {
    let options = turnkeeper_base::options::read("loop_detector", &json!({ name: count }));
    let detector = options.and_then(|options: LoopDetectorOptions| LoopDetector::new(options));
    detector.err().map(|error| error.to_string())
}

/// What the options of `install` give.
pub(super) struct Given {
    thresholds: Vec<Threshold>,
    exempt: Vec<String>,
    pub(super) off: bool,
}

impl Given {
    pub(super) fn of(given: &ArgMatches) -> Self {
        let thresholds = given
            .get_many::<Threshold>("threshold")
            .into_iter()
            .flatten();
        Given {
            thresholds: thresholds.cloned().collect(),
            exempt: many(given, "exempt"),
            off: given.get_flag("off"),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.thresholds.is_empty() && self.exempt.is_empty() && !self.off
    }

    pub(super) fn file(&self, folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    pub(super) fn summary(&self) -> String {
        let thresholds = self.thresholds.iter().map(Threshold::told);
        let exempt = self.exempt.iter().map(|tool| format!("{tool} exempt"));
        let off = self.off.then(|| "off".to_owned());
        thresholds
            .chain(exempt)
            .chain(off)
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let mut text = JsonText::read(file, &content_of(file)?.unwrap_or_default())?;
        if self.off {
            text.set(&keys(&["off"]), &json!(true));
        }
        for Threshold { name, count } in &self.thresholds {
            text.set(&keys(&["thresholds", name]), count);
        }
        let known = text.list(&["exempt"])?;
        for tool in self
            .exempt
            .iter()
            .map(|tool| json!(tool))
            .filter(|tool| !known.contains(tool))
        {
            text.append(&keys(&["exempt"]), &tool);
        }
        write_file(file, &text.to_string(), None)
    }
}

/// What holds in this folder, and what is wrong in a file.
pub(super) fn settings_here(_here: &Here) -> Vec<String> {
    Vec::new()
}
