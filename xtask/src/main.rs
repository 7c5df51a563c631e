//! One small program behind every command of this repository.
//!
//! Each command sets up what it needs from nothing, says what it is doing, and skips what is
//! already there.

#![forbid(unsafe_code)]

mod api;
mod bench;
mod checks;
mod counts;
mod crates;
mod debian;
mod demo;
mod fuzz;
mod judge;
mod machines;
mod nodes;
mod npm;
mod pack;
mod package;
mod packed;
mod paths;
mod prices;
mod program;
mod reproduce;
mod rows;
mod rule_rows;
mod shapes;
mod site;
mod soak;
mod step;
mod suites;
mod test;
mod tools;
mod traces;
mod vscode;
mod wasm;

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// What `cargo xtask` understands. Options after the name of a command that a script reads are the script's.
fn commands() -> Command {
    let command = |name: &'static str, about: &'static str| Command::new(name).about(about);
    let others = |about: &'static str| {
        let argument = Arg::new("arguments").num_args(0..).trailing_var_arg(true);
        argument.allow_hyphen_values(true).help(about)
    };
    let flag = |name: &'static str, about: &'static str| {
        Arg::new(name)
            .long(name)
            .action(ArgAction::SetTrue)
            .help(about)
    };
    let check = || {
        flag(
            "check",
            "Fails if what is committed is not what would be written",
        )
    };
    Command::new("cargo xtask")
        .about(
            "The commands of this repository. Packages of the system are installed by root only; tools go to \
             $TURNKEEPER_TOOLS, else $XDG_CACHE_HOME/turnkeeper, else ~/.cache/turnkeeper.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(command("demo", "The quick package on the sample sessions"))
        .subcommand(
            command("test", "What a change breaks, in minutes from nothing; with --deep the rest")
                .args(test::arguments()),
        )
        .subcommand(
            command("build", "The npm package, complete in pkg/ and packed in target/pack")
                .arg(flag("quick", "One module for all machines, not optimised")),
        )
        .subcommand(command("prices", "The table of models' prices anew, from the newest LiteLLM"))
        .subcommand(
            command("program", "The npm packages of the native program, by cross-compiling where need be")
                .arg(Arg::new("platforms").num_args(0..).help(
                    "`linux-x64`, `darwin-arm64` and so on, or `all`; this machine's without a name",
                )),
        )
        .subcommand(command("sizes", "The package, and how large it is beside its limits"))
        .subcommand(
            command("bench", "The speed table against the other libraries, or how quick the web page is")
                .arg(others("`page`: the page with a session of 20 MB; else --only WORD, --rounds N, --json")),
        )
        .subcommand(
            command("fuzz", "Every fuzz target, or those named; `calls` for random calls in JavaScript")
                .args(fuzz::arguments()),
        )
        .subcommand(
            command("soak", "Millions of events and thousands of turns; memory, handles and timers must stay flat")
                .arg(others("--short, --turns; in a real VS Code --vscode, with --count TURNS and --minutes N")),
        )
        .subcommand(command("traces", "Records anew what the machines leave behind (tests/data/README.md)"))
        .subcommand(
            command("judge", "The loop detector on labelled sessions; --help for what else it shows")
                .disable_help_flag(true)
                .arg(others("what it reads, and what it shows")),
        )
        .subcommand(
            command("shapes", "The TypeScript and the rows of rules that are generated from Rust").arg(check()),
        )
        .subcommand(command("api", "The report of the public types in js/api").arg(check()))
        .subcommand(command("reproduce", "Builds a second checkout and compares the packages, byte for byte"))
        .subcommand(
            command("site", "The web page in target/site, with the quick package")
                .arg(flag("serve", "Serves it on 127.0.0.1"))
                .arg(flag("published", "With the published package, which takes minutes more")),
        )
}

fn main() -> ExitCode {
    match run(&commands().get_matches()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(matches: &ArgMatches) -> Result<()> {
    let (name, of) = matches.subcommand().context("one is required")?;
    if name != "judge" {
        // Otherwise it would be missed only after minutes of compiling.
        npm::check_node()?;
    }
    let words = |id: &str| -> Vec<String> {
        let words = of.get_many::<String>(id).into_iter().flatten();
        words.cloned().collect()
    };
    let others = || words("arguments");
    match name {
        "demo" => demo::run(),
        "test" => test::run(&test::Arguments::of(of)),
        "build" => package::build(of.get_flag("quick")),
        "prices" => prices::run(),
        "program" => program::run(&words("platforms")),
        "sizes" => package::sizes(),
        "bench" => bench::run(&others()),
        "fuzz" => fuzz::run(fuzz::Arguments::of(of)?),
        "soak" => soak::run(&others()),
        "traces" => traces::run(),
        "judge" => judge::run(&others()),
        "shapes" if of.get_flag("check") => shapes::check(),
        "shapes" => shapes::write(),
        "api" if of.get_flag("check") => api::check(),
        "api" => api::write(),
        "reproduce" => reproduce::run(),
        "site" => site::run(of.get_flag("serve"), of.get_flag("published")),
        _ => unreachable!("it is none of `commands`"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_are_told_apart() {
        super::commands().debug_assert();
    }
}
