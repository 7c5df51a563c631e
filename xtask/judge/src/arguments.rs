//! The arguments of the command.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value};

const COLLECTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/loops/collection"
);

/// The arguments as they are written.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, about: &'static str| {
        let option = Arg::new(name).long(name).value_name(value);
        option.help(about).hide_default_value(true)
    };
    let flag = |name: &'static str, about: &'static str| {
        let flag = Arg::new(name).long(name).help(about);
        flag.action(ArgAction::SetTrue)
    };
    let read_options = |json: &str| serde_json::from_str::<Map<String, Value>>(json);
    Command::new("judge")
        .bin_name("cargo xtask judge")
        .about("How the loop detector does on labelled sessions")
        .args([
            Arg::new("folders")
                .value_name("FOLDER")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .default_value(COLLECTION)
                .hide_default_value(true)
                .help("Labelled sessions: index.tsv and <id>.jsonl; without one, the project's own"),
            option("profile", "NAME", "Judges with this profile; several are compared (adaptive)")
                .action(ArgAction::Append)
                .default_value("adaptive"),
            option("set", "JSON", "Options that are laid over the profile, such as '{\"equalErrors\":5}'")
                .value_parser(read_options)
                .default_value("{}"),
            flag("totals", "No names of misses and false alarms"),
            option("trail", "ID", "Every verdict on one session"),
            flag("verdicts", "Every verdict on every session, a line a session"),
            flag(
                "words",
                "The table of words, with the sets in which each decides a verdict by itself, or with others (+)",
            ),
            flag(
                "evidence",
                "Of each rule of `adaptive` the loops that it finds first and alone, of how many agents, by how many \
                 calls it is sooner than the others, and its alarms",
            ),
            option(
                "choose",
                "OPTION=VALUES",
                "Chooses the best of the values, such as equalErrors=4,5,6, on all agents but one, and judges that one",
            )
            .value_parser(Choice::read),
        ])
}

/// An option and the values to choose among.
#[derive(Clone)]
pub struct Choice {
    pub option: String,
    pub values: Vec<Value>,
}

impl Choice {
    fn read(text: &str) -> Result<Self, String> {
        let (option, values) = text.split_once('=').ok_or("there is no =")?;
        let values = values.split(',').map(serde_json::from_str);
        Ok(Self {
            option: option.to_owned(),
            values: values
                .collect::<Result<_, _>>()
                .map_err(|why| why.to_string())?,
        })
    }
}

/// How sessions are played.
pub struct Arguments {
    pub profiles: Vec<String>,
    /// Options for every profile.
    pub set: Map<String, Value>,
    pub totals_only: bool,
}

impl Arguments {
    pub fn of(given: &ArgMatches) -> Self {
        let profiles = given.get_many::<String>("profile").into_iter().flatten();
        Self {
            profiles: profiles.cloned().collect(),
            set: given.get_one("set").cloned().unwrap_or_default(),
            totals_only: given.get_flag("totals"),
        }
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
