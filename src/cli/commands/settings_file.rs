//! `turnkeeper.json`, as `install` writes it and `status` tells it.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value, json};
use turnkeeper_agents::watch::setup::settings::JsonText;
use turnkeeper_agents::watch::{Owner, SETTINGS_FILE, Threshold, UserSettings};
use turnkeeper_base::options::Count;

use super::place::Here;
use crate::files::{content_of, write_file};
use crate::options::{flag, many};
use crate::problem::{InFile, Result};
use crate::settings_files::settings_for;

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
        list("threshold", "name=count", threshold).value_parser(Named::parse),
        list("exempt", "tool", exempt),
        flag(
            "off",
            "watch nothing here, in turnkeeper.json, and install nothing",
        ),
    ]
}

/// The name of an option of the detector, and the count at which its rule speaks.
#[derive(Clone)]
struct Named {
    name: String,
    threshold: Threshold,
}

impl Named {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let (name, given) = text.split_once('=').unwrap_or((text, ""));
        let count = given
            .parse()
            .ok()
            .filter(|_| given.len() <= 15)
            .and_then(Count::new);
        let threshold = match count {
            Some(count) if !given.starts_with('+') => Threshold::At(count),
            _ if given == "false" => Threshold::Off,
            _ => return Err("It is a name, =, and a whole number of at least 1 or false.".into()),
        };
        let named = Named {
            name: name.to_owned(),
            threshold,
        };
        match refused(std::slice::from_ref(&named), Owner::User).pop() {
            Some(mistake) => Err(mistake),
            None => Ok(named),
        }
    }
}

/// What is wrong with thresholds in somebody's file.
fn refused(thresholds: &[Named], owner: Owner) -> Vec<String> {
    let thresholds = thresholds
        .iter()
        .map(|it| (it.name.clone(), value(it.threshold)));
    let file = json!({ "thresholds": Map::from_iter(thresholds) }).to_string();
    let mut settings = UserSettings::default();
    settings.take(SETTINGS_FILE, file.as_bytes(), owner);
    let refused = settings.refused_thresholds();
    let all = settings.mistakes.into_iter().chain(refused);
    let start = format!("{SETTINGS_FILE}: ");
    all.map(|it| it.strip_prefix(&start).unwrap_or(&it).to_owned())
        .collect()
}

fn value(threshold: Threshold) -> Value {
    threshold.count().map_or(json!(false), |count| json!(count))
}

fn told(name: &str, threshold: Threshold) -> String {
    match threshold.count() {
        Some(count) => format!("{name} {count}"),
        None => format!("{name} off"),
    }
}

/// The settings that the options of `install` give.
pub(super) struct Given {
    thresholds: Vec<Named>,
    exempt: Vec<String>,
    pub(super) off: bool,
}

impl Given {
    pub(super) fn of(given: &ArgMatches) -> Self {
        let thresholds = given.get_many::<Named>("threshold").into_iter().flatten();
        Given {
            thresholds: thresholds.cloned().collect(),
            exempt: many(given, "exempt"),
            off: given.get_flag("off"),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.thresholds.is_empty() && self.exempt.is_empty() && !self.off
    }

    /// What would not hold in a project's file.
    pub(super) fn refused_in_project(&self) -> Vec<String> {
        refused(&self.thresholds, Owner::Project)
    }

    pub(super) fn file(&self, folder: &Path) -> PathBuf {
        folder.join(SETTINGS_FILE)
    }

    pub(super) fn summary(&self) -> String {
        let thresholds = self
            .thresholds
            .iter()
            .map(|it| told(&it.name, it.threshold));
        let exempt = self.exempt.iter().map(|tool| format!("{tool} exempt"));
        let off = self.off.then(|| "off".to_owned());
        thresholds
            .chain(exempt)
            .chain(off)
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let mut text = JsonText::read(&content_of(file)?.unwrap_or_default()).reading(file)?;
        if self.off {
            text.set(&["off"], &json!(true)).reading(file)?;
        }
        for Named { name, threshold } in &self.thresholds {
            text.set(&["thresholds", name], &value(*threshold))
                .reading(file)?;
        }
        let known = text.list(&["exempt"]).reading(file)?;
        for tool in self
            .exempt
            .iter()
            .map(|tool| json!(tool))
            .filter(|tool| !known.contains(tool))
        {
            text.append(&["exempt"], &tool).reading(file)?;
        }
        write_file(file, &text.to_string(), None)
    }
}

/// The settings that hold in this folder, and what is wrong in a file.
pub(super) fn settings_here(here: &Here) -> Vec<String> {
    let (settings, files) = settings_for(&here.folder);
    let off = settings.off.then(|| "nothing is watched here".to_owned());
    let silenced = settings
        .silenced()
        .map(|why| format!("Turnkeeper finds no loops here: {why}."));
    let (thresholds, _) = settings.resolved();
    let thresholds = thresholds.iter().map(|(name, it)| told(name, *it));
    let exempt = settings.exempt.iter().map(|tool| format!("{tool} exempt"));
    let holds: Vec<String> = off.into_iter().chain(thresholds).chain(exempt).collect();
    let holds = if holds.is_empty() {
        "none".to_owned()
    } else {
        holds.join(", ")
    };
    let files: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let refused = settings.refused_thresholds();
    let mistakes = settings.mistakes.into_iter().chain(refused);
    let mistakes = mistakes.map(|it| format!("  a mistake, which is ignored: {it}"));
    let files = files.join(" and ");
    let first = (!files.is_empty()).then(|| format!("Settings of {files}: {holds}"));
    silenced.into_iter().chain(first).chain(mistakes).collect()
}
