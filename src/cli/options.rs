//! Options that several commands have, how their values are read, and how help is laid out.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use turnkeeper_analysis::profile::Profile;

/// The columns of a terminal that help is laid out for.
const COLUMNS: usize = 80;
/// The columns that the texts of options begin at, in the commands with the longest names.
const BESIDE_NAMES: usize = 34;

/// A paragraph in lines that fit beside the names of options.
pub(crate) fn help(text: &str) -> String {
    filled(text, COLUMNS - BESIDE_NAMES)
}

/// A paragraph in lines of the width of a terminal.
pub(crate) fn about(text: &str) -> String {
    filled(text, COLUMNS)
}

fn filled(text: &str, columns: usize) -> String {
    crate::terminal::columns::wrap(text, columns).join("\n")
}

/// An option without a value.
pub(crate) fn flag(name: &'static str, text: &str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help(text))
}

/// An option with a value.
pub(crate) fn option(name: &'static str, value: &'static str, text: &str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help(text))
}

/// The files and folders that a command reads.
pub(crate) fn paths(is_required: bool, text: &str) -> Arg {
    Arg::new("path")
        .num_args(0..)
        .required(is_required)
        .value_parser(value_parser!(PathBuf))
        .help(help(text))
}

/// The values of [`paths`].
pub(crate) fn given_paths(given: &ArgMatches) -> Vec<PathBuf> {
    let paths = given.get_many::<PathBuf>("path");
    paths.into_iter().flatten().cloned().collect()
}

/// The values of an option that may be given several times, each once.
pub(crate) fn many<T: Clone + PartialEq + Send + Sync + 'static>(
    given: &ArgMatches,
    name: &str,
) -> Vec<T> {
    let mut values: Vec<T> = Vec::new();
    for value in given.get_many::<T>(name).into_iter().flatten() {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

pub(crate) fn profile_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Profile::ALL.iter().map(|profile| profile.name()))
}

pub(crate) fn profile_option() -> Arg {
    let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
    let text = format!("the rules to judge by: {}", names.join(", "));
    option("profile", "name", &text)
        .value_parser(profile_names())
        .hide_possible_values(true)
        .default_value(Profile::default().name())
}

/// The value of [`profile_option`].
pub(crate) fn given_profile(given: &ArgMatches) -> Profile {
    let name = given.get_one::<String>("profile");
    name.and_then(|name| Profile::of(name)).unwrap_or_default()
}

pub(crate) fn fails_option() -> Arg {
    flag(
        "fail-on-loop",
        "exit with 1 if a session was stopped; a nudge does not count",
    )
}

pub(crate) fn model_option() -> Arg {
    option("model", "name", "the model, where a file does not name it")
}

/// Reads a whole number from `least` to `most`.
pub(crate) fn whole_number(
    least: u32,
    most: u32,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let number = text
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number));
        let number = number.filter(|_| is_number);
        number.ok_or_else(|| format!("it is a whole number from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_within_bounds() {
        let read = whole_number(1, 256);
        assert_eq!(read("1"), Ok(1));
        assert_eq!(read("256"), Ok(256));
        for wrong in ["0", "257", "+1", "1.0", "", " 1", "99999999999", "x"] {
            assert_eq!(
                read(wrong),
                Err("it is a whole number from 1 to 256".into()),
                "{wrong}"
            );
        }
    }
}
