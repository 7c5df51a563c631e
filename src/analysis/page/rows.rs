//! The list of a session's events: a few numbers for each row, whose text is put together when somebody looks at it.

use serde::Serialize;
use turnkeeper_agents::sessions::{Item, Record};
use turnkeeper_messages::Event;

use super::cut::{Beginning, escaped_lines};
use super::events::{excerpt_of, label_in_list, said_with, whole_text};
use crate::comparison::found;
use crate::player::Step;
use crate::report::Action;
use crate::verdict::Verdict;
use crate::wording::{has_row, label_of};

/// Nobody reads more, and laying it out would take long.
const LONGEST_TEXT: usize = 50_000;

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    /// The line or element of the file.
    place: u32,
    /// The event in a word.
    label: &'static str,
    /// Its call, from 0 over the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u32>,
    /// The beginning of its text, on one line.
    excerpt: String,
    /// The number of events that it joins: the pieces of one text.
    pieces: usize,
    action: &'static str,
    /// Whether it came after a stop.
    saved: bool,
    /// Of a call: the longest run under way when its result was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
}

/// The calls of a run, and the number that the rules let it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Run {
    pub(super) count: u64,
    pub(super) threshold: u64,
}

/// A row, and all of its text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WholeRow {
    #[serde(flatten)]
    row: Row,
    text: String,
    /// When it was, in milliseconds since 1970, where the file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// The units of the text that are left out.
    more: usize,
    /// Its call, or the last before it; -1 before the first.
    last_call: i64,
    /// The run of that call.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<Run>,
    /// The outcome.
    last_action: &'static str,
}

/// An event's place: its record, and its item there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub(super) record: u32,
    pub(super) item: u32,
}

/// The part of a row that is kept.
#[derive(Debug, Clone, Copy)]
struct Kept {
    first: At,
    call: Option<u32>,
    action: Option<Action>,
    is_saved: bool,
    run: Option<Run>,
    /// The verdict on the call or on its result.
    came: Option<Action>,
}

