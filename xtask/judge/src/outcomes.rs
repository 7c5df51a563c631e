//! The effect of a detector on runs whose outcome is known: good ones that it stops or nudges, failed ones
//! that it stops or nudges, and the tokens that come after its stops.

use std::collections::BTreeMap;

use anyhow::Result;
use turnkeeper_core::AgentEvent;

use crate::arguments::Arguments;
use crate::player::Hit;
use crate::sessions::{Outcome, Session};
use crate::table::play_all;

/// The share of UTF-16 code units that is one token, about, in English and in code.
const UNITS_IN_A_TOKEN: u64 = 4;

/// Runs with one outcome.
#[derive(Debug, Default, Clone, Copy)]
struct Runs {
    all: u64,
    stopped: u64,
    /// Without those that were stopped later.
    nudged: u64,
    /// Those that were stopped or nudged although nobody sees a loop in them.
    without_a_loop: u64,
}

/// Tokens of runs, and how many of them come after a stop.
#[derive(Debug, Default, Clone, Copy)]
struct Tokens {
    /// Of all runs.
    all: u64,
    /// After the stop of a run.
    saved: u64,
}

/// The score of a profile on the runs of one source.
#[derive(Debug, Default, Clone, Copy)]
struct Judged {
    good: Runs,
    failed: Runs,
    /// Each text once.
    plain: Tokens,
    /// Each request pays for all that came before it.
    with_context: Tokens,
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    for profile in &arguments.profiles {
        let all_hits = play_all(sessions, &arguments.options(profile, &[]))?;
        let mut all = Judged::default();
        let mut by_source: BTreeMap<&str, Judged> = BTreeMap::new();
        for (session, hits) in sessions.iter().zip(&all_hits) {
            all.add(session, hits);
            by_source
                .entry(&session.agent)
                .or_default()
                .add(session, hits);
        }
        println!("{profile}\n{}\n{}", heading(), row("all", &all));
        for (source, judged) in &by_source {
            if !arguments.totals_only && judged.good.all + judged.failed.all > 0 {
                println!("{}", row(source, judged));
            }
        }
        println!();
    }
    Ok(())
}

impl Judged {
    fn add(&mut self, session: &Session, hits: &[Hit]) {
        let runs = match session.outcome {
            Outcome::Success => &mut self.good,
            Outcome::Failure => &mut self.failed,
            Outcome::Unknown => return,
        };
        let stop = hits.iter().find(|hit| hit.is_stop);
        runs.all += 1;
        runs.stopped += u64::from(stop.is_some());
        runs.nudged += u64::from(stop.is_none() && !hits.is_empty());
        runs.without_a_loop += u64::from(session.loop_start.is_none() && !hits.is_empty());

        let stopped_at = stop.map_or(usize::MAX, |hit| hit.event);
        // The text so far, which was sent with each request.
        let mut context = 0;
        for (at, event) in session.events.iter().enumerate() {
            let units = units_of(event);
            let is_request = matches!(event, AgentEvent::TurnStarted);
            context += units;
            let with_context = units + if is_request { context } else { 0 };
            let is_saved = at > stopped_at;
            self.plain.add(units, is_saved);
            self.with_context.add(with_context, is_saved);
        }
    }
}

impl Tokens {
    fn add(&mut self, units: u64, is_saved: bool) {
        self.all += units;
        self.saved += if is_saved { units } else { 0 };
    }

    fn share(&self) -> String {
        let millions = self.all as f64 / UNITS_IN_A_TOKEN as f64 / 1e6;
        format!("{} of {millions:.1} M", percent(self.saved, self.all))
    }
}

fn units_of(event: &AgentEvent) -> u64 {
    let units = |text: &str| text.encode_utf16().count();
    let all = match event {
        AgentEvent::Text { text } | AgentEvent::Reasoning { text } => units(text),
        AgentEvent::ToolCall { name, args, .. } => {
            let args = args.as_ref().map(ToString::to_string);
            units(name) + units(&args.unwrap_or_default())
        }
        AgentEvent::ToolResult { output, .. } => units(output),
        _ => 0,
    };
    all as u64
}

fn heading() -> String {
    format!(
        "{:<16} {:>6} {:>8} {:>7} {:>9} {:>7} {:>13} {:>13} {:>18} {:>18}",
        "",
        "good",
        "stopped",
        "nudged",
        "no loop",
        "failed",
        "stopped",
        "nudged",
        "tokens",
        "with context"
    )
}

fn row(name: &str, judged: &Judged) -> String {
    let Judged { good, failed, .. } = judged;
    let share = |count| format!("{count} ({})", percent(count, failed.all));
    format!(
        "{name:<16} {:>6} {:>8} {:>7} {:>9} {:>7} {:>13} {:>13} {:>18} {:>18}",
        good.all,
        good.stopped,
        good.nudged,
        good.without_a_loop,
        failed.all,
        share(failed.stopped),
        share(failed.nudged),
        judged.plain.share(),
        judged.with_context.share()
    )
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}
