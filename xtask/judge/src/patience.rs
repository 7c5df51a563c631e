//! The agents after a nudge that nobody gave them: how often they repeated themselves further before they
//! turned to something else by themselves, and how many went on until the stop.

use anyhow::Result;
use serde_json::Value;

use crate::arguments::Arguments;
use crate::cores;
use crate::evidence::{rule_of, thresholds};
use crate::player::{After, after_nudge};
use crate::sessions::{Outcome, Session};

/// Sessions by how many more repeats they had: none, 1, 2, 3 to 5, more.
const COLUMNS: [(&str, u64); 5] = [("0", 0), ("1", 1), ("2", 2), ("3-5", 5), ("6-", u64::MAX)];

#[derive(Default)]
struct Counted {
    nudged: usize,
    stopped: usize,
    turned: [usize; COLUMNS.len()],
}

impl Counted {
    fn add(&mut self, after: After) {
        self.nudged += 1;
        match after {
            After::Stopped => self.stopped += 1,
            After::Turned { repeats } => {
                let column = COLUMNS.iter().position(|(_, most)| repeats <= *most);
                self.turned[column.unwrap_or_default()] += 1;
            }
            After::Over => {}
        }
    }

    fn row(&self, name: &str) {
        let turned: String = self.turned.map(|count| format!("{count:>6}")).concat();
        println!("{name:<32} {:>7} {:>8} {turned}", self.nudged, self.stopped);
    }
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let columns: String = COLUMNS.map(|(name, _)| format!("{name:>6}")).concat();
    println!(
        "{:<32} {:>7} {:>8} {columns} more, then something else",
        "", "nudged", "stopped"
    );
    let options = thresholds();
    let (mut sum, mut sum_of_good) = (Counted::default(), Counted::default());
    for option in &options {
        // That rule alone, so that its run is the one that is counted.
        let others: Vec<(&str, &Value)> = options
            .iter()
            .filter(|other| *other != option)
            .map(|other| (&**other, &Value::Bool(false)))
            .collect();
        let options = arguments.options("adaptive", &others);
        let all: Vec<Option<After>> =
            cores::map(sessions, |session| after_nudge(session, &options))
                .into_iter()
                .collect::<Result<_>>()?;
        let mut counted = Counted::default();
        for (session, after) in sessions.iter().zip(all) {
            let Some(after) = after else { continue };
            counted.add(after);
            sum.add(after);
            if session.outcome == Outcome::Success {
                sum_of_good.add(after);
            }
        }
        if counted.nudged > 0 {
            counted.row(&rule_of(option));
        }
    }
    sum.row("all");
    sum_of_good.row("runs that reached their aim");
    Ok(())
}