/// The rows of a session.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Kept>,
    calls: u32,
    /// The row of the last call.
    last_call: Option<usize>,
    /// The kind of text that the last row can take more of.
    joins: Option<&'static str>,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Takes the next event of the session, what the detector said to it, and the run that is under way.
    pub(super) fn take(&mut self, at: At, event: &Event, step: &Step, under_way: Run) {
        let (said, is_saved) = match step {
            Step::Prompt { .. } => (None, false),
            Step::Event {
                verdict, is_saved, ..
            } => (said(verdict), *is_saved),
        };
        // The verdict goes on after a stop, which nobody has to be told at each event.
        let action = said.filter(|_| !is_saved).map(|(action, _)| action);
        let is_call = matches!(event, Event::ToolCall { .. });
        let is_text = matches!(event, Event::Text { .. } | Event::Reasoning { .. });
        let call = is_call.then_some(self.calls);
        self.calls += u32::from(is_call);
        let joins = (is_text && action.is_none()).then(|| label_of(event));
        if joins.is_some() && joins == self.joins {
            return;
        }
        self.joins = joins;
        if action.is_none() && !has_row(event) {
            return;
        }
        self.rows.push(Kept {
            first: at,
            call,
            action,
            is_saved,
            run: None,
            came: None,
        });
        if is_call {
            self.last_call = Some(self.rows.len() - 1);
        }
        // Most rules count a call when its result is there, so its row has the count of then.
        if (is_call || matches!(event, Event::ToolResult { .. })) && !is_saved {
            self.count(said, under_way);
        }
    }

    /// Notes at the last call how far the longest run is. What is said to a call may end the run that it was said of,
    /// whose count is in the report.
    fn count(&mut self, said: Option<(Action, Run)>, under_way: Run) {
        let last = self.last_call.and_then(|at| self.rows.get_mut(at));
        let Some(row) = last.filter(|row| row.came.is_none()) else {
            return;
        };
        let run = said.map_or(under_way, |(_, run)| run);
        row.run = (run.count > 0 && run.threshold > 0).then_some(run);
        row.came = said.map(|(action, _)| action);
    }

    /// The rows from `from` up to `to`.
    pub(super) fn between(&self, records: &[Record<'static>], from: usize, to: usize) -> Vec<Row> {
        let to = to.min(self.rows.len());
        (from..to).filter_map(|at| self.row(records, at)).collect()
    }

    /// A row with all of its text.
    pub(super) fn whole(&self, records: &[Record<'static>], at: usize) -> Option<WholeRow> {
        let row = self.row(records, at)?;
        let mut beginning = Beginning::of(LONGEST_TEXT);
        for item in self.pieces(records, at) {
            beginning.push(&whole_text(&item.event));
        }
        if beginning.length == 0 {
            beginning.push(self.pieces(records, at).next().map_or("", said_with));
        }
        let record = records.get(self.rows[at].first.record as usize);
        let last = self.rows[..=at].iter().rev().find(|row| row.call.is_some());
        Some(WholeRow {
            row,
            text: escaped_lines(&beginning.text),
            time: record.and_then(|record| record.time),
            more: beginning.more(),
            last_call: last.and_then(|row| row.call).map_or(-1, i64::from),
            last_run: last.and_then(|row| row.run),
            last_action: last.and_then(|row| row.came).map_or("ok", Action::name),
        })
    }

    /// The row of a call; the first of a call that there is not.
    pub(super) fn of_call(&self, call: u32) -> usize {
        let found = self.rows.iter().position(|row| row.call == Some(call));
        found.unwrap_or(0)
    }

    /// The next row after a row that has these words, in whatever case; after the last comes the first.
    pub(super) fn find(
        &self,
        records: &[Record<'static>],
        words: &str,
        after: usize,
    ) -> Option<usize> {
        let words = words.to_lowercase();
        let has = |item: &Item| {
            label_in_list(&item.event) == words
                || whole_text(&item.event).to_lowercase().contains(&words)
                || said_with(item).to_lowercase().contains(&words)
        };
        let next = after.saturating_add(1).min(self.rows.len());
        let mut rows = (next..self.rows.len()).chain(0..next);
        rows.find(|&at| self.pieces(records, at).any(has))
    }

    fn row(&self, records: &[Record<'static>], at: usize) -> Option<Row> {
        let kept = self.rows.get(at)?;
        let record = records.get(kept.first.record as usize)?;
        let event = &record.items.get(kept.first.item as usize)?.event;
        Some(Row {
            place: record.place,
            label: label_in_list(event),
            call: kept.call,
            excerpt: excerpt_of(self.pieces(records, at)),
            pieces: self.pieces(records, at).count(),
            action: kept.action.map_or("ok", Action::name),
            saved: kept.is_saved,
            run: kept.run,
        })
    }

    /// The event of a row, and those of the same kind that follow it up to the next row: one text in pieces.
    fn pieces<'r>(
        &self,
        records: &'r [Record<'static>],
        at: usize,
    ) -> impl Iterator<Item = &'r Item<'static>> {
        let first = self.rows.get(at).map(|row| row.first);
        let next = self.rows.get(at + 1).map(|row| row.first);
        let (from, skipped) = first.map_or((records.len(), 0), |at| (at.record as usize, at.item));
        let later = records.get(from..).unwrap_or_default();
        let places = (from as u32..).zip(later).flat_map(|(number, record)| {
            let items = record.items.iter().zip(0..);
            items.map(move |(item, at)| {
                (
                    At {
                        record: number,
                        item: at,
                    },
                    item,
                )
            })
        });
        let mut kind = None;
        places
            .skip(skipped as usize)
            .take_while(move |(place, item)| {
                let label = label_of(&item.event);
                let is_text = matches!(item.event, Event::Text { .. } | Event::Reasoning { .. });
                match kind {
                    None => kind = Some(label),
                    Some(kind) => return is_text && kind == label && Some(*place) != next,
                }
                true
            })
            .map(|(_, item)| item)
    }
}

/// A verdict other than `ok`, and the run that it is of.
fn said(verdict: &Verdict) -> Option<(Action, Run)> {
    let (action, report) = found(verdict)?;
    let (count, threshold) = (report.count, report.threshold);
    Some((action, Run { count, threshold }))
}
