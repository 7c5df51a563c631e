//! A replay as a table: a row for each call, result and stretch of text, and a block for each loop.

use std::path::Path;

use turnkeeper_analysis::plain_text::{USUAL_LINE, escape_controls, one_line};
use turnkeeper_analysis::player::{Step, Tally};
use turnkeeper_analysis::verdict::{Report, Verdict};
use turnkeeper_analysis::wording::{
    after_stop, describe, grouped, has_row, label_of, name_of, plural, summary, whereabouts,
};
use turnkeeper_messages::Event;

use super::play::{View, is_prose};
use super::sessions::Read;
use crate::terminal::columns::{Side, clip, pad_end, text_width, wrap};
use crate::terminal::output::{Output, Shown, Style};

/// Pieces of one channel, shown in one row.
struct Passage {
    label: &'static str,
    line: u32,
    pieces: u64,
    characters: u64,
    beginning: String,
}

/// Enough of a text for any row, in UTF-16 units.
const EXCERPT: usize = 200;
/// The columns before the text of a block.
const INDENT: usize = 14;
/// The columns of a verdict, with the gap before it.
const VERDICT: usize = "  verdict".len();

#[derive(Default)]
pub(super) struct TableView {
    passage: Option<Passage>,
    /// Events and calls after a stop.
    saved: Option<(u64, u64)>,
    files: usize,
}

/// A row. The text takes the room that the rest leaves; the size is never cut.
#[derive(Default)]
struct Row<'a> {
    line: String,
    call: String,
    event: &'a str,
    text: String,
    size: String,
    verdict: Shown,
}

impl View for TableView {
    fn begin(&mut self, file: &Path, output: &mut Output) {
        if self.files > 0 {
            output.line("");
        }
        let name = one_line(&file.to_string_lossy(), USUAL_LINE);
        output.title(&clip(&name, output.columns, Side::End));
        let heads = Row {
            line: "line".to_owned(),
            call: "call".to_owned(),
            event: "event",
            verdict: output.styled(Style::Dim, "verdict"),
            ..Row::default()
        };
        heads.show(Style::Dim, output);
    }

    fn step(&mut self, _file: &Path, read: &Read, step: &Step, output: &mut Output) {
        match step {
            Step::Prompt { prompt_id, model } => {
                self.flush(output);
                let what = match model {
                    Some(model) => format!("{prompt_id}, model {model}"),
                    None => prompt_id.clone(),
                };
                let row = Row {
                    line: read.line.to_string(),
                    event: "prompt",
                    text: one_line(&what, USUAL_LINE),
                    ..Row::default()
                };
                row.show(Style::Dim, output);
            }
            Step::Event { is_saved: true, .. } => {
                self.flush_prose(output);
                let (events, calls) = self.saved.get_or_insert_default();
                *events += 1;
                *calls += u64::from(matches!(read.event, Event::ToolCall { .. }));
            }
            Step::Event { call, verdict, .. } => self.event(read, *call, verdict, output),
        }
    }

    fn end(
        &mut self,
        file: &Path,
        tally: Tally,
        left_out: u64,
        _problem: Option<String>,
        output: &mut Output,
    ) {
        self.flush(output);
        self.files += 1;
        if tally.events == 0 {
            return;
        }
        let name = escape_controls(&file.to_string_lossy());
        for line in wrap(
            &format!("{name}: {}", summary(&tally, left_out)),
            output.columns,
        ) {
            output.title(&line);
        }
    }

    fn close(&mut self, _output: &mut Output) {}
}

