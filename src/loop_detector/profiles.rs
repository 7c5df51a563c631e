//! The profiles: rows of values of the settings.

use super::options::{AfterFiring, CompareArguments, CompareResults, LoopProfile};
use super::setting_list::At::{self, *};

/// Settings and their numbers, as [`Named::fill`](crate::setting::Named::fill) has them.
pub(super) type Row = &'static [(At, u32)];

/// Flags and words.
const FALSE: u32 = 1;
const TRUE: u32 = 2;
const OFF: u32 = 1;
const ON: u32 = 2;
const ORDERED: u32 = 1 + CompareArguments::Ordered as u32;
const EXIT_CODE: u32 = 1 + CompareResults::ExitCode as u32;
const STATELESS: u32 = 1 + AfterFiring::Stateless as u32;

/// The seed's.
const STANDARD: Row = &[
    (identical_calls, 10),
    (preview_calls, 5),
    (preview_intensive_calls, 4),
    (repeated_passages, 20),
    (model_check, ON),
];

/// The counts stand one above where sessions begin to be hit that do fine.
const ADAPTIVE: Row = &[
    (repeated_results, 3),
    (similar_results, 5),
    (repeated_waits, 10),
    (repeated_edits, 3),
    (rewrites, 3),
    (equal_errors, 4),
    (fruitless_searches, 8),
    (cycle_rounds, 3),
    (scattered_repeats, 5),
    (equal_messages, 3),
    (repeated_passages, 20),
    (long_passages, 3),
    (changing_slots, 5),
    (model_check, ON),
];

/// gemini-cli 0.61; see also [`LoopProfile::model_check`].
const GEMINI_CLI: Row = &[
    (rounds, 5),
    (min_period, 1),
    (max_period, 5),
    (compare_arguments, ORDERED),
    (clear_keeps_counts, TRUE),
    (unit, 50),
    (copies, 10),
    (mean_distance, 250),
    (distinct_gaps, 5),
    (history, 5_000),
    (model_check, ON),
];

/// DeepV Code
const DEEPV: Row = &[
    (identical_calls, 10),
    (monitored_calls, 32),
    (compare_arguments, ORDERED),
    (unit, 500),
    (copies, 20),
    (mean_distance, 750),
    // There are no more texts between so many windows.
    (distinct_gaps, 20),
    (history, 10_000),
    (markdown_resets, FALSE),
    (skip_symbols, TRUE),
    (model_check, ON),
];

/// OpenHands V0
const OPENHANDS: Row = &[
    (repeated_pairs, 4),
    (alternating_pairs, 3),
    (repeated_errors, 3),
    (syntax_errors, 3),
    (repeated_messages, 3),
    (repeated_condensations, 10),
    (compare_results, EXIT_CODE),
    (after_firing, STATELESS),
    (model_check, OFF),
];

/// Roo Code
const ROO: Row = &[
    (limit, 3),
    (compare_arguments, 1 + CompareArguments::Params as u32),
    (skip_scrolling, TRUE),
    (after_firing, 1 + AfterFiring::Reset as u32),
    (model_check, OFF),
];

/// The Cline SDK
const CLINE: Row = &[
    (soft_threshold, 3),
    (hard_threshold, 5),
    (compare_arguments, 1 + CompareArguments::SortedOrText as u32),
    (after_firing, STATELESS),
    (model_check, OFF),
];

const CRUSH: Row = &[
    (window_size, 10),
    (max_repeats, 5),
    (compare_arguments, 1 + CompareArguments::Raw as u32),
    (compare_results, 1 + CompareResults::Full as u32),
    (after_firing, STATELESS),
    (model_check, OFF),
];

impl LoopProfile {
    /// In the order in which they are declared.
    pub(super) const ROWS: [Row; 8] = [
        STANDARD, ADAPTIVE, GEMINI_CLI, DEEPV, OPENHANDS, ROO, CLINE, CRUSH,
    ];
}

/// Tools that cost preview models much.
pub(super) const INTENSIVE_TOOLS: [&str; 5] = [
    "read_file",
    "read_many_files",
    "glob",
    "search_file_content",
    "ls",
];

/// Tools with which DeepV Code has seen preview models get stuck.
pub(super) const MONITORED_TOOLS: [&str; 9] = [
    "read_file",
    "read_many_files",
    "glob",
    "search_file_content",
    "ls",
    "replace",
    "write_file",
    "delete_file",
    "shell",
];

/// The shell tools of Cline, Roo and Kilo, gemini-cli and DeepV Code, Claude Code, SWE-agent and
/// crush, Codex, OpenHands, and VS Code.
pub(super) const COMMAND_TOOLS: [&str; 11] = [
    "execute_command",
    "run_shell_command",
    "Bash",
    "bash",
    "shell",
    "local_shell",
    "exec_command",
    "execute_bash",
    "run",
    "terminal",
    "run_in_terminal",
];

#[cfg(test)]
mod tests {
    use super::super::setting_list::LIST;
    // The names of all settings are values here.
    use super::LoopProfile;
    use crate::setting::{Kind, word_at};

    /// What the table of the document has for a value.
    fn shown(kind: Kind, number: u32) -> String {
        match kind {
            Kind::Flag | Kind::OffOrTable(_) => ["no", "yes"][number as usize - 1].to_owned(),
            Kind::Word(words) => format!("`{}`", word_at(words, number as usize - 1)),
            _ => number.to_string(),
        }
    }

    #[test]
    fn the_table_of_settings_in_the_document_is_this() {
        let document = include_str!("../../docs/loop-detector.md");
        let cells = |line: &'static str| -> Vec<&str> { line.split('|').map(str::trim).collect() };
        let mut lines = document
            .lines()
            .skip_while(|line| !line.starts_with("| setting |"));
        let head = cells(lines.next().expect("the table"));
        let mut said = Vec::new();
        for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
            let cells = cells(line);
            let name = cells[1].split('`').nth(1).expect("a name").to_owned();
            for (profile, cell) in head.iter().zip(&cells).skip(2) {
                if !cell.is_empty() {
                    let profile = profile.trim_matches('`').to_owned();
                    said.push((profile, name.clone(), (*cell).to_owned()));
                }
            }
        }
        let mut expected = Vec::new();
        for (place, row) in LoopProfile::ROWS.iter().enumerate() {
            let profile = word_at(LoopProfile::NAMES, place);
            for (at, number) in row.iter() {
                let name = word_at(LIST.names, *at as usize);
                let value = shown(LIST.kinds[*at as usize], *number);
                expected.push((profile.to_owned(), name.to_owned(), value));
            }
        }
        said.sort();
        expected.sort();
        assert_eq!(said, expected);
    }
}
