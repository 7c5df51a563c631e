//! The program `turnkeeper`: files, the environment, the clock and the terminal, around crates that are pure.

use std::process::ExitCode;

mod audit;
mod clock;
mod commands;
mod each_file;
mod files;
mod find;
mod hook;
mod inputs;
mod options;
mod problem;
mod program;
mod progress;
mod repair;
mod replay;
mod settings_files;
mod state;
mod terminal;

/// The C library of a static program has an allocator that is slow with threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let started_at = clock::now();
    let mut args = std::env::args_os().skip(1);
    // A hook runs at each step of an agent: for it no parser of arguments is built.
    match args.next() {
        Some(first) if first == "hook" && !asks_for_help() => hook::run(args, started_at),
        _ => commands::run(),
    }
}

/// Whether the word after the command is `--help`.
fn asks_for_help() -> bool {
    let word = std::env::args_os().nth(2);
    word.is_some_and(|word| word == "--help" || word == "-h")
}
