//! The commands that people type.

mod install;
mod output;
mod place;
mod question;
mod settings_file;
mod status;
mod uninstall;

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use turnkeeper_watch::Mode;
use turnkeeper_watch::agents::AGENTS;

use crate::program::VERSION;
use output::{BAD_INPUT, Output};

pub(crate) fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|mistake| {
        eprintln!("turnkeeper: internal error, please report: {mistake}");
    }));
    std::panic::catch_unwind(run_command).unwrap_or(ExitCode::from(MISTAKE))
}

/// The code of a mistake of this program, which shows where it is.
const MISTAKE: u8 = 3;

fn run_command() -> ExitCode {
    let mut output = Output::new();
    let matches = match program().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return refused(&error, &mut output),
    };
    if matches.get_flag("version") {
        output.line(VERSION);
        return output.code();
    }
    match matches.subcommand() {
        Some(("install", given)) => install::run(given, &mut output),
        Some(("uninstall", given)) => uninstall::run(given, &mut output),
        Some(("status", _)) => status::run(&mut output),
        _ => {
            return refused(
                &program().error(ErrorKind::MissingSubcommand, "a command is missing"),
                &mut output,
            );
        }
    }
    output.code()
}

fn program() -> Command {
    Command::new("turnkeeper")
        .about("Keeps every turn of a coding agent on course.")
        .arg(flag("version", "print the version").short('v'))
        .subcommand(install::command())
        .subcommand(uninstall::command())
        .subcommand(status::command())
        .subcommand(hook_command())
}

/// The arguments that `turnkeeper hook` takes, for its help: it is run without a parser.
fn hook_command() -> Command {
    let hooked = AGENTS.iter().filter(|agent| agent.dialect.is_some());
    let names: Vec<&str> = hooked.map(|agent| agent.name).collect();
    let modes = Mode::ALL.map(Mode::name).join(", ");
    Command::new("hook")
        .about("answer one event of an agent's hook: JSON on standard input and output")
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
fn refused(error: &clap::Error, output: &mut Output) -> ExitCode {
    if !error.use_stderr() {
        output.line(error.to_string().trim_end());
        return output.code();
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let told: Vec<&str> = lines
        .take_while(|it| !it.starts_with("Usage:") && !it.starts_with("For more"))
        .collect();
    output.complain(told.join(" ").trim_start_matches("error: "));
    ExitCode::from(BAD_INPUT)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

fn agents_argument(help: &'static str) -> Arg {
    let names = PossibleValuesParser::new(AGENTS.iter().map(|agent| agent.name));
    Arg::new("agents")
        .value_name("agent")
        .num_args(0..)
        .value_parser(names)
        .hide_possible_values(true)
        .help(help)
}

/// The values of an argument that may be given several times, each once.
fn many(given: &ArgMatches, name: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in given.get_many::<String>(name).into_iter().flatten() {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}
