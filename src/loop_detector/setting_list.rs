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
    /// so; the shell tools of the agents whose sessions this package reads.
    "commandTools" command_tools: Vec<String> = Kind::Texts;

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
    /// fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard`. One
    /// copy is no repeat, so 1 counts as 2.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    "repeatedPassages" repeated_passages: u64 = Kind::Count;
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

    /// When to ask a model, or `false` for never; only `standard`, `gemini-cli` and `deepv` ask.
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
