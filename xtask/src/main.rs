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
mod paths;
mod prices;
mod program;
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

use anyhow::Result;
use clap::Parser;

/// The commands of this repository. Packages of the system are installed by root only; tools go to $TURNKEEPER_TOOLS, else
/// $XDG_CACHE_HOME/turnkeeper, else ~/.cache/turnkeeper.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// The packed package on the sample sessions
    Demo,
    /// What a change breaks, in ten minutes from nothing; with --deep the rest
    Test(test::Arguments),
    /// The npm package, complete in pkg/
    Build {
        /// One module for all machines, not optimised
        #[arg(long)]
        quick: bool,
    },
    /// The table of models' prices anew, from the newest LiteLLM
    Prices,
    /// The npm packages of the native program, by cross-compiling where need be
    Program(program::Arguments),
    /// The package, and how large it is beside its limits
    Sizes,
    /// The speed table against the other libraries, or how quick the web page is
    Bench {
        /// `page`: the web page with a session of 20 MB; else --only WORD, --rounds N, --json
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Every fuzz target, or those named; `calls` for random calls in JavaScript
    Fuzz(fuzz::Arguments),
    /// Millions of events and thousands of turns; memory, handles and timers must stay flat
    Soak {
        /// --short, --turns; in a real VS Code --vscode, with --count TURNS and --minutes N
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Records anew what the machines leave behind (tests/fixtures/README.md)
    Traces,
    /// The loop detector on labelled sessions; --help for what else it shows
    #[command(disable_help_flag = true)]
    Judge {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The TypeScript and the rows of rules that are generated from Rust
    Shapes(Check),
    /// The report of the public types in js/api
    Api(Check),
    /// Builds a second checkout and compares the packages, byte for byte
    Reproduce,
    /// The web page in target/site
    Site {
        /// Serves it on 127.0.0.1
        #[arg(long)]
        serve: bool,
    },
}

#[derive(clap::Args)]
struct Check {
    /// Fails if what is committed is not what would be written
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    if !matches!(command, Command::Judge { .. }) {
        // Otherwise it would be missed only after minutes of compiling.
        npm::check_node()?;
    }
    match command {
        Command::Demo => demo::run(),
        Command::Test(arguments) => test::run(&arguments),
        Command::Build { quick } => package::build(quick),
        Command::Prices => prices::run(),
        Command::Program(arguments) => program::run(&arguments),
        Command::Sizes => package::sizes(),
        Command::Bench { arguments } => bench::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(arguments),
        Command::Soak { arguments } => soak::run(&arguments),
        Command::Traces => traces::run(),
        Command::Judge { arguments } => judge::run(&arguments),
        Command::Shapes(Check { check: true }) => shapes::check(),
        Command::Shapes(_) => shapes::write(),
        Command::Api(Check { check: true }) => api::check(),
        Command::Api(_) => api::write(),
        Command::Reproduce => reproduce::run(),
        Command::Site { serve } => site::run(serve),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_commands_are_told_apart() {
        super::Command::command().debug_assert();
    }
}
