//! One screen: what was spent and could have been saved, on what it went, and the sessions that wasted most.

use turnkeeper_analysis::audit_words::{
    Today, finding_advice, finding_place, finding_title, headline, in_dollars,
};
use turnkeeper_analysis::findings::{Finding, findings_of, worst_first};
use turnkeeper_analysis::plain_text::{USUAL_LINE, one_line};
use turnkeeper_analysis::quoting::Shell;
use turnkeeper_analysis::report::Grouped;
use turnkeeper_analysis::report::{Action, AuditReport, SessionReport, Skipped};
use turnkeeper_analysis::view::{Column as Fact, ENGLISH, GroupColumn, group_name};
use turnkeeper_analysis::wording::{name_of, plural};

use crate::program::called;
use crate::terminal::columns::{Side, widest_of};
use crate::terminal::output::{Output, Shown, Style};
use crate::terminal::table::{Align, Cell, Column, Title, fits, table_lines};

/// The columns that a session's title keeps.
const NARROWEST_TITLE: usize = 24;
/// The columns that the name of a group keeps, if it has as many.
const WIDEST_GROUP: usize = 24;
const LONGEST_PROJECT: usize = 24;
/// Those that say least, which go first where there is no room.
const DISPENSABLE: [Fact; 4] = [Fact::Project, Fact::Agent, Fact::When, Fact::ToSave];
const DISPENSABLE_OF_GROUPS: [GroupColumn; 3] = [
    GroupColumn::Sessions,
    GroupColumn::Requests,
    GroupColumn::Tokens,
];

/// Everything that the screen shows.
pub(crate) struct Screen<'a> {
    pub(crate) report: &'a AuditReport,
    /// The time that it is of, in words.
    pub(crate) period: &'a str,
    /// US dollars of the week before, if this is a week and something is known of that one.
    pub(crate) week_before: Option<f64>,
    /// The places that could not be looked at, in sentences.
    pub(crate) missing: &'a [String],
    pub(crate) today: &'a Today,
    /// The number of sessions that are listed.
    pub(crate) top: usize,
    /// Whether the usage alone is known, of which each session has shown its row.
    pub(crate) is_of_usage: bool,
    /// Whether there is the headline alone.
    pub(crate) is_quiet: bool,
    /// Whether the files that were skipped are named.
    pub(crate) is_verbose: bool,
}

impl Screen<'_> {
    pub(crate) fn show(&self, output: &mut Output) {
        let report = self.report;
        if report.total.sessions > 0 {
            if self.is_of_usage && !self.is_quiet {
                output.line("");
            }
            let head = headline(&report.total, self.period) + &self.trend();
            output.paragraph(&head, "", Style::Bold);
            if !self.is_quiet {
                self.details(output);
            }
        }
        for message in self.missing {
            output.paragraph(message, "", Style::Dim);
        }
        if !self.is_quiet {
            self.skipped(&report.skipped, output);
        }
    }

    fn details(&self, output: &mut Output) {
        let report = self.report;
        let sessions: Vec<&SessionReport> = report.sessions.iter().collect();
        for note in (ENGLISH.notes)(&report.total) {
            output.paragraph(&one_line(&note, 2_000), "", Style::Dim);
        }
        if !self.is_of_usage {
            for finding in findings_of(&sessions) {
                show_finding(output, &finding);
            }
        }
        if let Some(grouped) = &report.groups {
            show_groups(output, grouped, self.is_of_usage);
        }
        match self.is_of_usage {
            true => self.prices(output),
            false => self.sessions(&worst_first(&sessions), output),
        }
    }

    /// The difference to the week before.
    fn trend(&self) -> String {
        let before = self.week_before.filter(|&before| before >= 0.01);
        let Some((before, now)) = before.zip(self.report.total.usage.dollars) else {
            return String::new();
        };
        let share = (100.0 * (now - before) / before).round();
        match share {
            0.0 => " (as much as the week before)".to_owned(),
            share if share > 0.0 => format!(" ({share}% more than the week before)"),
            share => format!(" ({}% less than the week before)", -share),
        }
    }

    fn sessions(&self, worst: &[&SessionReport], output: &mut Output) {
        let shown = &worst[..worst.len().min(self.top)];
        if !shown.is_empty() {
            let columns = self.columns(shown, output.columns);
            let columns: Vec<&Column> = columns.iter().map(|(_, column)| column).collect();
            let styles = shown.iter().map(|session| {
                let is_stopped = session.loops.iter().any(|it| it.action == Action::Stop);
                if is_stopped { Style::Red } else { Style::Plain }
            });
            show_rows(output, &columns, NARROWEST_TITLE, styles);
        }
        let rest = worst.len() - shown.len();
        if shown.is_empty() {
            return;
        }
        let more = match rest {
            0 => String::new(),
            rest => format!("{} (--all), ", plural(rest as u64, "more session")),
        };
        output.line("");
        let all = format!(
            "{more}all of it with pictures: {} audit --html report.html",
            called()
        );
        output.paragraph(&all, "", Style::Dim);
        self.prices(output);
    }

    /// Says what the dollars were counted by.
    fn prices(&self, output: &mut Output) {
        let prices = (ENGLISH.prices)(&self.report.prices);
        if self.report.total.usage.dollars.is_some() {
            output.paragraph(&one_line(&prices, USUAL_LINE), "", Style::Dim);
        }
    }

    /// The columns that say something, as many as there is room for.
    fn columns(&self, shown: &[&SessionReport], room: usize) -> Vec<(Fact, Column)> {
        let mut columns: Vec<_> = Fact::ALL
            .iter()
            .map(|&fact| (fact, self.column(fact, shown)))
            .collect();
        columns.retain(|(fact, column)| {
            *fact == Fact::Session || column.cells.iter().any(|cell| cell.text != "-")
        });
        keep_room(&mut columns, &DISPENSABLE, NARROWEST_TITLE, room);
        columns
    }

    fn column(&self, fact: Fact, shown: &[&SessionReport]) -> Column {
        let long = (ENGLISH.column)(fact);
        let short = if fact == Fact::Outdated {
            "outdated"
        } else {
            long
        };
        let cells = shown.iter().map(|session| {
            let cell = fact.cell(session, &ENGLISH, self.today);
            let text = match fact {
                _ if cell.is_empty() => "-".to_owned(),
                Fact::Project => cell.chars().take(LONGEST_PROJECT).collect(),
                Fact::Cost => cell
                    .strip_suffix(" tokens")
                    .map_or(cell.clone(), |it| format!("{it} t")),
                _ => cell,
            };
            let is_path = fact == Fact::Session && session.session.title.is_none();
            Cell::new(&text, if is_path { Side::Start } else { Side::End })
        });
        Column {
            title: Title {
                long: long.to_owned(),
                short: short.to_owned(),
            },
            align: if fact.is_number() {
                Align::Right
            } else {
                Align::Left
            },
            cells: cells.collect(),
        }
    }

    fn skipped(&self, skipped: &[Skipped], output: &mut Output) {
        if skipped.is_empty() {
            return;
        }
        let how = if self.is_verbose {
            ""
        } else {
            " (--verbose names them)"
        };
        let files = plural(skipped.len() as u64, "file");
        output.line(output.styled(Style::Dim, &format!("{files} skipped: no sessions{how}")));
        for Skipped { file, reason } in skipped.iter().filter(|_| self.is_verbose) {
            let line = format!(
                "{} {}",
                one_line(file, USUAL_LINE),
                one_line(reason, USUAL_LINE)
            );
            output.paragraph(&line, "  ", Style::Dim);
        }
    }
}