impl TableView {
    fn event(&mut self, read: &Read, call: Option<u64>, verdict: &Verdict, output: &mut Output) {
        let event = read.event;
        let report = verdict.report();
        if is_prose(event) && report.is_none() {
            return self.join(event, read.line, output);
        }
        self.flush(output);
        if !has_row(event) && report.is_none() {
            return;
        }
        let (action, style) = match verdict {
            Verdict::Ok => ("ok", Style::Dim),
            Verdict::Nudge { .. } => ("nudge", Style::Yellow),
            Verdict::Stop { .. } => ("stop", Style::BoldRed),
        };
        let row = Row {
            line: read.line.to_string(),
            call: call.map(|call| call.to_string()).unwrap_or_default(),
            event: label_of(event),
            text: describe(event),
            verdict: output.styled(style, action),
            ..Row::default()
        };
        row.show(Style::Plain, output);
        if let Some(report) = report {
            explain(action, report, output);
        }
    }

    fn join(&mut self, event: &Event, line: u32, output: &mut Output) {
        let (Event::Text { text } | Event::Reasoning { text }) = event else {
            return;
        };
        let label = label_of(event);
        if self.passage.as_ref().is_some_and(|it| it.label != label) || self.saved.is_some() {
            self.flush(output);
        }
        let passage = self.passage.get_or_insert_with(|| Passage {
            label,
            line,
            pieces: 0,
            characters: 0,
            beginning: String::new(),
        });
        passage.pieces += 1;
        passage.characters += text.encode_utf16().count() as u64;
        let room = EXCERPT.saturating_sub(passage.beginning.chars().count());
        passage.beginning.extend(text.chars().take(room));
    }

    /// Shows what was waiting for its end to be known.
    fn flush(&mut self, output: &mut Output) {
        self.flush_prose(output);
        if let Some((events, calls)) = self.saved.take() {
            field("saved", &after_stop(events, calls), output);
        }
    }

    fn flush_prose(&mut self, output: &mut Output) {
        let Some(passage) = self.passage.take() else {
            return;
        };
        let pieces = match passage.pieces {
            1 => String::new(),
            pieces => format!(", {}", plural(pieces, "part")),
        };
        let row = Row {
            line: passage.line.to_string(),
            event: passage.label,
            text: one_line(&passage.beginning, USUAL_LINE),
            size: format!(" ({}{pieces})", plural(passage.characters, "char")),
            verdict: output.styled(Style::Dim, "ok"),
            ..Row::default()
        };
        row.show(Style::Plain, output);
    }
}

impl Row<'_> {
    fn show(&self, style: Style, output: &mut Output) {
        let left = format!("{:>6} {:>5}  {:<9} ", self.line, self.call, self.event);
        let room = output.columns.saturating_sub(text_width(&left) + VERDICT);
        let excerpt = clip(
            &self.text,
            room.saturating_sub(text_width(&self.size)),
            Side::End,
        );
        let middle = excerpt + &self.size;
        if self.verdict.is_empty() {
            return output.line(output.styled(style, (left + &middle).trim_end()));
        }
        let shown = output.styled(style, &(left + &pad_end(&middle, room)));
        output.line(shown.then("  ").then(self.verdict.clone()));
    }
}

fn explain(action: &str, report: &Report, output: &mut Output) {
    let style = if action == "stop" {
        Style::Red
    } else {
        Style::Yellow
    };
    let strike = match report.strike {
        0 | 1 => String::new(),
        strike => format!(", strike {strike}"),
    };
    let title = output.styled(style, &action.to_uppercase());
    let what = format!("  {}{strike}", name_of(report.loop_type));
    output.line(Shown::from("  ").then(title).then(what));
    let (count, threshold) = (grouped(report.count), grouped(report.threshold));
    field(
        "rule",
        &format!("{} of the profile {}", report.rule, report.profile),
        output,
    );
    field(
        "count",
        &format!("{count}, the threshold is {threshold}"),
        output,
    );
    field("where", &whereabouts(report), output);
    field("message", &report.message, output);
    field("evidence", &report.evidence, output);
    field("feedback", &report.feedback, output);
}

fn field(name: &str, value: &str, output: &mut Output) {
    let text = one_line(value, 4_000);
    for (at, line) in wrap(&text, output.columns.saturating_sub(INDENT))
        .iter()
        .enumerate()
    {
        let name = if at == 0 { name } else { "" };
        output.line(format!("    {name:<10}{line}"));
    }
}
