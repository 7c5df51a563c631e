//! One small program behind every command of this repository.
//!
//! Each command sets up what it needs from nothing, says what it is doing, and skips what is
//! already there.

#![forbid(unsafe_code)]

mod api;
mod bench;
mod checks;
mod counts;
mod debian;
mod demo;
mod fuzz;
mod judge;
mod machines;
mod nodes;
mod npm;
mod pack;
mod package;
mod paths;
mod reproduce;
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

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask COMMAND

  build [--quick]  the npm package, complete in pkg/; --quick: one module, not optimised
  sizes            the package, and how large it is beside its limits
  test [NAME…]     what a change breaks, in ten minutes from nothing; --deep: the rest;
                   NAME: only these checks or suites, or a machine (`loop_detector`),
                   with --quick what says soonest whether a change to it is right;
                   --nodes LIST on these Node versions (18,24), or on `all`;
                   --agents LIST with these agents of other people, or with `all`
  demo             the packed package on the sample sessions
  bench            the speed table against the other libraries; --only WORD for the
                   rows with that word, --rounds N, --json;
                   `bench page` how quick the web page is with a session of 20 MB
  fuzz [TARGET…]   every fuzz target, or those named, `calls` for random calls in
                   JavaScript; --minutes N or --seconds N for each (60 seconds), or
                   --executions N
  soak [--short]   ten million events through each profile, 100,000 turns of a
                   session; memory, handles and timers must stay flat;
                   `soak --vscode` turns in a real VS Code; --minutes N spreads them
  traces           records anew what the machines leave behind (tests/fixtures/README.md)
  judge [FOLDER…]  the loop detector on labelled sessions; --help for what else it shows
  shapes [--check] writes, or checks, the TypeScript and the rows of rules generated from Rust
  reproduce        builds a second checkout and compares the packages, byte for byte
  api [--check]    writes, or checks, the report of the public types in js/api
  site [--serve]   the web page in target/site; with --serve on 127.0.0.1

Packages of the system are installed by root only.
Tools go to $TURNKEEPER_TOOLS, else $XDG_CACHE_HOME/turnkeeper, else ~/.cache/turnkeeper.
";

/// They would find only after minutes of compiling that it is missing.
const COMMANDS_WITH_NODE: [&str; 12] = [
    "build",
    "test",
    "demo",
    "bench",
    "fuzz",
    "soak",
    "shapes",
    "reproduce",
    "api",
    "site",
    "sizes",
    "traces",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", arguments),
    };
    if COMMANDS_WITH_NODE.contains(&command) {
        npm::check_node()?;
    }
    match command {
        "demo" | "reproduce" | "sizes" | "traces" if !rest.is_empty() => {
            bail!("{command} takes no arguments")
        }
        "build" => package::build(rest),
        "sizes" => package::sizes(),
        "test" => test::run(rest),
        "demo" => demo::run(),
        "bench" => bench::run(rest),
        "fuzz" => fuzz::run(rest),
        "soak" => soak::run(rest),
        "judge" => judge::run(rest),
        "shapes" => shapes::run(rest),
        "reproduce" => reproduce::run(),
        "api" => api::run(rest),
        "site" => site::run(rest),
        "traces" => traces::run(),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("there is no command `{other}`\n\n{HELP}"),
    }
}
