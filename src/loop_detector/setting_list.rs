//! The settings: each declared once, as a field for Rust and for TypeScript, and as an entry of the
//! list by which a host's are read.

use super::messages::{MESSAGES, MessageTexts};
use super::options::{
    AfterFiring, CompareArguments, CompareResults, LoopProfile, ModelCheckOptions,
    ModelCheckSetting, PreviewModel,
};
use super::verdict::LoopType;
use crate::setting::{Kind, Kinds, OptionValue};

macro_rules! settings {
    ($($(#[$about:meta])* $name:literal $field:ident: $type:ty = $kind:expr;)*) => {
        /// The settings of a [`LoopDetector`](super::LoopDetector), one list for all profiles. What is
        /// left out has the profile's value.
        ///
        /// A rule is on if its profile has it, or if one of its thresholds is set, and the others then
        /// have the values that are given here; a setting that only says how a rule works changes
        /// nothing while the rule is off. So a host can add rules to a profile or put together one of
        /// its own; `{ profile: "roo", limit: 0 }` has no rule at all. A threshold is an integer of at
        /// least 1.
        #[derive(Debug, Clone, Default, PartialEq)]
        #[cfg_attr(
            feature = "typescript",
            derive(ts_rs::TS),
            ts(optional_fields, rename_all = "camelCase")
        )]
        pub struct LoopDetectorOptions {
            $($(#[$about])* pub $field: Option<$type>,)*
        }

        /// The place of each setting in the [`LIST`].
        // Some are read as fields alone.
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum At {
            $($field,)*
        }

        /// The names of the settings, and what may be their values.
        pub(super) const LIST: &Kinds = &Kinds {
            names: concat!($($name, " ",)*),
            kinds: &[$($kind,)*],
        };

        impl LoopDetectorOptions {
            pub(super) fn values(&mut self) -> Vec<(&'static str, &mut dyn OptionValue)> {
                vec![$(($name, &mut self.$field),)*]
            }
        }
    };
}

settings! {
    /// The rule set; `standard`.
    "profile" profile: LoopProfile = Kind::Word(LoopProfile::NAMES);

    /// So many identical calls in a row stop the model; 10 in `standard` and `deepv`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "identicalCalls" identical_calls: u64 = Kind::Count;
    /// Which models are watched by `previewCalls`, `previewIntensiveCalls` and `monitoredCalls`: those
    /// whose name contains the string, case ignored, or matches the pattern; `/preview/i`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | RegExp"))]
    "previewModel" preview_model: PreviewModel = Kind::Pattern;
    /// So many calls of one tool since the prompt started stop a preview model; 5 in `standard`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "previewCalls" preview_calls: u64 = Kind::Count;
    /// The same for the tools of `intensiveTools`; 4 in `standard`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "previewIntensiveCalls" preview_intensive_calls: u64 = Kind::Count;
    /// `read_file`, `read_many_files`, `glob`, `search_file_content` and `ls`.
    "intensiveTools" intensive_tools: Vec<String> = Kind::Texts;
    /// So many calls in a row of one tool of `monitoredTools`, whatever the arguments, stop a preview
    /// model; 32 in `deepv`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "monitoredCalls" monitored_calls: u64 = Kind::Count;
    /// `read_file`, `read_many_files`, `glob`, `search_file_content`, `ls`, `replace`, `write_file`,
    /// `delete_file` and `shell`.
    "monitoredTools" monitored_tools: Vec<String> = Kind::Texts;

    /// So many rounds of a cycle of calls stop the model; 5 in `gemini-cli`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "rounds" rounds: u64 = Kind::Count;
    /// The shortest cycle that counts, in calls; 1.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "minPeriod" min_period: u64 = Kind::Count;
    /// The longest, at most 100; 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "maxPeriod" max_period: u64 = Kind::Count;
    /// More than so many identical calls in a row stop the model, any integer; 3 in `roo`. At 0 or
    /// less the rule is off.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "limit" limit: i64 = Kind::Integer;
    /// Exactly so many identical calls in a row are a nudge; 3 in `cline`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "softThreshold" soft_threshold: u64 = Kind::Count;
    /// So many or more stop the model; 5 in `cline`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "hardThreshold" hard_threshold: u64 = Kind::Count;
    /// More than `maxRepeats` equal steps of so many stop the model, where a step is all that the
    /// model calls from one `turn_started` to the next, with the results; 10 in `crush`, at most 100.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "windowSize" window_size: u64 = Kind::Count;
    /// 5 in `crush`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "maxRepeats" max_repeats: u64 = Kind::Count;
    /// Steps before which that rule is silent; as many as `windowSize`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "windowMinimum" window_minimum: u64 = Kind::Count;
    /// Whether just the number of `rounds` (`true`), `limit` or `maxRepeats` (`false`) fires, or only
    /// more; set, it holds for all three.
    "inclusive" inclusive: bool = Kind::Flag;

    /// So many equal actions in a row, a call or a message of the model, together with so many equal
    /// results in a row stop the model; 4 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedPairs" repeated_pairs: u64 = Kind::Count;
    /// The same for so many rounds of two that take turns; 3 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "alternatingPairs" alternating_pairs: u64 = Kind::Count;
    /// So many equal actions and so many results that are errors, equal or not; 3 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedErrors" repeated_errors: u64 = Kind::Count;
    /// So many equal actions and so many results that end in the same syntax error of a Jupyter cell;
    /// 3 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "syntaxErrors" syntax_errors: u64 = Kind::Count;
    /// So many equal messages of the model with no result in between; 3 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedMessages" repeated_messages: u64 = Kind::Count;
    /// So many condensations with no action and no result in between; 10 in `openhands`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedCondensations" repeated_condensations: u64 = Kind::Count;
    /// Whether these six look at the whole prompt instead of what follows the last `user_message`;
    /// `false`.
    "headless" headless: bool = Kind::Flag;
    /// Tools that run a command, whose exit code stands for their output where `compareResults` says
    /// so, and whose command line `adaptive` reads; the shell tools of the agents whose sessions this package reads.
    "commandTools" command_tools: Vec<String> = Kind::Texts;

    /// So many calls in a row that are the same and got the same answer are a nudge, in `adaptive` 3.
    /// Cosmetic arguments, and what changes by itself, such as clocks, durations and ids, are not
    /// compared. Here and below, half as many again, two at least, are a stop: 5 of 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedResults" repeated_results: u64 = Kind::Count;
    /// The same where the answers differ in numbers; in `adaptive` 5, for a number may be progress.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "similarResults" similar_results: u64 = Kind::Count;
    /// The same for tools that wait, scroll or step, and commands that sleep; in `adaptive` 10: silent
    /// builds are asked 6 to 8 times.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedWaits" repeated_waits: u64 = Kind::Count;
    /// So many equal edits, whatever they answer; in `adaptive` 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedEdits" repeated_edits: u64 = Kind::Count;
    /// So many times that one file is written whole, and nothing else; in `adaptive` 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "rewrites" rewrites: u64 = Kind::Count;
    /// So many calls in a row, not all the same, with the same short error; in `adaptive` 4: healthy
    /// sessions have 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "equalErrors" equal_errors: u64 = Kind::Count;
    /// So many searches in a row, not all the same, with the same answer; in `adaptive` 8: healthy
    /// sessions have up to 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "fruitlessSearches" fruitless_searches: u64 = Kind::Count;
    /// So many rounds of the same calls with the same answers; in `adaptive` 3, and twice as many with
    /// waiting in them or of acknowledgements alone.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "cycleRounds" cycle_rounds: u64 = Kind::Count;
    /// The longest such round, in calls; 10, which is also the most.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "longestCycle" longest_cycle: u64 = Kind::Count;
    /// So many times the same call with the same answer within `scatteredWindow`, others in between, and
    /// no change to verify; in `adaptive` 5. Never a stop.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "scatteredRepeats" scattered_repeats: u64 = Kind::Count;
    /// So many calls are looked back on for that; 20, at most 32.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "scatteredWindow" scattered_window: u64 = Kind::Count;
    /// So many equal messages with no call in between, of 20 UTF-16 code units or more; in `adaptive` 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "equalMessages" equal_messages: u64 = Kind::Count;
    /// Only in answers of so many UTF-16 code units or fewer, white space and escape sequences left out,
    /// are words of errors and of success looked for; 400, at most 2,000. From 200 to 400 nothing
    /// changes, at 600 text that only speaks of errors is taken for one.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "shortResult" short_result: u64 = Kind::Count;
    /// Tools that change nothing but what is noted or said, in addition to those whose names have words
    /// such as `think`, `todo` or `respond`. For this and the five lists below, and `commandTools`, a
    /// name, or a word of names as in `read_file` and `readFile`, case ignored; what stands before `__`,
    /// `.`, `/` or `:` is left out. A tool is what the first of them says; what a host says comes before
    /// the words that are known: `wait`, `edit`, `write`, `bash`, `read` and the like.
    "noteTools" note_tools: Vec<String> = Kind::Texts;
    /// Tools that wait, scroll or step, whose repeats may be meant.
    "waitTools" wait_tools: Vec<String> = Kind::Texts;
    /// Tools that change a part of something.
    "editTools" edit_tools: Vec<String> = Kind::Texts;
    /// Tools that write something whole.
    "writeTools" write_tools: Vec<String> = Kind::Texts;
    /// Tools that read or search, and change nothing.
    "searchTools" search_tools: Vec<String> = Kind::Texts;
    /// Arguments that are not compared by these rules, case ignored, in addition to `description`,
    /// `explanation`, `task_progress`, `requires_approval`, `timeout` and the like.
    "cosmeticArguments" cosmetic_arguments: Vec<String> = Kind::Texts;

    /// What of the arguments is compared by every rule over calls but those of preview models;
    /// `"sorted"`, in `gemini-cli` and `deepv` `"ordered"`, in `roo` `"params"`, in `cline`
    /// `"sorted_or_text"`, in `crush` `"raw"`.
    "compareArguments" compare_arguments: CompareArguments = Kind::Word(CompareArguments::NAMES);
    /// What of the results is compared by these rules; `"none"`, in `openhands` `"exit_code"`, in
    /// `crush` `"full"`.
    "compareResults" compare_results: CompareResults = Kind::Word(CompareResults::NAMES);
    /// What breaks a row of calls for `identicalCalls`, `rounds`, `limit` and the two thresholds:
    /// `"other_tool"`, which it is in every profile. Without it each tool's calls are a row of their
    /// own, at most 256 of them.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "(\"text\" | \"user_message\" | \"other_tool\")[]")
    )]
    "breaksRun" breaks_run: Vec<String> = Kind::Texts;
    /// Whether `browser_action` calls that scroll are not counted; `false`, in `roo` `true`.
    "skipScrolling" skip_scrolling: bool = Kind::Flag;
    /// What becomes of a `stop`; `"latched"`, in `roo` `"reset"`, in `openhands`, `cline` and `crush`
    /// `"stateless"`.
    "afterFiring" after_firing: AfterFiring = Kind::Word(AfterFiring::NAMES);
    /// Whether `clear` only lifts a `stop`, so that the next repeat is one more; `false`, in
    /// `gemini-cli` `true`.
    "clearKeepsCounts" clear_keeps_counts: bool = Kind::Flag;

    /// A passage of 2 to 1,000 UTF-16 code units is a loop at so many copies without a break that
    /// fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard`
    /// and `adaptive`. One copy is no repeat, so 1 counts as 2.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedPassages" repeated_passages: u64 = Kind::Count;
    /// So many copies of such a passage without a break that fill 600 units are a nudge; in `adaptive` 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "longPassages" long_passages: u64 = Kind::Count;
    /// So many sentences in a row that differ in one place only, by three words at most, are a nudge; in
    /// `adaptive` 5: written parallels reach 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "changingSlots" changing_slots: u64 = Kind::Count;
    /// In prose, windows of so many units are compared at every place; 50, in `deepv` 500, at most
    /// 5,000. With this rule verdicts depend on how prose is cut into deltas.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "unit" unit: u64 = Kind::Count;
    /// So many equal windows are a loop; 10, in `deepv` 20, at most 100; 1 counts as 2.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "copies" copies: u64 = Kind::Count;
    /// Their mean distance, at most; 250, in `deepv` 750.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "meanDistance" mean_distance: u64 = Kind::Count;
    /// The texts from each to the next are so many different ones at most; 5, in `deepv` as many as
    /// there are.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "distinctGaps" distinct_gaps: u64 = Kind::Count;
    /// Units that are looked back on; 5,000, in `deepv` 10,000, at most 100,000, at least `unit`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "history" history: u64 = Kind::Count;
    /// Whether a delta that looks like Markdown starts the windows afresh; `true`, in `deepv` `false`.
    "markdownResets" markdown_resets: bool = Kind::Flag;
    /// Whether windows of white space and symbols, or of fewer than 15 other units, do not count;
    /// `false`, in `deepv` `true`.
    "skipSymbols" skip_symbols: bool = Kind::Flag;

    /// When to ask a model, or `false` for never; only `standard`, `adaptive`, `gemini-cli`
    /// and `deepv` ask.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "false | ModelCheckOptions")
    )]
    "modelCheck" model_check: ModelCheckSetting = Kind::OffOrTable(ModelCheckOptions::LIST);
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    "messages" messages: Vec<(LoopType, MessageTexts)> = Kind::Table(MESSAGES);
}