fn show_finding(output: &mut Output, finding: &Finding) {
    let amount = finding
        .dollars
        .map(|dollars| in_dollars(dollars, false) + " ");
    let (title, place) = (finding_title(finding), finding_place(finding));
    output.line("");
    let what = format!("{}{title}; {place}", amount.unwrap_or_default());
    output.paragraph(&one_line(&what, 2_000), "", Style::Yellow);
    let advice = finding_advice(finding, Shell::HERE);
    // A command stays in one line, so that it can be copied, and is called as the user has called this one.
    let mut line = Shown::from(format!("  {}", advice.does));
    if let Some(command) = advice.command {
        let command = command.replacen("turnkeeper", called(), 1);
        line = line.then(": ").then(output.styled(Style::Bold, &command));
    }
    output.line(line);
}

fn show_groups(output: &mut Output, grouped: &Grouped, is_of_usage: bool) {
    let names = grouped.rows.iter();
    let names = names.map(|group| Cell::new(&group_name(grouped.by, group), Side::Start));
    let names: Vec<Cell> = names.collect();
    let narrowest = widest_of(names.iter().map(|name| name.text.as_str())).min(WIDEST_GROUP);
    let names = Column {
        title: name_of(grouped.by).as_str().into(),
        align: Align::Left,
        cells: names,
    };
    let facts = GroupColumn::ALL.iter();
    let facts = facts.filter(|fact| !(is_of_usage && **fact == GroupColumn::ToSave));
    let facts = facts.map(|&fact| {
        let cells = grouped
            .rows
            .iter()
            .map(|group| match fact.cell(group, &ENGLISH) {
                cell if cell.is_empty() => "-".to_owned().into(),
                cell => cell.replace(" tokens", " t").into(),
            });
        let column = Column {
            title: fact.title().into(),
            align: Align::Right,
            cells: cells.collect(),
        };
        (Some(fact), column)
    });
    let mut columns: Vec<_> = [(None, names)].into_iter().chain(facts).collect();
    let dispensable = DISPENSABLE_OF_GROUPS.map(Some);
    keep_room(&mut columns, &dispensable, narrowest, output.columns);
    let columns: Vec<&Column> = columns.iter().map(|(_, column)| column).collect();
    let styles = grouped.rows.iter().map(|_| Style::Plain);
    show_rows(output, &columns, narrowest, styles);
}

/// Takes columns away, the first of those that say least first, until there is room.
fn keep_room<T: PartialEq>(
    columns: &mut Vec<(T, Column)>,
    dispensable: &[T],
    narrowest: usize,
    room: usize,
) {
    for name in dispensable {
        if fits(columns.iter().map(|(_, column)| column), narrowest, room) {
            return;
        }
        columns.retain(|(it, _)| it != name);
    }
}

/// A table after an empty line, or where there is no room for one, a paragraph a row.
fn show_rows(
    output: &mut Output,
    columns: &[&Column],
    narrowest: usize,
    styles: impl Iterator<Item = Style>,
) {
    output.line("");
    let Some(lines) = table_lines(columns, narrowest, output.columns) else {
        for (row, style) in styles.enumerate() {
            let cells: Vec<&str> = columns
                .iter()
                .map(|column| column.cells[row].text.as_str())
                .collect();
            output.paragraph(&cells.join(", "), "", style);
        }
        return;
    };
    let styles = [Style::Dim].into_iter().chain(styles);
    for (line, style) in lines.iter().zip(styles) {
        output.line(output.styled(style, line));
    }
}
