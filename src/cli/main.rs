//! The program `turnkeeper`: files, the environment, the clock and the terminal, around crates that are pure.

use std::process::ExitCode;

mod commands;
mod files;
mod hook;
mod problem;
mod program;
mod settings;
mod state;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // A hook runs at each step of an agent: for it no parser of arguments is built.
    match args.next() {
        Some(first) if first == "hook" => hook::run(args),
        _ => commands::run(),
    }
}
