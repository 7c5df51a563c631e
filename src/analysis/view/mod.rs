//! The report of an audit as HTML without a script.

mod chinese;
mod overview;
mod pictures;
mod session;
mod style;
#[cfg(test)]
mod tests;
mod words;

use std::ptr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, PreEscaped, html};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

pub use self::chinese::CHINESE;
pub use self::overview::{GroupColumn, group_name};
pub use self::words::{Column, ENGLISH, Figure, Words};
use crate::audit_words::Today;
use crate::findings::worst_first;
use crate::plain_text::escape_controls;
use crate::quoting::Shell;
use crate::report::{AuditReport, Problem, SessionReport, Skipped};
use crate::timeline::Stretch;

/// The language, the clock and the shell of whoever reads.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The words.
    pub words: &'a Words,
    /// The user's clock.
    pub today: &'a Today,
    /// The shell that commands are pasted into.
    pub shell: Shell,
}

/// The report as one page, in parts that are the page together. It loads nothing and may load nothing. What comes of
/// sessions is text in it, with nothing that a reader would be misled by.
///
/// `timelines` are those of `report.sessions`, in the same order; `period` is the report's time in words.
pub fn report_html<'a>(
    report: &'a AuditReport,
    timelines: &'a [Vec<Stretch>],
    period: &'a str,
    view: View<'a>,
) -> impl Iterator<Item = String> + 'a {
    let sessions = worst_first(&report.sessions.iter().collect::<Vec<_>>());
    let head = [
        "<!doctype html>\n".to_owned(),
        format!("<html lang=\"{}\">\n", view.words.language),
        part(head(report, view)),
        "<body>\n<main>\n".to_owned(),
        part(overview(report, &sessions, timelines, period, view)),
    ];
    let pairs = report.sessions.iter().zip(timelines);
    let timelines: FxHashMap<_, _> = pairs
        .map(|(session, it)| (ptr::from_ref(session), it))
        .collect();
    let articles = sessions.into_iter().enumerate().map(move |(at, session)| {
        let stretches = timelines.get(&ptr::from_ref(session));
        let stretches = stretches.map_or(&[][..], |it| it.as_slice());
        part(session::session(session, stretches, at, view))
    });
    let files = [
        part(files(
            view.words.unread,
            report.problems.iter().map(|it| unread(it, view.words)),
        )),
        part(files(
            view.words.skipped,
            report.skipped.iter().map(skipped),
        )),
        "</main>\n</body>\n</html>\n".to_owned(),
    ];
    head.into_iter().chain(articles).chain(files)
}

/// Markup with no character that controls a terminal or the direction of writing.
fn part(markup: Markup) -> String {
    // In text and in quotes a `>` is as harmless as any letter, and read more easily without its escape.
    let markup = escape_controls(&markup.into_string()).replace("&gt;", ">");
    if markup.is_empty() {
        markup
    } else {
        markup + "\n"
    }
}

fn head(report: &AuditReport, view: View) -> Markup {
    let style = style::style();
    let hash = BASE64.encode(Sha256::digest(style.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    );
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { "Turnkeeper: " ((view.words.title)(report.total.sessions)) }
            // The style is ours, and its hash is of the text as it is.
            style { (PreEscaped(style)) }
        }
    }
}

fn overview(
    report: &AuditReport,
    sessions: &[&SessionReport],
    timelines: &[Vec<Stretch>],
    period: &str,
    view: View,
) -> Markup {
    let words = view.words;
    html! {
        h1 { ((words.title)(report.total.sessions)) }
        (overview::summary(&report.total, period, view))
        (overview::findings(sessions, view))
        @if let Some(grouped) = &report.groups { (overview::groups(grouped, view)) }
        @if !sessions.is_empty() { (overview::sessions(sessions, view)) }
        section {
            h2 { (words.tokens_by_kind) }
            (pictures::token_kinds(&report.total.tokens, view))
            p.quiet { "~: " (words.estimated) ". " ((words.prices)(&report.prices)) ". " (words.profile) " " code { (report.profile) } "." }
            @if !sessions.is_empty() { (pictures::legend(sessions, timelines.iter().flatten(), view)) }
        }
    }
}

fn unread(problem: &Problem, words: &Words) -> (String, String) {
    let reason = match problem.line {
        Some(line) => format!("{} {line}: {}", words.line, problem.reason),
        None => problem.reason.clone(),
    };
    (problem.file.clone(), reason)
}

fn skipped(file: &Skipped) -> (String, String) {
    (file.file.clone(), file.reason.clone())
}

fn files(title: &str, files: impl Iterator<Item = (String, String)>) -> Markup {
    let files: Vec<_> = files.collect();
    html! {
        @if !files.is_empty() {
            section {
                h2 { (title) }
                ul {
                    @for (file, reason) in &files { li { code { (file) } " " (reason) } }
                }
            }
        }
    }
}
