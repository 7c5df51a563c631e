//! The arguments of the command.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

pub const HELP: &str = "\
cargo xtask judge [FOLDER…]

  FOLDER           labelled sessions: index.tsv and <id>.jsonl; without one, the project's own
  --profile NAME   judge with this profile; several are compared (adaptive)
  --set JSON       options that are laid over the profile, such as '{\"equalErrors\":5}'
  --totals         no names of misses and false alarms
  --trail ID       every verdict on one session
  --verdicts       every verdict on every session, a line a session
  --words          the table of words, with the sets in which each decides a verdict by itself, or with others (+)
  --evidence       of each rule of `adaptive` the loops that it finds first and alone, of how many agents, by how many
                   calls it is sooner than the others, and its alarms
  --patience       what agents did after a nudge that nobody gave them: how often they repeated themselves further
  --outcomes       good and failed runs that are stopped and nudged, and the tokens after the stops
  --progress       how much was new where loops were found, and in healthy sessions
  --doubt          where a model would be asked: loops that are found or asked about, questions per 100 calls
  --choose O=A,B   the value of the option O, chosen on all agents but one and judged on that one,
                   and the same for sets
";

const COLLECTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/loops/collection"
);

/// An option, and the values to choose from.
pub struct Choice {
    pub option: String,
    pub values: Vec<Value>,
}

pub struct Arguments {
    pub help: bool,
    pub folders: Vec<PathBuf>,
    pub profiles: Vec<String>,
    /// Options for every profile.
    pub set: Map<String, Value>,
    pub totals_only: bool,
    pub trail: Option<String>,
    pub verdicts: bool,
    pub words: bool,
    pub evidence: bool,
    pub patience: bool,
    pub outcomes: bool,
    pub progress: bool,
    pub doubt: bool,
    pub choices: Vec<Choice>,
}

impl Arguments {
    pub fn read(words: impl Iterator<Item = String>) -> Result<Self> {
        let mut arguments = Self {
            help: false,
            folders: Vec::new(),
            profiles: Vec::new(),
            set: Map::new(),
            totals_only: false,
            trail: None,
            verdicts: false,
            words: false,
            evidence: false,
            patience: false,
            outcomes: false,
            progress: false,
            doubt: false,
            choices: Vec::new(),
        };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word}: what?"));
            match word.as_str() {
                "--help" => arguments.help = true,
                "--profile" => arguments.profiles.push(value()?),
                "--set" => arguments.set = read_options(&value()?)?,
                "--totals" => arguments.totals_only = true,
                "--trail" => arguments.trail = Some(value()?),
                "--verdicts" => arguments.verdicts = true,
                "--words" => arguments.words = true,
                "--evidence" => arguments.evidence = true,
                "--patience" => arguments.patience = true,
                "--outcomes" => arguments.outcomes = true,
                "--doubt" => arguments.doubt = true,
                "--progress" => arguments.progress = true,
                "--choose" => arguments.choices.push(Choice::read(&value()?)?),
                option if option.starts_with('-') => bail!("no option {option}\n\n{HELP}"),
                folder => arguments.folders.push(folder.into()),
            }
        }
        if arguments.folders.is_empty() {
            arguments.folders.push(COLLECTION.into());
        }
        if arguments.profiles.is_empty() {
            arguments.profiles.push("adaptive".to_owned());
        }
        Ok(arguments)
    }

    /// The options of a profile, with those of the command and `more` laid over them.
    pub fn options(&self, profile: &str, more: &[(&str, &Value)]) -> String {
        let mut options = self.set.clone();
        options.insert("profile".to_owned(), profile.into());
        for (name, value) in more {
            options.insert((*name).to_owned(), (*value).clone());
        }
        Value::Object(options).to_string()
    }
}

impl Choice {
    fn read(text: &str) -> Result<Self> {
        let (option, values) = text
            .split_once('=')
            .with_context(|| format!("--choose {text}: there is no ="))?;
        let values = values
            .split(',')
            .map(|value| serde_json::from_str(value).with_context(|| format!("--choose {text}")));
        Ok(Self {
            option: option.to_owned(),
            values: values.collect::<Result<_>>()?,
        })
    }
}

fn read_options(json: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(json).with_context(|| format!("--set {json}: no JSON object"))
}
