//! The profiles: each a function that says which rules are on, and with which numbers.

use super::options::{
    AfterFiring, CompareArguments, CompareResults, LoopDetectorOptions, LoopProfile,
    ModelCheckOptions, ModelCheckSetting, PromptStarts, RunBreak,
};
use turnkeeper_base::options::Threshold;

impl LoopProfile {
    /// The options that a host does not have to set.
    #[must_use]
    pub fn defaults(self) -> LoopDetectorOptions {
        let defaults: fn() -> LoopDetectorOptions = match self {
            Self::Standard => standard,
            Self::Adaptive => adaptive,
            Self::GeminiCli => gemini_cli,
            Self::Deepv => deepv,
            Self::Openhands => openhands,
            Self::Roo => roo,
            Self::Cline => cline,
            Self::Crush => crush,
            Self::OpenhandsSdk => openhands_sdk,
            Self::Opencode => opencode,
            Self::QwenCode => qwen_code,
            Self::Openclaw => openclaw,
            Self::Goose => goose,
        };
        defaults()
    }

    /// The options of the rules that `heuristics` switches on.
    pub(super) fn heuristics(self) -> LoopDetectorOptions {
        match self {
            Self::QwenCode => qwen_code_heuristics(),
            _ => LoopDetectorOptions::default(),
        }
    }
}

/// The agent that this library grew from.
fn standard() -> LoopDetectorOptions {
    LoopDetectorOptions {
        identical_calls: at(10),
        preview_calls: at(5),
        preview_intensive_calls: at(4),
        repeated_passages: at(20),
        model_check: model_is_asked(),
        ..LoopDetectorOptions::default()
    }
}

/// Every count is one above where healthy sessions begin to be hit, or more.
fn adaptive() -> LoopDetectorOptions {
    LoopDetectorOptions {
        repeated_results: at(3),
        similar_results: at(5),
        repeated_waits: at(10),
        repeated_edits: at(3),
        rewrites: at(3),
        equal_errors: at(4),
        similar_errors: at(6),
        refused_edits: at(8),
        resent_edits: at(3),
        fruitless_searches: at(8),
        echo_calls: at(5),
        repeated_intents: at(8),
        cycle_rounds: at(3),
        scattered_repeats: at(5),
        ineffective_edits: at(6),
        equal_results: at(5),
        calls_at_once: at(8),
        equal_messages: at(3),
        repeated_passages: at(20),
        long_passages: at(3),
        changing_slots: at(5),
        prompt_starts: Some(PromptStarts::User),
        model_check: model_is_asked(),
        ..LoopDetectorOptions::default()
    }
}

/// gemini-cli 0.61.
fn gemini_cli() -> LoopDetectorOptions {
    LoopDetectorOptions {
        rounds: at(5),
        min_period: Some(1),
        max_period: Some(5),
        compare_arguments: Some(CompareArguments::Ordered),
        clear_keeps_counts: Some(true),
        unit: Some(50),
        copies: at(10),
        mean_distance: Some(250),
        distinct_gaps: Some(5),
        history: Some(5_000),
        model_check: Some(ModelCheckSetting::On(ModelCheckOptions {
            interval: Some(10),
            inclusive: Some(true),
            ..ModelCheckOptions::default()
        })),
        ..LoopDetectorOptions::default()
    }
}

/// DeepV Code.
fn deepv() -> LoopDetectorOptions {
    LoopDetectorOptions {
        identical_calls: at(10),
        monitored_calls: at(32),
        compare_arguments: Some(CompareArguments::Ordered),
        unit: Some(500),
        copies: at(20),
        mean_distance: Some(750),
        // There are fewer gaps than this between 20 windows.
        distinct_gaps: Some(20),
        history: Some(10_000),
        markdown_resets: Some(false),
        skip_symbols: Some(true),
        model_check: model_is_asked(),
        ..LoopDetectorOptions::default()
    }
}

