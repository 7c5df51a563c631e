//! `turnkeeper repair`
//!
//! | file | |
//! |---|---|
//! | `mod.rs` | the command and its options |
//! | `history.rs` | one history after another, read twice and written |
//! | `target.rs` | where a repaired file goes |
//! | `words.rs` | what is said of it |

mod history;
mod target;
mod words;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value, json};
use turnkeeper_analysis::repair::Repair;
use turnkeeper_history_deduper::DedupeOptions;

use crate::options::{flag, given_paths, many, option, paths, whole_number};
use crate::terminal::output::Output;
use history::Task;

const DETAILS: &str = "\
In each message of the user one block stays, at its end. Nothing else changes:
not a character of any other part, nor how the file is written, so the agent
that saved it can load it again. Without -o and --in-place nothing is written,
and what would be done is shown. A file is replaced in one step, when it is
whole.

Calls and results that providers refuse are mended: a second result of a call
goes, a result whose call is gone goes or becomes words of the user, and a call
without a result gets one that says so. Calls at the end of a history wait for
their results: nothing is added there, for an agent may be at work, or answers
them when it goes on. Texts of white space alone go; where a message has to stay,
words that say so take the place of its text.

With --economy older messages are shortened as well. \"resume\" leaves out what
newer messages say better: environment, and copies of files of which a newer one
follows. \"compact\" also takes older files that the model wrote and results that
come again, with --target-tokens only until that many tokens are left. Neither
takes the newest copy of a file. The agent has to read such a history anew, at
the full price, so do it when its prompt cache is cold.

Histories of Cline, Roo Code and Kilo Code, Anthropic, OpenAI, AI SDK and Gemini
messages, Claude Code, and mini-swe-agent can be repaired. \"-\" is standard input.

Exit code: 0, or 2 if any input was bad or could not be repaired.";

pub(crate) fn command() -> Command {
    let what = "remove duplicate blocks of environment, mend calls, results and empty texts that providers refuse, and with \
        --economy remove more, in saved histories";
    let where_to = "where the repaired copy goes; for a folder, a folder";
    let output = option("output", "path", where_to).short('o');
    let output = output.value_parser(value_parser!(PathBuf));
    Command::new("repair")
        .about(what)
        .arg(paths(true, "histories, and folders of histories"))
        .arg(output.conflicts_with("in-place"))
        .arg(flag(
            "in-place",
            "replace the file, which is kept as <name>.bak",
        ))
        .arg(
            option(
                "tag",
                "name",
                "the tag of a block; may be given several times (default: environment_details)",
            )
            .action(ArgAction::Append),
        )
        .arg(
            option("keep", "which", "the block that stays (default: last)")
                .value_parser(PossibleValuesParser::new(["last", "first"])),
        )
        .arg(flag(
            "embedded",
            "also blocks at the end of other texts and of tool results",
        ))
        .arg(
            option(
                "economy",
                "how",
                "shorten older messages as well: what newer ones say better goes",
            )
            .value_parser(PossibleValuesParser::new(["resume", "compact"])),
        )
        .arg(
            option(
                "target-tokens",
                "n",
                "with --economy compact: the size to reach, in estimated tokens",
            )
            .value_parser(whole_number(1, 999_999_999)),
        )
        .arg(flag("json", "one JSON object a file"))
        .after_help(DETAILS)
}

pub(crate) fn run(given: &ArgMatches, output: &mut Output) {
    let names = given_paths(given);
    let copies = given.get_one::<PathBuf>("output").cloned();
    if copies.is_some() && names.len() > 1 {
        return output.complain("option '-o, --output <path>' takes one file or folder at a time");
    }
    let economy = given.get_one::<String>("economy");
    let target = given.get_one::<u32>("target-tokens");
    if target.is_some() && economy.is_none_or(|economy| economy != "compact") {
        return output.complain("option '--target-tokens <n>' needs '--economy compact'");
    }
    match options(given) {
        Err(error) => output.complain(error),
        Ok(options) => Task {
            names,
            copies,
            is_in_place: given.get_flag("in-place"),
            is_json: given.get_flag("json"),
            options,
        }
        .run(output),
    }
}

/// The kinds of repair; options that only the deduper can judge, such as the name of a tag, are tried.
fn options(given: &ArgMatches) -> Result<DedupeOptions, turnkeeper_history_deduper::Error> {
    let mut options = Map::new();
    let tags = many::<String>(given, "tag");
    if !tags.is_empty() {
        options.insert("tags".to_owned(), json!(tags));
    }
    if given.get_flag("embedded") {
        options.insert("embedded".to_owned(), json!(true));
    }
    for name in ["keep", "economy"] {
        if let Some(value) = given.get_one::<String>(name) {
            options.insert(name.to_owned(), json!(value));
        }
    }
    if let Some(tokens) = given.get_one::<u32>("target-tokens") {
        options.insert("targetTokens".to_owned(), json!(tokens));
    }
    let options = DedupeOptions::from_json(&Value::Object(options).to_string())?;
    Repair::new(options.clone())?;
    Ok(options)
}
