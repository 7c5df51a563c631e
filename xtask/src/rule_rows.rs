//! The rows of `docs/loop-detector.md` about the rules over steps, out of the heads of their files.

use std::fs;

use anyhow::{Context, Result};

use crate::paths;

pub const DOCUMENT: &str = "docs/loop-detector.md";
const RULES: &str = "src/loop-detector/rules/adaptive";
/// The table begins with the rows, and goes on with those of other rules.
const TABLE: &str = "| a nudge at | a stop at | option |\n|---|---|---|---|\n";
const NEXT: &str = "| `blind_calls` |";

/// The document, with the rows that the files say.
pub fn document() -> Result<String> {
    let text = fs::read_to_string(paths::repo(DOCUMENT))?;
    let (before, rest) = text.split_once(TABLE).context("the table is gone")?;
    let at = rest.find(NEXT).context("the row after the rules is gone")?;
    Ok(format!("{before}{TABLE}{}{}", rows()?, &rest[at..]))
}

fn rows() -> Result<String> {
    let list = fs::read_to_string(paths::repo(RULES).join("mod.rs"))?;
    let entries = list.split("StepRuleEntry::of::<").skip(1);
    let names = entries.filter_map(|entry| Some(entry.split_once("::")?.0));
    names.map(row).collect()
}

/// `//! Finds: 3 identical calls; a stop at 5. They bring nothing new.` is the row of a rule: its first sentence.
fn row(name: &str) -> Result<String> {
    let text = fs::read_to_string(paths::repo(RULES).join(format!("{name}.rs")))?;
    let head = text.lines().map_while(|line| line.strip_prefix("//! "));
    let head = head.collect::<Vec<_>>().join(" ") + " ";
    let read = || {
        let sentence = between(&head, "Finds: ", ". ")?;
        let (nudge, stop) = match sentence.strip_suffix("; never a stop") {
            Some(nudge) => (nudge, "never"),
            None => sentence.split_once("; a stop ")?,
        };
        let stop = stop.strip_prefix("at ").unwrap_or(stop);
        let options = between(&text, "options: &[", "]")?.replace('"', "`");
        Some(format!("| `{name}` | {nudge} | {stop} | {options} |\n"))
    };
    read().with_context(|| format!("{name}.rs does not say what it finds"))
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}
