//! **Finds** equal actions in a row whose results end in the same syntax error of a Jupyter cell.
//! **Must not find** a cell that prints such an error and then something else.
//! **The number** is OpenHands': 3. Its agents write code into cells, and see such errors so.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of, repeated_errors};
use crate::call::{Encoded, Units};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use turnkeeper_base::text::hash::{UnitHash, mixed};
use turnkeeper_base::text::white_space::is_white;

#[derive(Debug, Clone)]
pub(crate) struct SyntaxErrors {
    threshold: u64,
}

impl HistoryRule for SyntaxErrors {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::SyntaxErrors,
            options: &["syntaxErrors", "headless"],
        },
        loop_type: LoopType::RepeatedError,
        texts: repeated_errors::TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.syntax_errors)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Actions, 1, self.threshold);
        history.follow(Sequence::SyntaxErrors, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let actions = history.rounds(Sequence::Actions, 1);
        let errors = history.rounds(Sequence::SyntaxErrors, 1);
        Repeats::stop_from(self.threshold, 1, actions.min(errors))
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_actions(&Self::INFO, history, event)
    }
}

/// The last two lines of a cell's output begin like this.
const FOLDER: &str = "[Jupyter current working directory:";
const INTERPRETER: &str = "[Jupyter Python interpreter:";
/// The line before says one of these.
const UNTERMINATED: &str = "SyntaxError: unterminated string literal (detected at line";
const OTHERS: [&str; 2] = [
    "SyntaxError: invalid syntax. Perhaps you forgot a comma?",
    "SyntaxError: incomplete input",
];
/// With one of the others, the first of at least `FEWEST_LINES` lines begins like this.
const CELL: &str = "Cell In[1], line";
const FEWEST_LINES: usize = 6;

/// No line of an error is longer.
const LONGEST_LINE: usize = 4_096;
const NEWLINE: u16 = b'\n' as u16;

/// Equal for outputs that end in the same syntax error: in the same line, and, unless it is about a
/// string that does not end, after the same first line. `None` for any other output.
pub(super) fn syntax_error(output: Encoded) -> Option<u64> {
    let text = output.units();
    let end = trimmed_end(text, text.len());
    let interpreter = line_before(text, end)?;
    text.has(INTERPRETER, interpreter).then_some(())?;
    let folder = line_before(text, interpreter.checked_sub(1)?)?;
    text.has(FOLDER, folder).then_some(())?;
    let error_end = folder.checked_sub(1)?;
    let error = line_before(text, error_end)?;
    let says = |words: &str| (error..error_end).any(|at| text.has(words, at));
    let key = hash(text, error, error_end);
    if says(UNTERMINATED) {
        return Some(key);
    }
    (says(OTHERS[0]) || says(OTHERS[1])).then_some(())?;

    let mut first = 0;
    while is_white(text.at(first)) {
        first += 1;
    }
    text.has(CELL, first).then_some(())?;
    let (mut first_end, mut lines) = (0, 1);
    for at in first..end {
        if text.at(at) == NEWLINE {
            if lines == 1 {
                first_end = at;
            }
            lines += 1;
        }
    }
    (lines >= FEWEST_LINES).then_some(())?;
    let first_line = hash(text, first, trimmed_end(text, first_end));
    Some(mixed(key, first_line))
}

fn trimmed_end(text: Units, mut end: usize) -> usize {
    while end > 0 && is_white(text.at(end - 1)) {
        end -= 1;
    }
    end
}

/// Where the line begins that ends at `end`.
fn line_before(text: Units, end: usize) -> Option<usize> {
    let mut begin = end;
    while begin > 0 && text.at(begin - 1) != NEWLINE {
        begin -= 1;
        (end - begin <= LONGEST_LINE).then_some(())?;
    }
    Some(begin)
}

fn hash(text: Units, begin: usize, end: usize) -> u64 {
    let mut hash = UnitHash::EMPTY;
    for at in begin..end {
        hash.push(text.at(at));
    }
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::encode_str;

    fn of(output: &str) -> Option<u64> {
        let mut encoded = Vec::new();
        encode_str(output, &mut encoded);
        syntax_error(Encoded(&encoded))
    }

    fn cell(line: &str, error: &str) -> String {
        format!(
            "  Cell In[1], line {line}\nx = (\n    ^\n{error}\n{FOLDER} /a]\n{INTERPRETER} /b]\n"
        )
    }

    #[test]
    fn the_same_error_at_the_same_line_is_the_same() {
        let comma = OTHERS[0];
        assert!(of(&cell("1", comma)).is_some());
        assert_eq!(of(&cell("1", comma)), of(&cell("1", comma)));
        assert_ne!(of(&cell("1", comma)), of(&cell("2", comma)));
        assert_ne!(of(&cell("1", comma)), of(&cell("1", OTHERS[1])));
        // Nothing but its own line counts for a string that does not end.
        let open = format!("{UNTERMINATED} 7)");
        assert_eq!(of(&cell("1", &open)), of(&cell("2", &open)));
        let short = format!("{open}\n{FOLDER}\n{INTERPRETER}");
        assert_eq!(of(&short), of(&cell("1", &open)));
        assert_ne!(of(&short), of(&short.replace('7', "8")));
        assert_eq!(of(&short.replace("literal", "lïteral")), None);
        assert!(of(&format!("思{short}")).is_some());
    }

    #[test]
    fn other_outputs_are_none() {
        let comma = OTHERS[0];
        let outputs = [
            "",
            "\n",
            comma,
            &cell("1", "NameError: x"),
            &cell("1", &format!("{comma}\n")),
            &cell("1", comma).replace("Cell In[1]", "Cell In[2]"),
            // Five lines.
            &cell("1", comma).replace("x = (\n", ""),
            &cell("1", comma).replace(FOLDER, "[Jupyter:"),
            &format!("{comma}\n{INTERPRETER}\n{FOLDER}"),
            &format!("{UNTERMINATED} 1)\nMore output"),
            &"x".repeat(100_000),
        ];
        for output in outputs {
            assert_eq!(of(output), None, "{output:.80}");
        }
    }
}
