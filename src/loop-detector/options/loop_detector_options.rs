//! The list of all options.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{
    AfterFiring, CompareArguments, CompareResults, LoopMessages, LoopProfile, ModelCheckSetting,
    PreviewModel, PromptStarts, RunBreak,
};
use crate::MACHINE;
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, Threshold, table};
use turnkeeper_base::options_with_table;

options_with_table! {
    /// The options of a [`LoopDetector`](crate::LoopDetector), one list for all profiles. What is left out
    /// has the profile's value.
    ///
    /// A rule is on if its profile has it or if one of its thresholds is set; its other options then have
    /// the values that are given here. An option that only says how a rule works changes nothing while the
    /// rule is off. So a host can add rules to a profile, or put together a profile of its own.
    ///
    /// A threshold is an integer of at least 1, or `false`, which switches its rule off. A number in an
    /// option's documentation is that of the profile which it names, or of every profile that has the rule.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(
        feature = "typescript",
        derive(ts_rs::TS),
        ts(optional_fields, rename_all = "camelCase")
    )]
    pub struct LoopDetectorOptions {
        /// The profile: the rules of this library or of another agent. Default: `"adaptive"`.
        pub profile: Option<LoopProfile>,

        /// The number of identical calls in a row that stops the model; 10 in `standard` and `deepv`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub identical_calls: Option<Threshold>,
        /// Which models are watched by `previewCalls`, `previewIntensiveCalls` and `monitoredCalls`:
        /// those whose name contains the string, case ignored, or matches the pattern. Default:
        /// `/preview/i`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "string | RegExp"))]
        pub preview_model: Option<PreviewModel>,
        /// The number of calls of one tool since the prompt started that stops a preview model; 5 in
        /// `standard`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub preview_calls: Option<Threshold>,
        /// The same for the tools of `intensiveTools`; 4 in `standard`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub preview_intensive_calls: Option<Threshold>,
        /// The tools that `previewIntensiveCalls` counts. Default: `read_file`, `read_many_files`,
        /// `glob`, `search_file_content` and `ls`.
        pub intensive_tools: Option<Vec<String>>,
        /// The number of calls in a row of one tool of `monitoredTools`, whatever the arguments, that stops
        /// a preview model; 32 in `deepv`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub monitored_calls: Option<Threshold>,
        /// The tools that `monitoredCalls` counts. Default: `read_file`, `read_many_files`, `glob`,
        /// `search_file_content`, `ls`, `replace`, `write_file`, `delete_file` and `shell`.
        pub monitored_tools: Option<Vec<String>>,

        /// The number of rounds of a cycle of calls that stops the model; 5 in `gemini-cli`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub rounds: Option<Threshold>,
        /// The shortest cycle that `rounds` counts, in calls. Default: 1.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub min_period: Option<u64>,
        /// The longest cycle that `rounds` counts, in calls, at most 100. Default: 5.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub max_period: Option<u64>,
        /// More identical calls in a row than this stop the model; 3 in `roo`. It may be any integer: at 0
        /// or less the rule is off.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub limit: Option<i64>,
        /// The same under the name that goose has for it; off in `goose`, too, until it is set.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub max_repetitions: Option<Threshold>,
        /// Exactly this number of identical calls in a row is a nudge; 3 in `cline`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub soft_threshold: Option<Threshold>,
        /// This number of identical calls in a row, or more, stops the model; 5 in `cline`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub hard_threshold: Option<Threshold>,
        /// How many steps the rule over equal steps looks back on: more than `maxRepeats` equal ones among
        /// them stop the model. A step is all that the model calls from one `turn_started` to the next,
        /// with the results. 10 in `crush`, at most 100.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub window_size: Option<u64>,
        /// More equal steps than this among the last `windowSize` stop the model; 5 in `crush`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub max_repeats: Option<Threshold>,
        /// The rule over `maxRepeats` is silent until a prompt has this many steps. Default: as many as
        /// `windowSize`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub window_minimum: Option<u64>,
        /// Whether the rules over `rounds`, `limit` and `maxRepeats` fire at exactly that number
        /// (`true`) or only above it (`false`). Default: `true` for `rounds`, `false` for the other
        /// two; a value that is set holds for all three.
        pub inclusive: Option<bool>,

        /// The number of equal actions in a row, a call or a message of the model, that together with as
        /// many equal results in a row stops the model; 4 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_pairs: Option<Threshold>,
        /// The same for rounds of two actions that take turns; 3 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub alternating_pairs: Option<Threshold>,
        /// The number of equal actions and of results that are errors, equal or not; 3 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_errors: Option<Threshold>,
        /// The number of equal actions and of results that end in the same syntax error of a Jupyter cell;
        /// 3 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub syntax_errors: Option<Threshold>,
        /// The number of equal messages of the model with no result in between; 3 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_messages: Option<Threshold>,
        /// The number of condensations with no action and no result in between; 10 in `openhands`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_condensations: Option<Threshold>,
        /// Whether the six rules from `repeatedPairs` to `repeatedCondensations` look at the whole
        /// prompt instead of what follows the last `user_message`. Default: `false`.
        pub headless: Option<bool>,
        /// Tools that run a command, whose exit code stands for their output where `compareResults` says
        /// so, and whose command line `adaptive` reads; the shell tools of the agents whose sessions this
        /// package reads.
        pub command_tools: Option<Vec<String>>,

        /// The number of equal calls in a row with equal results, among the last `recentEvents`, that stops
        /// the model; 4 in `openhands-sdk`. For this and the three below, what is said in front of a call, in
        /// the same turn, is compared with it, and results are compared in full.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub recent_pairs: Option<Threshold>,
        /// The number of equal calls whose results are errors, equal or not, that stops the model; one less is
        /// a nudge; 4 in `openhands-sdk`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub recent_errors: Option<Threshold>,
        /// The number of messages of the model, equal or not, with nothing but condensations in between; 3 in
        /// `openhands-sdk`. A message counts when it is over: what is said in front of a call is none.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub recent_messages: Option<Threshold>,
        /// The number of rounds of two calls that take turns, with equal results; 3 in `openhands-sdk`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub recent_turns: Option<Threshold>,
        /// How many events these four look back on, calls, results, messages and condensations, at most to
        /// the user's last message; 20, at most 100.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub recent_events: Option<u64>,

        /// The number of identical calls in a row that stops the model, those of `statefulTools` only if all
        /// results in between were equal; 5 in `qwen-code`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_calls: Option<Threshold>,
        /// Tools that read what others change, so that the same call is a repeat only with the same result, for
        /// the rules of `qwen-code`; `task_list`.
        pub stateful_tools: Option<Vec<String>>,
        /// The number of calls in a row of `run_shell_command` that only look around with `git status`, `git
        /// diff` or `git ls-files`; 8 in `qwen-code`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_overviews: Option<Threshold>,
        /// More calls than this in a prompt stop the model, if one of them came `callCapRepeats` times; 100 in
        /// `qwen-code`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub call_cap: Option<Threshold>,
        /// How many times one call has to have come for that; 6.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub call_cap_repeats: Option<u64>,
        /// Whether the profile's optional rules are on, too: in `qwen-code` the six below and the windows of
        /// prose; `false`. Other profiles have none.
        pub heuristics: Option<bool>,
        /// The number of times that one call comes in a prompt, with others in between or not; 6 in `qwen-code`
        /// with `heuristics`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub duplicate_calls: Option<Threshold>,
        /// The number of rounds of two calls that take turns, whatever their results, at most 50; 3 in `qwen-code`
        /// with `heuristics`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub alternating_calls: Option<Threshold>,
        /// The number of calls that read, by tools called `read_…`, `list_…` or `zoom_image`, among the last
        /// `readWindow`, once another tool has been called; 8 in `qwen-code` with `heuristics`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub frequent_reads: Option<Threshold>,
        /// How many calls are looked back on for that; 15, at most 32.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub read_window: Option<u64>,
        /// The number of calls in a row of one tool, whatever the arguments; 8 in `qwen-code` with
        /// `heuristics`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub same_tool_calls: Option<Threshold>,
        /// The number of equal thoughts in a row with no call in between; 3 in `qwen-code` with `heuristics`.
        /// Each `reasoning` event is a thought, of which the subject, between `**`, and 200 UTF-16 code units
        /// are compared, case ignored.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_thoughts: Option<Threshold>,

        /// The number of equal calls among the last `callWindow` from which on each is a nudge; from twice as
        /// many on with the same result it is a stop; 10 in `openclaw`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub same_calls: Option<Threshold>,
        /// The same for calls that ask a running process how it is (`command_status`, and `process` with the
        /// action `poll` or `log`), which count only with the same result; 10 in `openclaw`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub unchanged_polls: Option<Threshold>,
        /// The number of calls by which two calls take turns from which on each is a nudge; from twice as many on
        /// with equal results it is a stop; 10 in `openclaw`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub calls_in_turn: Option<Threshold>,
        /// The number of calls in a row of a tool that does not exist, according to its errors; 10 in
        /// `openclaw`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub unknown_tool_calls: Option<Threshold>,
        /// How many calls these four look back on, the one at hand included; 30, at most 100.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub call_window: Option<u64>,

        /// The number of results in a row that are the same error of the same tool, in its first 100 characters,
        /// which stops the model; then the count starts again; 3 in `goose`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub same_errors: Option<Threshold>,

        /// The number of identical calls in a row with the same result at which the model is nudged; 3
        /// in `adaptive`. Cosmetic arguments, and what changes by itself, such as times, durations and
        /// ids, are not compared. Here and in the rules below, the stop follows when the run is half as
        /// long again, by two at least: at 5 after a nudge at 3.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_results: Option<Threshold>,
        /// The same for results that differ only in numbers; 5 in `adaptive`, because a number may be
        /// progress.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub similar_results: Option<Threshold>,
        /// The same for tools that wait, scroll or step, and commands that sleep; 10 in `adaptive`: silent
        /// builds are asked 6 to 8 times.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_waits: Option<Threshold>,
        /// The number of equal edits in a row, whatever their results; 3 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_edits: Option<Threshold>,
        /// The number of times that one file is written whole, with nothing else done; 3 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub rewrites: Option<Threshold>,
        /// The number of calls in a row, not all the same, with the same short error; 4 in `adaptive`:
        /// healthy sessions have 3.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub equal_errors: Option<Threshold>,
        /// The number of different calls in a row that fail in the same words, names and numbers left out;
        /// 6 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub similar_errors: Option<Threshold>,
        /// The number of edits in a row that are refused, with nothing but reading in between; 8 in
        /// `adaptive`. If they are refused in the same words, one more than half as many are enough: 5
        /// of 8.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub refused_edits: Option<Threshold>,
        /// The number of edits that were refused and come again unchanged, with others in between; 3 in
        /// `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub resent_edits: Option<Threshold>,
        /// The number of searches in a row, not all the same, with the same result; 8 in `adaptive`:
        /// healthy sessions have up to 5. It takes a quarter more, 10 of 8, if the results only have in
        /// common that nothing was found, and twice that after an edit.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub fruitless_searches: Option<Threshold>,
        /// The number of calls in a row, other than notes, whose command line only prints text with `echo`; 5 in
        /// `adaptive`. Whether there are results does not matter.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub echo_calls: Option<Threshold>,
        /// The number of requests in a row before whose calls the model says the same; 8 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_intents: Option<Threshold>,
        /// The number of rounds of the same calls with the same results; 3 in `adaptive`, one less for
        /// rounds of three requests or more, and twice as many with waiting in them or of acknowledgements
        /// alone.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub cycle_rounds: Option<Threshold>,
        /// The longest such round, in calls; 15, which is also the most.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub longest_cycle: Option<u64>,
        /// How many times the same call came with the same result within `scatteredWindow`, with others in
        /// between and no change to verify; 5 in `adaptive`. It is never a stop.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub scattered_repeats: Option<Threshold>,
        /// The number of calls that are looked back on for that; 20, at most 32.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub scattered_window: Option<u64>,
        /// The number of times that a call gives the same result although something was changed before
        /// each; 6 in `adaptive`. It is never a stop.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub ineffective_edits: Option<Threshold>,
        /// The number of different calls of one tool in a row that give the same result, of more than
        /// `shortResult` units; 5 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub equal_results: Option<Threshold>,
        /// The number of identical calls in one message; 8 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub calls_at_once: Option<Threshold>,
        /// The number of equal messages with no call in between, of 30 UTF-16 code units or more; 3 in
        /// `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub equal_messages: Option<Threshold>,
        /// The longest result, in UTF-16 code units without white space and escape sequences, in which
        /// words of errors and of success are looked for; at most 2,000. Default: 400. On recorded
        /// sessions, 200 to 400 make no difference; at 600, text that only talks about errors is taken
        /// for an error.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub short_result: Option<u64>,
        /// Tools that only note or say something, in addition to those whose names have words such as
        /// `think`, `todo` or `respond`. Default: none. Each entry of this list, of the four below and
        /// of `commandTools` is a tool's name or a word of it, as `read` is of `read_file` and
        /// `readFile`, case ignored; what comes before `__`, `.`, `/` or `:` is not part of a name.
        /// These lists count more than the words that are known, such as `wait`, `edit`, `write`,
        /// `bash` and `read`; if several lists fit, the first counts.
        pub note_tools: Option<Vec<String>>,
        /// Tools that wait, scroll or step, whose repeats may be meant.
        pub wait_tools: Option<Vec<String>>,
        /// Tools that change a part of something.
        pub edit_tools: Option<Vec<String>>,
        /// Tools that write something whole.
        pub write_tools: Option<Vec<String>>,
        /// Tools that read or search, and change nothing.
        pub search_tools: Option<Vec<String>>,
        /// Arguments that no rule compares, case ignored: names of keys, at the top of the arguments or within
        /// `params` and `nativeArgs`. The rules of `adaptive` leave out `description`, `explanation`,
        /// `task_progress`, `requires_approval`, `timeout` and the like in any case.
        pub cosmetic_arguments: Option<Vec<String>>,

        /// What of the arguments is compared by every rule over calls but those of preview models;
        /// `"sorted"`, in `gemini-cli`, `deepv` and `opencode` `"ordered"`, in `roo` `"params"`, in `cline`
        /// `"sorted_or_text"`, in `crush` `"raw"`.
        pub compare_arguments: Option<CompareArguments>,
        /// What of the results is compared by these rules; `"none"`, in `openhands` `"exit_code"`, in
        /// `crush` `"full"`.
        pub compare_results: Option<CompareResults>,
        /// What breaks a run of calls for `identicalCalls`, `rounds`, `limit` and the two thresholds:
        /// `"other_tool"`, which it is in every profile; in `opencode` everything else, too. Without it each
        /// tool's calls are a run of their own, at most 256 of them.
        pub breaks_run: Option<Vec<RunBreak>>,
        /// Whether `browser_action` calls that scroll are not counted; `false`. Roo Code did so once.
        pub skip_scrolling: Option<bool>,
        /// What begins a new prompt; `"id"`, in `adaptive` `"user"`.
        pub prompt_starts: Option<PromptStarts>,
        /// What becomes of a `stop`; `"latched"`, in `roo` `"reset"`, in `openhands`, `openhands-sdk`, `cline`,
        /// `crush`, `opencode`, `openclaw` and `goose` `"stateless"`.
        pub after_firing: Option<AfterFiring>,
        /// Whether `clear` only lifts a `stop`, so that the next repeat is one more; `false`, in
        /// `gemini-cli` `true`.
        pub clear_keeps_counts: Option<bool>,

        /// A passage of 2 to 1,000 UTF-16 code units is a loop at this number of copies without a break if
        /// they fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard` and
        /// `adaptive`. One copy is no repeat, so 1 counts as 2.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_passages: Option<Threshold>,
        /// The number of copies of such a passage without a break that is a nudge if they fill 600 units; 3
        /// in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub long_passages: Option<Threshold>,
        /// The number of sentences in a row that differ in one place only, by three words at most, that is a
        /// nudge; 5 in `adaptive`: written parallels reach 3.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub changing_slots: Option<Threshold>,
        /// The length of the windows of prose that are compared at every place; 50, in `deepv` 500, at most
        /// 5,000. With this rule verdicts depend on how prose is cut into deltas.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub unit: Option<u64>,
        /// The number of equal windows that is a loop; 10, in `deepv` 20, at most 100; 1 counts as 2.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub copies: Option<Threshold>,
        /// Their largest mean distance; 250, in `deepv` 750.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub mean_distance: Option<u64>,
        /// How many different texts there may be from each window to the next; 5, in `deepv` any number.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub distinct_gaps: Option<u64>,
        /// Units of prose that are looked back on; 5,000, in `deepv` 10,000, at most 100,000, at least
        /// `unit`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub history: Option<u64>,
        /// Whether a delta that looks like Markdown starts the windows afresh; `true`, in `deepv` `false`.
        pub markdown_resets: Option<bool>,
        /// Whether Markdown is read as it is written. As gemini-cli reads it, a dash begins no list, and digits,
        /// capitals and most punctuation are dividers; `false`, in `qwen-code` with `heuristics` `true`.
        pub strict_markdown: Option<bool>,
        /// Whether windows of white space and symbols, or of fewer than 15 other units, do not count;
        /// `false`, in `deepv` `true`.
        pub skip_symbols: Option<bool>,

        /// When to ask a model, or `false` for never; only `standard`, `adaptive`, `gemini-cli` and `deepv`
        /// ask.
        #[cfg_attr(
            feature = "typescript",
            ts(optional, type = "false | ModelCheckOptions")
        )]
        pub model_check: Option<ModelCheckSetting>,
        /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
        #[cfg_attr(
            feature = "typescript",
            ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
        )]
        pub messages: Option<LoopMessages>,
    }
}

impl LoopDetectorOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        Self::from_value(&options::from_json(MACHINE, json)?)
    }

    /// As [`from_json`](Self::from_json), of JSON that was read.
    pub(crate) fn from_value(value: &Value) -> Result<Self, Error> {
        table::read(MACHINE, Self::FIELDS, value)
    }

    /// The options that are set, as JSON.
    pub(crate) fn to_value(&self) -> Value {
        table::write(Self::FIELDS, self)
    }

    /// What is not set has the value that others have.
    pub(crate) fn or(mut self, others: Self) -> Self {
        table::fill(Self::FIELDS, &mut self, others);
        self
    }
}

/// As JSON has them, those that are set.
impl Serialize for LoopDetectorOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LoopDetectorOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(de::Error::custom)
    }
}
