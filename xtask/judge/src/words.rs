//! The words by which the detector understands tools, arguments, programs and results, and where they decide: a session
//! that has other verdicts without the word.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use rayon::prelude::*;
use turnkeeper_loop_detector::word_use::{Row, TABLES, leave_out, take_heard};

use crate::arguments::Arguments;
use crate::player::play;
use crate::sessions::Session;
use crate::table::place;

/// The words that a session's verdicts rest on.
#[derive(Default)]
struct Decided {
    heard: BTreeSet<Row>,
    /// Those without which, and without no other, the verdicts are others.
    alone: BTreeSet<Row>,
    /// Those that are needed beside them where no other word is heard.
    together: BTreeSet<Row>,
}

/// Prints each row of the table with the sets in which it decides.
pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let options = arguments.options("adaptive", &[]);
    let decided = sessions
        .par_iter()
        .map(|session| decided_in(session, &options));
    let decided: Vec<Decided> = decided.collect::<Result<_>>()?;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for line in TABLES.iter().flat_map(|table| table.lines().skip(1)) {
        let list = line.split('\t').next().unwrap_or_default();
        // The detector goes by the words of a name.
        if list == "tool name" {
            continue;
        }
        let place = places.entry(list).or_default();
        let at = *place;
        *place += 1;
        let is_row = |row: &&Row| row.0 == list && row.1 == at;
        let mut heard = 0;
        let mut sets: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (session, decided) in sessions.iter().zip(&decided) {
            heard += usize::from(decided.heard.iter().any(|row| is_row(&row)));
            let alone = decided.alone.iter().any(|row| is_row(&row));
            let together = decided.together.iter().any(|row| is_row(&row));
            if alone || together {
                let (alones, togethers) = sets.entry(&session.set).or_default();
                *alones += usize::from(alone);
                *togethers += usize::from(together && !alone);
            }
        }
        let sets = sets.iter().map(|(set, (alone, together))| match together {
            0 => format!("{set} {alone}"),
            _ => format!("{set} {alone}+{together}"),
        });
        let row: Vec<&str> = line.split('\t').take(4).collect();
        println!(
            "{}\t{heard}\t{}",
            row.join("\t"),
            sets.collect::<Vec<_>>().join(", ")
        );
    }
    Ok(())
}

fn decided_in(session: &Session, options: &str) -> Result<Decided> {
    let verdicts = |left_out: BTreeSet<Row>| -> Result<Vec<String>> {
        leave_out(left_out);
        let hits = play(session, options)?;
        Ok(hits.iter().map(place).collect())
    };
    take_heard();
    let whole = verdicts(BTreeSet::new())?;
    let heard = take_heard();
    let mut alone = BTreeSet::new();
    for row in &heard {
        if verdicts(BTreeSet::from([*row]))? != whole {
            alone.insert(*row);
        }
    }
    // Of the others as many are left out as can be.
    let mut left_out: BTreeSet<Row> = heard.difference(&alone).copied().collect();
    let mut together = BTreeSet::new();
    if verdicts(left_out.clone())? != whole {
        let others = std::mem::take(&mut left_out);
        for row in others {
            left_out.insert(row);
            if verdicts(left_out.clone())? != whole {
                left_out.remove(&row);
                together.insert(row);
            }
        }
    }
    leave_out(BTreeSet::new());
    Ok(Decided {
        heard,
        alone,
        together,
    })
}
