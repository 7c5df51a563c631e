//! The findings of an audit: the headline, the figures, on what money went, the groups, and the sessions that wasted most.

use maud::{Markup, html};
use serde::Serialize;
use turnkeeper_base::names;

use super::View;
use super::session::Sums;
use super::words::{Column, Words};
use crate::agents::agent_title;
use crate::audit_words::{Today, mark, project_name, session_title};
use crate::findings::findings_of;
use crate::plain_text::one_line;
use crate::report::{By, Group, Grouped, SessionReport, Total};
use crate::wording::name_of;

/// The rows that are shown at most; who has more asks for a time or an agent.
const MOST_ROWS: usize = 500;
/// UTF-16 units of a title.
const TITLE: usize = 120;

/// The answer first: all that was spent and could have been saved, and the sums that it is made of.
pub(super) fn summary(total: &Total, period: &str, view: View) -> Markup {
    let words = view.words;
    html! {
        p.headline role="status" { ((words.headline)(total, period)) }
        (Sums::from(total).shown(words))
        @for note in (words.notes)(total) { p.quiet { (one_line(&note, 2_000)) } }
    }
}

/// On what money went that could have been saved, and what to do.
pub(super) fn findings(sessions: &[&SessionReport], view: View) -> Markup {
    let words = view.words;
    let found = findings_of(sessions);
    html! {
        @if !found.is_empty() {
            section {
                h2 { (words.findings) }
                ol.findings {
                    @for finding in &found {
                        @let advice = (words.finding_advice)(finding, view.shell);
                        li {
                            @if let Some(dollars) = finding.dollars { b { ((words.dollars)(dollars, false)) } " " }
                            ((words.finding_title)(finding)) "; " ((words.finding_place)(finding))
                            br;
                            (advice.does)
                            @if let Some(command) = advice.command { ": " code { (command) } }
                        }
                    }
                }
            }
        }
    }
}

/// The sums of groups.
pub(super) fn groups(grouped: &Grouped, view: View) -> Markup {
    let heads = GroupColumn::ALL;
    html! {
        section {
            h2 { "By " (name_of(grouped.by)) }
            table {
                thead {
                    tr {
                        th scope="col" { (name_of(grouped.by)) }
                        @for column in heads {
                            th.number.{ "column-" (name_of(column)) } scope="col" { (column.title()) }
                        }
                    }
                }
                tbody {
                    @for group in &grouped.rows {
                        tr {
                            th scope="row" { bdi { (group_name(grouped.by, group)) } }
                            @for column in heads {
                                td.number.{ "column-" (name_of(column)) } { (column.cell(group, view.words)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

names! {
    /// A column of the table of groups, but for the first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "their headings say what they are")]
    GroupColumn {
        Cost,
        ToSave,
        Tokens,
        Requests,
        Sessions,
    }
}

impl GroupColumn {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::ToSave => "to save",
            Self::Tokens => "tokens",
            Self::Requests => "requests",
            Self::Sessions => "sessions",
        }
    }

    /// Its cell in a group's row; empty where there is nothing to say.
    pub fn cell(self, group: &Group, words: &Words) -> String {
        match self {
            Self::Cost => group_cost(group, words),
            Self::ToSave => {
                let dollars = group.saveable.filter(|&it| it > 0.0);
                dollars.map_or_else(String::new, |it| (words.dollars)(it, false))
            }
            Self::Tokens => {
                let mark = mark(group.is_estimated);
                format!("{mark}{}", crate::audit_words::in_thousands(group.tokens))
            }
            Self::Requests => (words.count)(group.requests),
            Self::Sessions => (words.count)(group.sessions),
        }
    }
}

/// The cost of a group; the tokens that have no price stand beside it.
fn group_cost(group: &Group, words: &Words) -> String {
    let dollars = group
        .dollars
        .map(|it| (words.dollars)(it, group.is_estimated));
    let unpriced = group.unpriced.as_ref().filter(|it| it.tokens > 0);
    let unpriced =
        unpriced.map(|it| format!("{} tokens", crate::audit_words::in_thousands(it.tokens)));
    match (dollars, unpriced) {
        (Some(dollars), Some(unpriced)) => format!("{dollars} + {unpriced}"),
        (Some(dollars), None) => dollars,
        (None, _) => String::new(),
    }
}

/// The name of a group in one harmless line.
pub fn group_name(by: By, group: &Group) -> String {
    match (&group.key, by) {
        (None, _) => "not known".to_owned(),
        (Some(key), By::Agent) => agent_title(key).to_owned(),
        (Some(key), _) => one_line(key, TITLE),
    }
}

/// The columns of the report's table: the money first, for a small screen keeps what comes first.
const IN_REPORT: [Column; 9] = [
    Column::Session,
    Column::Cost,
    Column::ToSave,
    Column::Loops,
    Column::Outdated,
    Column::Calls,
    Column::When,
    Column::Agent,
    Column::Project,
];

/// The sessions with links to what follows of each, the first of which is named `s0`.
pub(super) fn sessions(sessions: &[&SessionReport], view: View) -> Markup {
    let words = view.words;
    let shown = &sessions[..sessions.len().min(MOST_ROWS)];
    let says = |column: &Column| {
        let mut cells = shown
            .iter()
            .map(|session| column.cell(session, words, view.today));
        *column == Column::Session || cells.any(|cell| !cell.is_empty())
    };
    let columns: Vec<Column> = IN_REPORT.into_iter().filter(says).collect();
    html! {
        section {
            h2 { (words.sessions) }
            table.sessions {
                thead {
                    tr {
                        @for column in &columns {
                            th.{ "column-" (name_of(column)) }.number[column.is_number()] scope="col" { ((words.column)(*column)) }
                        }
                    }
                }
                tbody {
                    @for (at, session) in shown.iter().enumerate() {
                        tr {
                            @for column in &columns {
                                @let cell = column.cell(session, words, view.today);
                                @if *column == Column::Session {
                                    th scope="row" { a href={ "#s" (at) } { bdi { (cell) } } }
                                } @else {
                                    td.{ "column-" (name_of(column)) }.number[column.is_number()] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Column {
    /// Its cell in a session's row; empty where there is nothing to say.
    pub fn cell(self, session: &SessionReport, words: &Words, today: &Today) -> String {
        let count = |count: u64| match count {
            0 => String::new(),
            count => (words.count)(count),
        };
        match self {
            Self::Session => one_line(session_title(session), TITLE),
            Self::Agent => {
                let agent = session.session.agent_or_format();
                agent_title(agent).to_owned()
            }
            Self::Project => {
                let project = session.session.project.as_deref().map(project_name);
                project.map_or_else(String::new, |it| one_line(it, 60))
            }
            Self::When => {
                let ended = session.session.ended.as_deref();
                ended.map_or_else(String::new, |it| (words.day)(it, today))
            }
            Self::Calls => (words.count)(session.counts.calls),
            Self::Cost => (words.cost)(&session.usage),
            Self::ToSave => {
                let dollars = session.saveable.dollars.filter(|&it| it > 0.0);
                dollars.map_or_else(String::new, |it| (words.dollars)(it, false))
            }
            Self::Outdated => count(session.saveable.tokens),
            Self::Loops => count(session.loops.len() as u64),
        }
    }

    /// Whether it stands at the right.
    pub fn is_number(self) -> bool {
        !matches!(
            self,
            Self::Session | Self::Agent | Self::Project | Self::When
        )
    }
}
