//! One small program behind every command of this repository.
//!
//! Each command sets up what it needs from nothing, says what it is doing, and skips what is
//! already there.

#![forbid(unsafe_code)]

mod api;
mod bench;
mod checks;
mod crates;
mod debian;
mod demo;
mod fuzz;
mod machines;
mod nodes;
mod npm;
mod pack;
mod package;
mod packed;
mod paths;
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

use crate::package::Flavour;

/// A command, and what it does with its arguments.
struct Task {
    command: Command,
    run: fn(&ArgMatches) -> Result<()>,
}

fn task(name: &'static str, run: fn(&ArgMatches) -> Result<()>, about: &'static str) -> Task {
    Task {
        command: Command::new(name).about(about),
        run,
    }
}

impl Task {
    fn args(self, arguments: impl IntoIterator<Item = Arg>) -> Self {
        let command = self.command.args(arguments);
        Self { command, ..self }
    }

    /// What follows goes to a script or a program, options as well.
    fn others(self, about: &'static str) -> Self {
        let others = Arg::new("others").num_args(0..).trailing_var_arg(true);
        self.args([others.allow_hyphen_values(true).help(about)])
    }

    fn flag(self, name: &'static str, about: &'static str) -> Self {
        let flag = Arg::new(name).long(name).help(about);
        self.args([flag.action(ArgAction::SetTrue)])
    }
}

fn tasks() -> Vec<Task> {
    let mut judge = task(
        "judge",
        judge,
        "The loop detector on labelled sessions; --help for what else it shows",
    )
    .others("what it reads, and what it shows");
    judge.command = judge.command.disable_help_flag(true);
    vec![
        task(
            "demo",
            |_| demo::run(),
            "The quick package on the sample sessions",
        ),
        task(
            "test",
            test::run,
            "What a change breaks, in minutes from nothing; with --deep the rest",
        )
        .args(test::arguments()),
        task(
            "build",
            |_| package::pack(Flavour::Published).map(drop),
            "The npm package, complete in pkg/ and packed in target/pack",
        ),
        task(
            "prices",
            |_| step::show("prices", &mut step::node("xtask/prices.mjs")),
            "The table of models' prices anew, from the newest LiteLLM",
        ),
        task(
            "program",
            |of| program::run(&words(of, "platforms")),
            "The npm packages of the native program, by cross-compiling where need be",
        )
        .args([Arg::new("platforms").num_args(0..).help(
            "`linux-x64`, `darwin-arm64` and so on, or `all`; this machine's without a name",
        )]),
        task(
            "sizes",
            |_| package::sizes(),
            "The package, and how large it is beside its limits",
        ),
        task(
            "bench",
            |of| bench::run(&words(of, "others")),
            "The speed table against the other libraries, or how quick the web page is",
        )
        .others("`page`: the page with a session of 20 MB; else --only WORD, --rounds N, --json"),
        task(
            "fuzz",
            fuzz::run,
            "Every fuzz target, or those named; `calls` for random calls in JavaScript",
        )
        .args(fuzz::arguments()),
        task(
            "soak",
            |of| soak::run(&words(of, "others")),
            "Millions of events and thousands of turns; memory, handles and timers must stay flat",
        )
        .others("--short, --turns; in a real VS Code --vscode, with --count TURNS and --minutes N"),
        task(
            "traces",
            |_| traces::run(),
            "Records anew what the machines leave behind (tests/data/README.md)",
        ),
        judge,
        task(
            "shapes",
            |_| shapes::write(),
            "The TypeScript and the rows of rules that are generated from Rust",
        ),
        task(
            "api",
            |_| api::write(),
            "The report of the public types in js/api",
        ),
        task(
            "reproduce",
            |_| reproduce::run(),
            "Builds a second checkout and compares the packages, byte for byte",
        ),
        task(
            "site",
            |of| site::run(of.get_flag("serve"), of.get_flag("published")),
            "The web page in target/site, with the quick package",
        )
        .flag("serve", "Serves it on 127.0.0.1")
        .flag(
            "published",
            "With the published package, which takes minutes more",
        ),
    ]
}

fn command() -> Command {
    Command::new("cargo xtask")
        .about(
            "The commands of this repository. Packages of the system are installed by root only; tools go to \
             $TURNKEEPER_TOOLS, else $XDG_CACHE_HOME/turnkeeper, else ~/.cache/turnkeeper.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(tasks().into_iter().map(|task| task.command))
}

fn main() -> ExitCode {
    match run(&command().get_matches()) {
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
    let mut tasks = tasks().into_iter();
    let task = tasks.find(|task| task.command.get_name() == name);
    (task.context("it is none of the tasks")?.run)(of)
}

fn words(of: &ArgMatches, name: &str) -> Vec<String> {
    let words = of.get_many::<String>(name).into_iter().flatten();
    words.cloned().collect()
}

/// Builds the judge for release, since it plays thousands of sessions, and runs it where the user is.
fn judge(of: &ArgMatches) -> Result<()> {
    let mut judge = tools::cargo();
    judge
        .current_dir(".")
        .args(["run", "--quiet", "--release", "--package", "judge", "--"])
        .args(words(of, "others"));
    step::show("judge", &mut judge)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_are_told_apart() {
        super::command().debug_assert();
    }
}
