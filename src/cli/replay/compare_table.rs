//! Profiles side by side.

use turnkeeper_analysis::comparison::{ProfileFindings, SessionFindings, Verdicts};
use turnkeeper_analysis::plain_text::{USUAL_LINE, one_line};
use turnkeeper_analysis::profile::Profile;
use turnkeeper_analysis::report::Action;
use turnkeeper_analysis::wording::{call_number, grouped};

use crate::terminal::columns::{Side, clip, widest_of, wrap_list};
use crate::terminal::output::{Output, Style};
use crate::terminal::table::{Align, Column, fits, table_lines};

/// The columns that a session's name has at most, and keeps at least.
const WIDEST_NAME: usize = 24;
const NARROWEST_NAME: usize = 7;

const LEGEND: &str = "~12: a nudge at call 12; 15: a stop at call 15; -: neither.";

/// Everything that is shown of a session: its name, its calls, and a cell for each profile.
pub(super) struct Row(Vec<String>);

impl Row {
    pub(super) fn new(name: &str, found: &SessionFindings) -> Self {
        let name = clip(&one_line(name, USUAL_LINE), WIDEST_NAME, Side::End);
        let cells = found.profiles.iter().map(cell);
        Row([name, grouped(found.calls)]
            .into_iter()
            .chain(cells)
            .collect())
    }
}

/// `~` comes before a nudge; the number alone is a stop.
fn cell(of: &ProfileFindings) -> String {
    let (nudge, stop) = (of.first(Action::Nudge), of.first(Action::Stop));
    let nudge = nudge.filter(|nudge| stop.is_none_or(|stop| nudge.line < stop.line));
    let nudge = nudge.map(|nudge| format!("~{}", place(nudge)));
    let parts: Vec<String> = nudge.into_iter().chain(stop.map(place)).collect();
    match parts.is_empty() {
        true => "-".to_owned(),
        false => parts.join(" "),
    }
}

fn place(found: &Verdicts) -> String {
    found.call.map_or_else(|| "start".to_owned(), call_number)
}

/// As many profiles as there is room for, then the others below; a row for each session.
pub(super) fn show_rows(profiles: &[Profile], rows: &[Row], output: &mut Output) {
    let titles = ["session", "calls"]
        .into_iter()
        .chain(profiles.iter().map(|it| it.name()));
    let all = titles.enumerate().map(|(at, title)| Column {
        title: title.into(),
        align: if at == 0 { Align::Left } else { Align::Right },
        cells: rows.iter().map(|row| row.0[at].clone().into()).collect(),
    });
    let all: Vec<Column> = all.collect();
    let (left, others) = all.split_at(2);
    let room = output.columns;
    let has_room = |shown: &[Column], narrowest| fits(left.iter().chain(shown), narrowest, room);
    // A table for some profiles and lists for the others would be hard to read.
    if others
        .iter()
        .all(|column| has_room(std::slice::from_ref(column), NARROWEST_NAME))
    {
        let names = left[0].cells.iter().map(|cell| cell.text.as_str());
        let widest = widest_of(names).max(NARROWEST_NAME);
        let mut rest = others;
        while !rest.is_empty() {
            if rest.len() < others.len() {
                output.line("");
            }
            let more = (2..=rest.len()).take_while(|&count| has_room(&rest[..count], widest));
            let (shown, after) = rest.split_at(more.last().unwrap_or(1));
            rest = after;
            let columns: Vec<&Column> = left.iter().chain(shown).collect();
            let lines = table_lines(&columns, NARROWEST_NAME, room).unwrap_or_default();
            for (at, line) in lines.iter().enumerate() {
                let style = if at == 0 { Style::Dim } else { Style::Plain };
                output.line(output.styled(style, line));
            }
        }
    } else {
        for row in 0..rows.len() {
            list(&all, row, output);
        }
    }
    output.paragraph(LEGEND, "", Style::Plain);
    output.line("");
}

/// A row where the terminal is too narrow for a table: its name, and below it what it says.
fn list(columns: &[Column], row: usize, output: &mut Output) {
    let (names, others) = columns.split_at(1);
    output.title(&names[0].cells[row].text);
    let facts = others
        .iter()
        .map(|column| format!("{} {}", column.title.long, column.cells[row].text));
    let facts: Vec<String> = facts.collect();
    for line in wrap_list(&facts, output.columns.saturating_sub(2)) {
        output.line(format!("  {line}"));
    }
}
