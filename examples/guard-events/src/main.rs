//! Passes an agent's events on until the agent is stuck: `my-agent --events | guard-events [OPTIONS]`.
//!
//! An event a line, as JSON; the options of the loop detector as JSON, too, `{"profile":"roo"}` for
//! one. The event that the agent is stuck with is held back, so that whoever
//! reads the lines does not carry it out; the report follows on the standard error output. Ends with
//! 0 at the end of the events, with 3 if the agent is stuck, and with 2 if a line is no event.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use turnkeeper_core::{
    AgentEvent, LoopDetector, LoopDetectorOptions, LoopReport, LoopVerdict, Prompt,
};

/// What the events came to.
enum Ending {
    Done,
    Stuck(Box<LoopReport>),
}

fn main() -> ExitCode {
    match detector().and_then(|detector| guard(detector, io::stdin().lock(), io::stdout().lock())) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Stuck(report)) => {
            eprintln!("{}\n{}", report.message, report.feedback);
            ExitCode::from(3)
        }
        Err(error) => {
            eprintln!("guard-events: {error}");
            ExitCode::from(2)
        }
    }
}

type Fault = Box<dyn std::error::Error>;

/// With the options of the command line.
fn detector() -> Result<LoopDetector, Fault> {
    let options = env::args().nth(1).unwrap_or("{}".to_owned());
    let mut detector = LoopDetector::new(LoopDetectorOptions::from_json(&options)?)?;
    detector.start_prompt(Prompt::new("the events"));
    Ok(detector)
}

fn guard(
    mut detector: LoopDetector,
    events: impl BufRead,
    mut passed_on: impl Write,
) -> Result<Ending, Fault> {
    for line in events.lines() {
        let line = line?;
        let event: AgentEvent = serde_json::from_str(&line)?;
        match detector.observe(&event)? {
            LoopVerdict::Stop { report } => return Ok(Ending::Stuck(report.clone())),
            LoopVerdict::Nudge { report } => eprintln!("{}", report.message),
            LoopVerdict::Ok => {}
        }
        writeln!(passed_on, "{line}")?;
    }
    Ok(Ending::Done)
}
