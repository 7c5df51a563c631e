//! The program `turnkeeper`: files, the environment, the clock and the terminal, around crates that are pure.

use std::process::ExitCode;

mod clock;
mod commands;
mod files;
mod hook;
pub mod problem;
mod program;
pub mod settings;
mod settings_files;
mod state;

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let started_at = clock::now();
    let mut args = std::env::args_os().skip(1);
    // A hook runs at each step of an agent: for it no parser of arguments is built.
    match args.next() {
        Some(first) if first == "hook" => hook::run(args, started_at),
        _ => commands::run(),
    }
}