/// OpenHands V0.
fn openhands() -> LoopDetectorOptions {
    LoopDetectorOptions {
        repeated_pairs: at(4),
        alternating_pairs: at(3),
        repeated_errors: at(3),
        syntax_errors: at(3),
        repeated_messages: at(3),
        repeated_condensations: at(10),
        compare_results: Some(CompareResults::ExitCode),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// Roo Code.
fn roo() -> LoopDetectorOptions {
    LoopDetectorOptions {
        limit: Some(3),
        compare_arguments: Some(CompareArguments::Params),
        after_firing: Some(AfterFiring::Reset),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// The Cline SDK.
fn cline() -> LoopDetectorOptions {
    LoopDetectorOptions {
        soft_threshold: at(3),
        hard_threshold: at(5),
        compare_arguments: Some(CompareArguments::SortedOrText),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// crush.
fn crush() -> LoopDetectorOptions {
    LoopDetectorOptions {
        window_size: Some(10),
        max_repeats: at(5),
        compare_arguments: Some(CompareArguments::Raw),
        compare_results: Some(CompareResults::Full),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// OpenHands' software agent SDK.
fn openhands_sdk() -> LoopDetectorOptions {
    LoopDetectorOptions {
        recent_pairs: at(4),
        recent_errors: at(4),
        recent_messages: at(3),
        recent_turns: at(3),
        recent_events: Some(20),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// opencode, and Kilo Code, which is made from it. It asks its user, which is a stop here.
fn opencode() -> LoopDetectorOptions {
    LoopDetectorOptions {
        identical_calls: at(3),
        compare_arguments: Some(CompareArguments::Ordered),
        breaks_run: Some(vec![
            RunBreak::Text,
            RunBreak::Reasoning,
            RunBreak::Turn,
            RunBreak::UserMessage,
            RunBreak::OtherTool,
        ]),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// Qwen Code.
fn qwen_code() -> LoopDetectorOptions {
    LoopDetectorOptions {
        repeated_calls: at(5),
        repeated_overviews: at(8),
        call_cap: at(100),
        call_cap_repeats: Some(6),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// What Qwen Code does where `skipLoopDetection` is off.
fn qwen_code_heuristics() -> LoopDetectorOptions {
    LoopDetectorOptions {
        duplicate_calls: at(6),
        alternating_calls: at(3),
        frequent_reads: at(8),
        read_window: Some(15),
        same_tool_calls: at(8),
        repeated_thoughts: at(3),
        unit: Some(50),
        copies: at(10),
        mean_distance: Some(75),
        // There are fewer gaps than this between 10 windows.
        distinct_gaps: Some(10),
        history: Some(1_000),
        strict_markdown: Some(true),
        ..LoopDetectorOptions::default()
    }
}

/// OpenClaw, with its detection on.
fn openclaw() -> LoopDetectorOptions {
    LoopDetectorOptions {
        same_calls: at(10),
        unchanged_polls: at(10),
        calls_in_turn: at(10),
        unknown_tool_calls: at(10),
        call_window: Some(30),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

/// goose. Its repetition rule is off until `maxRepetitions` is set.
fn goose() -> LoopDetectorOptions {
    LoopDetectorOptions {
        same_errors: at(3),
        after_firing: Some(AfterFiring::Stateless),
        model_check: Some(ModelCheckSetting::Off),
        ..LoopDetectorOptions::default()
    }
}

fn at(count: u64) -> Option<Threshold> {
    Some(Threshold::At(count))
}

/// With the numbers of `standard`.
fn model_is_asked() -> Option<ModelCheckSetting> {
    Some(ModelCheckSetting::On(ModelCheckOptions::default()))
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

/// Tools of Qwen Code that read what others change.
pub(super) const STATEFUL_TOOLS: [&str; 1] = ["task_list"];

/// The tools that run a command, of Cline, Roo Code and Kilo Code, gemini-cli and DeepV Code, Claude
/// Code, SWE-agent and crush, Codex, OpenHands, goose, Cursor, Windsurf, and VS Code. The TypeScript
/// side has its list from here.
pub const COMMAND_TOOLS: [&str; 19] = [
    "execute_command",
    "run_shell_command",
    "Bash",
    "bash",
    "shell",
    "Shell",
    "local_shell",
    "exec_command",
    "container.exec",
    "execute_bash",
    "run",
    "terminal",
    "developer__shell",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_command",
    "runCommand",
    "run_in_terminal",
    "runInTerminal",
];

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const DOCUMENT: &str = include_str!("../../docs/loop-detector.md");

    /// What the document's table has for a value of an option.
    fn shown(value: &Value) -> String {
        match value {
            Value::Bool(false) => "no".to_owned(),
            Value::Bool(true) | Value::Object(_) => "yes".to_owned(),
            Value::String(word) => format!("`{word}`"),
            Value::Array(_) => "all".to_owned(),
            other => other.to_string(),
        }
    }

    #[test]
    fn the_table_of_settings_in_the_document_is_this() {
        let cells = |line: &'static str| -> Vec<&str> { line.split('|').map(str::trim).collect() };
        let mut lines = DOCUMENT
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
        for profile in head.iter().filter_map(|cell| cell.split('`').nth(1)) {
            let of: LoopProfile = serde_json::from_value(json!(profile)).expect("a profile");
            let defaults = of.defaults().to_value();
            for (name, value) in defaults.as_object().expect("options are an object") {
                expected.push((profile.to_owned(), name.clone(), shown(value)));
            }
        }
        said.sort();
        expected.sort();
        assert_eq!(said, expected);
    }
}
