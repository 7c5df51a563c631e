//! `cargo xtask judge [FOLDER…]`: how the loop detector does on labelled sessions.
//!
//! A folder has an `index.tsv` (`id`, `label`, `loop_starts_at_call`, `type`, and `agent`, `set` and `outcome`
//! where they are known) and one `<id>.jsonl` with a session's events for each of its lines. The sessions are
//! read once and judged on all cores, so a change of a rule is seen in seconds.

#![forbid(unsafe_code)]

mod arguments;
mod cores;
mod doubt;
mod evidence;
mod held_out;
mod outcomes;
mod patience;
mod player;
mod progress;
mod score;
mod sessions;
mod table;
mod words;

use std::process::ExitCode;

use anyhow::Result;

use self::arguments::Arguments;
use self::sessions::Session;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    if arguments.help {
        print!("{}", arguments::HELP);
        return Ok(());
    }
    let sessions: Vec<Session> = sessions::read_folders(&arguments.folders)?;
    if let Some(id) = &arguments.trail {
        return table::print_trail(&sessions, id, &arguments);
    }
    if arguments.verdicts {
        return table::print_verdicts(&sessions, &arguments);
    }
    if arguments.words {
        return words::run(&sessions, &arguments);
    }
    if arguments.evidence {
        return evidence::run(&sessions, &arguments);
    }
    if arguments.outcomes {
        return outcomes::run(&sessions, &arguments);
    }
    if arguments.doubt {
        return doubt::run(&sessions, &arguments);
    }
    if arguments.patience {
        return patience::run(&sessions, &arguments);
    }
    if arguments.progress {
        return progress::run(&sessions, &arguments);
    }
    if !arguments.choices.is_empty() {
        return held_out::run(&sessions, &arguments);
    }
    table::print(&sessions, &arguments)
}
