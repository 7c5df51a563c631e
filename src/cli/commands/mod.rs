//! The command line: the commands that people type, and their parser.

mod agent_version;
mod asking;
mod documents;
mod install;
mod place;
mod question;
mod settings_file;
mod status;
mod uninstall;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::{env, fs};

use clap::builder::PossibleValuesParser;
use clap::error::ContextKind;
use clap::{Arg, ArgAction, Command};
use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::Mode;
use turnkeeper_analysis::plain_text::escape_controls;

use crate::options::{about, flag};
use crate::program::VERSION;
use crate::state::folder::state_folder;
use crate::state::session_store::kept_records;
use crate::terminal::bar;
use crate::terminal::output::{MISTAKE, Output};
use crate::{audit, repair, replay};

pub(crate) fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|mistake| {
        let told = told_mistake(&mistake.to_string());
        // Where it cannot be told the exit code still says it.
        let _ = bar::beside(|| io::stderr().write_all(told.as_bytes()));
    }));
    std::panic::catch_unwind(run_command).unwrap_or(ExitCode::from(MISTAKE))
}

/// A mistake of this program in lines for a terminal: its words may be those of a session, or of a file's name.
fn told_mistake(mistake: &str) -> String {
    let lines: Vec<_> = mistake.lines().map(escape_controls).collect();
    let lines = lines.join("\n");
    format!("turnkeeper: internal error, please report: {lines}\n")
}

fn run_command() -> ExitCode {
    let mut output = Output::new();
    let matches = match program().try_get_matches_from(arguments()) {
        Ok(matches) => matches,
        Err(error) => {
            refused(&error, &mut output);
            return output.code();
        }
    };
    // Hooks remove what is old, too; but an agent may never run again.
    if let Ok(state) = state_folder() {
        kept_records(&state);
    }
    match matches.subcommand() {
        Some(("audit", given)) => audit::run(given, &mut output),
        Some(("repair", given)) => repair::run(given, &mut output),
        Some(("replay", given)) => replay::run(given, &mut output),
        Some(("install", given)) => install::run(given, &mut output),
        Some(("uninstall", given)) => uninstall::run(given, &mut output),
        Some(("status", _)) => status::run(&mut output),
        _ => output.line(VERSION),
    }
    output.code()
}

/// The command that is meant where none is named.
const USUAL: &str = "audit";

/// The arguments, with the name of a command.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let program = program();
    let is_own = |word: &OsString| {
        let word = word.to_str().unwrap_or_default();
        // `-v` means something else after the name of a command.
        let is_asked = matches!(word, "-h" | "--help" | "-v" | "--version" | "help");
        is_asked || program.get_subcommands().any(|it| it.get_name() == word)
    };
    let first = arguments.get(1);
    if !first.is_some_and(|word| is_own(word) || is_mistyped(word)) {
        arguments.insert(1.min(arguments.len()), USUAL.into());
    }
    arguments
}

/// Whether a word is meant to be a command, and is like one of them. A file that has such a name is one.
fn is_mistyped(word: &OsString) -> bool {
    let is_word = |it: &str| it.bytes().all(|it| it.is_ascii_alphabetic());
    if !word.to_str().is_some_and(is_word) || fs::symlink_metadata(word).is_ok() {
        return false;
    }
    let read = program().try_get_matches_from([OsString::from("turnkeeper"), word.clone()]);
    read.is_err_and(|error| error.get(ContextKind::SuggestedSubcommand).is_some())
}

const EXPLAINED: &str = "\"turnkeeper COMMAND --help\" explains each.";

fn program() -> Command {
    let what = "Keeps every turn of a coding agent on course. Without a command it audits: what did my \
        agents waste, and on what?";
    Command::new("turnkeeper")
        .about(about(what))
        .override_usage("turnkeeper [command] [options]")
        .after_help(EXPLAINED)
        .help_template("{usage-heading} {usage}\n\n{about}\n\n{all-args}{after-help}")
        .subcommand_required(false)
        .arg(flag("version", "print the version").short('v'))
        .subcommand(audit::command())
        .subcommand(repair::command())
        .subcommand(replay::command())
        .subcommand(install::command())
        .subcommand(status::command())
        .subcommand(uninstall::command())
        .subcommand(hook_command())
        .mut_subcommands(compact)
}

/// A command whose help is as short as it is.
fn compact(command: Command) -> Command {
    let told = command.get_long_about().or(command.get_about());
    let told = told.map(ToString::to_string).unwrap_or_default();
    let asked = Arg::new("help")
        .long("help")
        .short('h')
        .action(ArgAction::HelpShort);
    let template = format!("{{usage-heading}} {{usage}}\n\n{told}\n\n{{all-args}}{{after-help}}");
    command
        .disable_help_flag(true)
        .arg(asked.help("print this text"))
        .help_template(template)
}

/// The arguments that `turnkeeper hook` takes, for its help: it is run without a parser.
fn hook_command() -> Command {
    let hooked = Watched::all().filter(|agent| agent.dialect.is_some());
    let names: Vec<&str> = hooked.map(|agent| agent.name).collect();
    let modes = Mode::ALL.map(Mode::name).join(", ");
    Command::new("hook")
        .about("answer one event of an agent's hook")
        .long_about("Answer one event of an agent's hook: JSON on standard input and output.")
        .override_usage("turnkeeper hook <agent> [event] [options]")
        .after_help(format!(
            "Arguments and options:
  agent            {}
  event            the event's name, if the JSON does not have it
  --mode <mode>    {modes}
  --economy        send a long result that came before as one line

A name or an option that is not known is answered with nothing, and with exit code 0: agents take
any other for a refusal.",
            names.join(", ")
        ))
}

/// Text that was asked for, or a complaint in one line.
fn refused(error: &clap::Error, output: &mut Output) {
    let text = error.to_string();
    if !error.use_stderr() {
        return output.lines(text.trim_end());
    }
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let told: Vec<&str> = lines
        .take_while(|it| !it.starts_with("Usage:") && !it.starts_with("For more"))
        // Who mistypes an option means no value.
        .filter(|it| !it.starts_with("tip: to pass"))
        .collect();
    output.complain(told.join(" ").trim_start_matches("error: "));
}

fn agents_argument(help: &'static str) -> Arg {
    let names = PossibleValuesParser::new(Watched::all().map(|agent| agent.name));
    Arg::new("agents")
        .value_name("agent")
        .num_args(0..)
        .value_parser(names)
        .hide_possible_values(true)
        .action(ArgAction::Append)
        .help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_told_without_what_would_control_a_terminal() {
        let mistake = "panicked at a.rs:1:1:\nalone-\u{1b}]0;x\u{7}\u{202e}.json\r";
        assert_eq!(
            told_mistake(mistake),
            "turnkeeper: internal error, please report: panicked at a.rs:1:1:\nalone-\\x1b]0;x\\x07\\u{202e}.json\\x0d\n"
        );
    }
}
