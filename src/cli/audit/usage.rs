//! The usage of sessions, a row each as soon as it is read.

use std::cell::Cell;

use turnkeeper_analysis::audit_words::{Today, in_thousands, mark};
use turnkeeper_analysis::report::SessionReport;
use turnkeeper_analysis::view::{Column, ENGLISH};

use crate::terminal::columns::{Side, clip, pad_end, pad_start};
use crate::terminal::output::{Output, Style};

/// The columns that rows have, whatever comes later, and how wide they are: the dearest year fits.
const COST: usize = 12;
const TOKENS: usize = 8;
const WHEN: usize = 12;
/// The columns that a title has at least.
const NARROWEST_TITLE: usize = 20;

/// The rows of sessions that are being read.
pub(super) struct UsageRows<'a> {
    pub(super) today: &'a Today,
    /// Whether the headings are there.
    pub(super) has_head: Cell<bool>,
}

impl UsageRows<'_> {
    /// Shows what a session used by itself; of those that were resumed, the sum counts each answer once.
    pub(super) fn show(&self, session: &SessionReport, output: &mut Output) {
        if !self.has_head.replace(true) {
            let head = row(
                "cost",
                "tokens",
                "when",
                "session",
                output.columns,
                Side::End,
            );
            output.line(output.styled(Style::Dim, &head));
        }
        let usage = &session.usage;
        let tokens = format!("{}{}", mark(usage.is_estimated), in_thousands(usage.tokens));
        let cost = match Column::Cost.cell(session, &ENGLISH, self.today) {
            _ if usage.dollars.is_none() => "-".to_owned(),
            cost => cost,
        };
        let [when, title] =
            [Column::When, Column::Session].map(|it| it.cell(session, &ENGLISH, self.today));
        let side = match session.session.title {
            Some(_) => Side::End,
            None => Side::Start,
        };
        output.line(row(&cost, &tokens, &when, &title, output.columns, side));
        output.flush();
    }
}

fn row(cost: &str, tokens: &str, when: &str, title: &str, columns: usize, side: Side) -> String {
    let figures = format!(
        "{}  {}  {}",
        pad_start(cost, COST),
        pad_start(tokens, TOKENS),
        pad_end(when, WHEN),
    );
    let taken = COST + TOKENS + WHEN + 6;
    let room = columns.saturating_sub(taken).max(NARROWEST_TITLE);
    format!("{figures}  {}", clip(title, room, side))
}
