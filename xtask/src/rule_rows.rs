//! The rows of `docs/loop-detector.md` and of its Chinese page about the rules over steps, out of their files' heads.

use std::fs;

use anyhow::{Context, Result};

use crate::paths;

const RULES: &str = "src/loop-detector/rules/adaptive";
/// The rows end with the first of another rule.
const NEXT: &str = "| `blind_calls` |";

/// A page with a table of the rules, and the words with which a rule's head says its row.
pub struct Page {
    pub path: &'static str,
    /// The head of the table.
    table: &'static str,
    start: &'static str,
    stop: &'static str,
    never_a_stop: &'static str,
    never: &'static str,
    end: &'static str,
}

const ENGLISH: Page = Page {
    path: "docs/loop-detector.md",
    table: "| a nudge at | a stop at | option |\n|---|---|---|---|\n",
    start: "Finds: ",
    stop: "; a stop ",
    never_a_stop: "; never a stop",
    never: "never",
    end: ". ",
};
const CHINESE: Page = Page {
    path: "docs/zh-CN/loop-detector.md",
    table: "| 提醒 | 停止 | 选项 |\n|---|---|---|---|\n",
    start: "In Chinese: ",
    stop: "；停止：",
    never_a_stop: "；不停止",
    never: "从不",
    end: "。",
};
pub const PAGES: [Page; 2] = [ENGLISH, CHINESE];

impl Page {
    /// The page, with the rows that the files say.
    pub fn text(&self) -> Result<String> {
        let Self { path, table, .. } = self;
        let text = fs::read_to_string(paths::repo(path))?;
        let (before, rest) = text.split_once(table).context("the table is gone")?;
        let at = rest.find(NEXT).context("the row after the rules is gone")?;
        Ok(format!("{before}{table}{}{}", self.rows()?, &rest[at..]))
    }

    fn rows(&self) -> Result<String> {
        let rules = fs::read_to_string(paths::repo(RULES).join("list.rs"))?;
        let list = between(
            &rules,
            "macro_rules! step_rules {",
            "pub(crate) use step_rules",
        )
        .context("the list of rules is gone")?;
        let lines = list.lines().map(str::trim);
        let lines = lines.filter(|line| !line.starts_with("///"));
        let names = lines.filter_map(|line| Some(line.split_once("::")?.0));
        names.map(|name| self.row(name)).collect()
    }

    /// `//! Finds: 3 identical calls; a stop at 5. They bring nothing new.` is the row of a rule: its first sentence.
    /// It is the row of the Chinese page, too, if the head has none in Chinese.
    fn row(&self, name: &str) -> Result<String> {
        let text = fs::read_to_string(paths::repo(RULES).join(format!("{name}.rs")))?;
        let head = text.lines().map_while(|line| line.strip_prefix("//! "));
        let head = head.collect::<Vec<_>>().join(" ") + " ";
        let (nudge, stop) = self
            .nudge_and_stop(&head)
            .or_else(|| ENGLISH.nudge_and_stop(&head))
            .with_context(|| format!("{name}.rs does not say what it finds"))?;
        let mut options = format!("`{}`", in_camel_case(name));
        if let Some(others) = between(&text, "also_reads: &[", "]") {
            options += &format!(", {}", others.replace('"', "`"));
        }
        Ok(format!("| `{name}` | {nudge} | {stop} | {options} |\n"))
    }

    fn nudge_and_stop<'a>(&self, head: &'a str) -> Option<(&'a str, &'a str)> {
        let sentence = between(head, self.start, self.end)?;
        let (nudge, stop) = match sentence.strip_suffix(self.never_a_stop) {
            Some(nudge) => (nudge, self.never),
            None => sentence.split_once(self.stop)?,
        };
        Some((nudge, stop.strip_prefix("at ").unwrap_or(stop)))
    }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

/// `equalErrors` of `equal_errors`.
fn in_camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| {
        let (initial, rest) = word.split_at(1);
        camel + &initial.to_uppercase() + rest
    })
}
