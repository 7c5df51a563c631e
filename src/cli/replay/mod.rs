//! `turnkeeper replay`: sessions through the loop detector, event by event, or by several profiles side by side.
//!
//! | file | |
//! |---|---|
//! | `sessions.rs` | reads the sessions that are named, one after another |
//! | `play.rs` | plays them, each event with its verdict |
//! | `table.rs`, `json.rs` | what is shown of that |
//! | `compare.rs`, `compare_table.rs` | several profiles side by side |

mod compare;
mod compare_table;
mod json;
mod play;
mod sessions;
mod table;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ArgMatches, Command};
use turnkeeper_analysis::player::{PlaySettings, Prompts};
use turnkeeper_analysis::profile::Profile;

use crate::options::{
    about, fails_option, flag, given_paths, many, model_option, option, paths, profile_names,
};
use crate::terminal::output::Output;

const DETAILS: &str = r#"A file is a session that an agent has saved, or has one event on each line as
JSON, in the shapes of the package's AgentEvent. "-" is standard input.
docs/audit.md in the npm package turnkeeper lists the formats and the
fields of the JSON.

A prompt starts at each message of the user (a run of them starts one), unless
the file says itself where its prompts start, with lines that are no events:
{"type":"prompt_started","promptId":"p1","model":"…","userPrompt":"…"}

A folder stands for the sessions in it. With --compare, a session is one prompt,
and its calls count from 0.

Exit code: 0; 1 with --fail-on-loop if a loop was stopped; 2 if any input was
bad."#;

pub(crate) fn command() -> Command {
    let profiles: Vec<&str> = Profile::ALL.iter().map(|it| it.name()).collect();
    let profile = format!(
        "the rules to judge by (default: {}); with --compare, may be given several times (default: all). \
         Profiles: {}",
        Profile::default(),
        profiles.join(", ")
    );
    let prompts = "where a prompt starts: at each message of the user, or only at the beginning of the session \
        (default: user; session with --compare)";
    Command::new("replay")
        .about("play sessions through the loop detector, event by event")
        .long_about(about(
            "Play sessions through the loop detector: a row and a verdict for each event, or with --compare a \
             column for each profile.",
        ))
        .arg(paths(true, "sessions, and folders of sessions"))
        .arg(flag("compare", "show several profiles side by side"))
        .arg(
            option("profile", "name", &profile)
                .value_parser(profile_names())
                .hide_possible_values(true)
                .action(ArgAction::Append),
        )
        .arg(model_option())
        .arg(option("prompt-id", "id", "the first prompt's id (default: the file's name)"))
        .arg(
            option("prompts", "where", prompts)
                .value_parser(PossibleValuesParser::new(["user", "session"]))
                .hide_possible_values(true),
        )
        .arg(
            flag("continue", "after a stop, clear the detector and go on, counting strikes")
                .conflicts_with("compare"),
        )
        .arg(fails_option())
        .arg(flag("json", "one JSON object a line instead of a table"))
        .arg(flag("quiet", "only the outcome of each file").short('q'))
        .after_help(DETAILS)
}

pub(crate) fn run(given: &ArgMatches, output: &mut Output) {
    output.end_when_unread();
    let names = given_paths(given);
    let is_compared = given.get_flag("compare");
    let profiles: Vec<Profile> = many::<String>(given, "profile")
        .iter()
        .filter_map(|name| Profile::of(name))
        .collect();
    let prompts = match given.get_one::<String>("prompts").map(String::as_str) {
        Some("user") => Prompts::User,
        Some(_) => Prompts::Session,
        None if is_compared => Prompts::Session,
        None => Prompts::User,
    };
    let settings = PlaySettings {
        model: given.get_one("model").cloned(),
        prompt_id: given.get_one("prompt-id").cloned(),
        goes_on: given.get_flag("continue"),
        prompts,
    };
    let is_json = given.get_flag("json");
    let is_quiet = given.get_flag("quiet");
    if is_compared {
        let profiles = if profiles.is_empty() {
            Profile::ALL.to_vec()
        } else {
            profiles
        };
        let compared = compare::Compare {
            profiles,
            settings,
            is_json,
            is_quiet,
        };
        return compared.run(&names, output);
    }
    if profiles.len() > 1 {
        return output.complain("several profiles need --compare");
    }
    let play = play::Play {
        profile: profiles.first().copied().unwrap_or_default(),
        settings,
        is_json,
        is_quiet,
        fails_on_loop: given.get_flag("fail-on-loop"),
    };
    play.run(&names, output);
}
