//! The words about a repaired history.

use std::path::Path;

use serde::Serialize;
use turnkeeper_analysis::plain_text::one_line;
use turnkeeper_analysis::repair::{RepairTotals, ResultTotals};
use turnkeeper_analysis::wording::{grouped, plural, plural_of};

use super::history::{RepairedHistory, Task};
use crate::problem::Problem;
use crate::terminal::output::{Output, Style};

/// UTF-16 units of the name of a file, and of what was written.
const LONGEST_NAME: usize = 400;
const LONGEST_PLACE: usize = 1_000;

#[derive(Serialize)]
struct AsJson<'a> {
    file: String,
    #[serde(flatten)]
    totals: &'a RepairTotals,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
}

pub(super) fn show(file: &Path, outcome: &RepairedHistory, task: &Task, output: &mut Output) {
    let name = |file: &Path| file.to_string_lossy().into_owned();
    let RepairedHistory {
        totals,
        format,
        backup,
        ..
    } = outcome;
    if task.is_json {
        return output.json(&AsJson {
            file: name(file),
            totals,
            format: format.name(),
            output: outcome.output.as_deref().map(name),
            backup: backup.as_deref().map(name),
        });
    }
    let mut done = match totals.messages_changed {
        0 => "nothing to repair".to_owned(),
        changed => format!(
            "{}, {} of {} changed",
            what_is_done(totals, task.writes()),
            plural(changed.into(), "message"),
            grouped(totals.messages.into())
        ),
    };
    if totals.characters_removed > 0 {
        let tokens = plural(totals.tokens_removed.into(), "token");
        done += &format!(", about {tokens} saved");
    }
    done += &match totals.results.waiting {
        0 => String::new(),
        1 => "; its last call has no result yet and is left so".to_owned(),
        several => format!(
            "; its last {} calls have no results yet and are left so",
            grouped(several.into())
        ),
    };
    let place = match (&outcome.output, backup) {
        (Some(to), Some(backup)) => {
            format!(
                "; written to {}, before in {}",
                to.display(),
                backup.display()
            )
        }
        (Some(to), None) => format!("; written to {}", to.display()),
        (None, _) if task.writes() => "; left as it is".to_owned(),
        (None, _) => "; nothing is written without -o or --in-place".to_owned(),
    };
    let text = format!(
        "{} ({}): {done}{}",
        one_line(&name(file), LONGEST_NAME),
        format.title(),
        one_line(&place, LONGEST_PLACE)
    );
    output.paragraph(&text, "", Style::Plain);
}

/// The items that go, and those that are mended.
fn what_is_done(totals: &RepairTotals, is_done: bool) -> String {
    let ResultTotals {
        orphaned,
        missing,
        moved,
        ..
    } = totals.results;
    let counted = |count: u32, one: &str, several: &str| {
        (count > 0).then(|| plural_of(count.into(), one, several))
    };
    let mut gone = what_goes(totals);
    gone.extend(counted(
        orphaned,
        "result without a call",
        "results without calls",
    ));
    gone.extend(counted(totals.empty_texts, "empty text", "empty texts"));
    let done = [
        (gone, "removed", "would go"),
        (
            Vec::from_iter(counted(missing, "missing result", "missing results")),
            "added",
            "would be added",
        ),
        (
            Vec::from_iter(counted(moved, "late result", "late results")),
            "put after their calls",
            "would be put after their calls",
        ),
    ];
    let done = done.into_iter().filter(|(what, ..)| !what.is_empty());
    let done = done.map(|(what, done, would)| {
        format!("{} {}", what.join(", "), if is_done { done } else { would })
    });
    done.collect::<Vec<_>>().join(", ")
}

/// The items that give way, by their kind.
fn what_goes(totals: &RepairTotals) -> Vec<String> {
    let Some(kinds) = totals.kinds else {
        let blocks = totals.blocks_removed;
        let doubled = totals.results.doubled;
        let blocks = (blocks > 0 || totals.results.mended() + totals.empty_texts == 0)
            .then(|| plural(blocks.into(), "duplicate block"));
        let results = plural_of(
            doubled.into(),
            "second result of a call",
            "second results of calls",
        );
        let results = (doubled > 0).then_some(results);
        return blocks.into_iter().chain(results).collect();
    };
    let kinds = [
        (kinds.duplicate, "duplicate block", "duplicate blocks"),
        (kinds.environment, "outdated block", "outdated blocks"),
        (kinds.file, "older copy of a file", "older copies of files"),
        (
            kinds.write,
            "older argument with a file",
            "older arguments with files",
        ),
        (kinds.result, "repeated result", "repeated results"),
    ];
    let found = kinds.iter().filter(|(kind, ..)| kind.characters > 0);
    let found = found.map(|(kind, one, several)| {
        let count = plural_of(kind.items.into(), one, several);
        format!("{count} ({})", plural(kind.characters.into(), "character"))
    });
    found.collect()
}

/// Lines that could not be read.
pub(super) fn unread(first: &Problem, count: u32) -> String {
    match count {
        0 | 1 => format!("{first}; the line stays as it is"),
        _ => format!(
            "{first}; {} lines like it stay as they are",
            grouped(count.into())
        ),
    }
}
