//! Watches the events of an agent with the loop detector, and ends when the agent is stuck: what a Rust
//! agent would copy.
//!
//! ```text
//! my-agent --events | guard-events [OPTIONS]
//! guard-events [OPTIONS] < session.jsonl
//! ```
//!
//! Events are read from the standard input, one JSON object a line. `OPTIONS` are the loop detector's, as
//! JSON, such as `{"profile":"standard"}`. Each line is passed on to the standard output while the agent may go
//! on. The event with which it gets stuck is held back, so that whoever reads the lines does not act on
//! it. Verdicts go to the standard error output.
//!
//! The exit code is 0 at the end of the events, 3 if the agent is stuck, and 2 if an option or a line is
//! wrong.

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use turnkeeper_core::{
    AgentEvent, LoopDetector, LoopDetectorOptions, LoopReport, LoopVerdict, Prompt,
};

/// How the events ended.
enum Ending {
    Done,
    Stuck,
}

fn main() -> ExitCode {
    let options = env::args().nth(1).unwrap_or("{}".to_owned());
    match run(&options) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Stuck) => ExitCode::from(3),
        Err(error) => {
            eprintln!("guard-events: {error}");
            ExitCode::from(2)
        }
    }
}

/// Passes events on until the agent is stuck.
fn run(options: &str) -> Result<Ending, Box<dyn Error>> {
    // An error names the option that is wrong, and what is allowed. An agent that knows its options
    // writes the struct instead: `LoopDetectorOptions { profile: Some(LoopProfile::Standard), .. }`.
    let mut detector = LoopDetector::new(LoopDetectorOptions::from_json(options)?)?;

    // All events are one prompt of the user. An agent calls this for each prompt, with a new id, with the
    // model that answers, and with what the user wrote: a passage that the user asked for is no loop.
    detector.start_prompt(Prompt::new("the events"));

    let mut passed_on = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let event: AgentEvent = serde_json::from_str(&line)?;

        // The detector sees an event before anything is done with it.
        match detector.observe(&event)? {
            LoopVerdict::Ok => {}
            // The agent may go on, but its model should know: the feedback goes into its history, after
            // the result of the call.
            LoopVerdict::Nudge { report } => tell("nudge", report),
            // The agent ends the turn. Every further event would get the same verdict. To give the model
            // one more chance, it adds the feedback to the history and calls `detector.clear()`; the
            // next report's `strike` is then one higher.
            LoopVerdict::Stop { report } => {
                tell("stop", report);
                return Ok(Ending::Stuck);
            }
        }
        writeln!(passed_on, "{line}")?;

        // After a turn began, the detector may ask for a model's opinion. It calls none itself: the agent
        // sends the request if it wants to, and gives the answer to `answer_model_check`.
        if event == AgentEvent::TurnStarted
            && let Some(request) = detector.take_model_check()
        {
            let entries = request.history_count;
            eprintln!("a model could be asked now, with the last {entries} entries of the history");
        }
    }
    Ok(Ending::Done)
}

/// What the user gets to see, what the model gets to read, and what there is for a log.
fn tell(action: &str, report: &LoopReport) {
    eprintln!("{action}: {}", report.message);
    eprintln!("  for the model: {}", report.feedback);
    eprintln!(
        "  rule {}, {} of {}, calls {} to {}: {}",
        report.rule,
        report.count,
        report.threshold,
        report.first_index,
        report.last_index,
        report.evidence,
    );
}
