// Generated from the Rust types by `cargo xtask shapes`. Do not edit.

/**
 * One thing that happened in a conversation.
 *
 * Text comes as deltas, cut anywhere. Lengths and offsets count UTF-16 code units, as
 * JavaScript's `length` does.
 */
export type AgentEvent =
  | {
      /**
       * A delta of the assistant's prose.
       */
      type: "text";
      /**
       * The delta.
       */
      text: string;
    }
  | {
      /**
       * A delta of the model's thinking.
       */
      type: "reasoning";
      /**
       * The delta.
       */
      text: string;
    }
  | {
      /**
       * The model asks for a tool.
       */
      type: "tool_call";
      /**
       * The provider's id of the call.
       */
      id?: string;
      /**
       * The tool's name.
       */
      name: string;
      /**
       * Any JSON value, or the same as a JSON string. Left out where the format carries none.
       */
      args?: unknown;
    }
  | {
      /**
       * A tool answered.
       */
      type: "tool_result";
      /**
       * The id of the call that it answers.
       */
      id?: string;
      /**
       * What the tool printed or returned: a string, or the parts of a provider's message, whose texts
       * count, a line each. A picture or a file counts by its type, and an array of anything else as
       * JSON. An empty one is a result.
       */
      output: string | readonly object[];
      /**
       * Whether the host or the tool marked it as an error.
       */
      isError?: boolean;
      /**
       * A command's exit code.
       */
      exitCode?: number;
    }
  | {
      /**
       * The model begins to answer: one request to the provider.
       */
      type: "turn_started";
    }
  | {
      /**
       * The user said something.
       */
      type: "user_message";
    }
  | {
      /**
       * The model's answer ended.
       */
      type: "finished";
    }
  | {
      /**
       * The host shortened the conversation's history.
       */
      type: "condensation";
    }
  | {
      /**
       * The last turn is tried again: what it counted is taken back.
       */
      type: "retry";
    }
  | {
      /**
       * The host's own detector has found a loop.
       */
      type: "loop_reported";
      /**
       * Which detector that is.
       */
      by?: string;
      /**
       * What it said.
       */
      detail?: string;
    }
  | {
      /**
       * Anything else; it changes nothing.
       */
      type: "other";
    };

/**
 * The field's names for the ways in which an agent gets stuck.
 *
 * - `"consecutive_identical_tool_calls"`: The same tool with the same arguments, again and again.
 * - `"repeated_tool_cycle"`: A sequence of calls that repeats.
 * - `"same_tool_different_arguments"`: The same tool too often, whatever its arguments.
 * - `"repeated_error"`: The same error, whatever was tried.
 * - `"chanting_identical_sentences"`: The same passage of text without end.
 * - `"monologue"`: The same message with nothing done in between.
 * - `"llm_detected_loop"`: A model judged that the conversation goes in circles.
 * - `"host_detected_loop"`: The host's own detector found it.
 */
export type LoopType =
  | "consecutive_identical_tool_calls"
  | "repeated_tool_cycle"
  | "same_tool_different_arguments"
  | "repeated_error"
  | "chanting_identical_sentences"
  | "monologue"
  | "llm_detected_loop"
  | "host_detected_loop";

/**
 * The rule that fired. `docs/loop-detector.md` has a table of what each finds.
 *
 * - `"identical_calls"`: Identical calls in a row.
 * - `"identical_calls_limit"`: The same, as Roo Code counts them.
 * - `"identical_calls_thresholds"`: The same, as Cline counts them.
 * - `"repeated_cycle"`: Rounds of the same calls.
 * - `"monitored_calls"`: A preview model's calls in a row of one monitored tool.
 * - `"repeated_pairs"`: Equal actions with equal results.
 * - `"repeated_errors"`: Equal actions whose results are errors.
 * - `"syntax_errors"`: Equal actions that end in the same syntax error.
 * - `"repeated_messages"`: Equal messages.
 * - `"alternating_pairs"`: Two actions that take turns.
 * - `"repeated_condensations"`: Condensations in a row.
 * - `"repeated_results"`: Equal calls with equal results.
 * - `"similar_results"`: Equal calls whose results differ in numbers.
 * - `"repeated_waits"`: Equal calls that wait.
 * - `"repeated_edits"`: Equal edits.
 * - `"rewrites"`: One file written whole again and again.
 * - `"equal_errors"`: Different calls with the same error.
 * - `"similar_errors"`: Different calls that fail in the same words.
 * - `"refused_edits"`: Edits that are refused, whatever they are.
 * - `"resent_edits"`: Edits that come again as they were refused.
 * - `"fruitless_searches"`: Different searches with the same result.
 * - `"echo_calls"`: Calls that only print text.
 * - `"repeated_intents"`: The same words before each call.
 * - `"equal_messages"`: Equal messages with no call in between.
 * - `"cycle_rounds"`: Rounds of the same calls with the same results.
 * - `"scattered_repeats"`: The same call and result, with others in between.
 * - `"ineffective_edits"`: The same call and result after each edit.
 * - `"preview_calls"`: A preview model's calls of one tool.
 * - `"preview_intensive_calls"`: The same for tools that cost much.
 * - `"repeated_steps"`: Equal steps among the last ones.
 * - `"repeated_passages"`: A passage of text without a break.
 * - `"changing_slots"`: Sentences that differ in one place.
 * - `"repeated_windows"`: Equal windows of prose near each other.
 * - `"model_check"`: A model that was asked.
 * - `"host_report"`: The host's own detector.
 */
export type RuleName =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls"
  | "repeated_pairs"
  | "repeated_errors"
  | "syntax_errors"
  | "repeated_messages"
  | "alternating_pairs"
  | "repeated_condensations"
  | "recent_pairs"
  | "recent_errors"
  | "recent_messages"
  | "recent_turns"
  | "repeated_calls"
  | "repeated_overviews"
  | "call_cap"
  | "duplicate_calls"
  | "alternating_calls"
  | "frequent_reads"
  | "same_tool_calls"
  | "repeated_thoughts"
  | "unknown_tool_calls"
  | "unchanged_polls"
  | "calls_in_turn"
  | "same_calls"
  | "same_errors"
  | "repeated_results"
  | "similar_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "similar_errors"
  | "refused_edits"
  | "resent_edits"
  | "fruitless_searches"
  | "echo_calls"
  | "repeated_intents"
  | "equal_messages"
  | "cycle_rounds"
  | "scattered_repeats"
  | "ineffective_edits"
  | "preview_calls"
  | "preview_intensive_calls"
  | "repeated_steps"
  | "repeated_passages"
  | "changing_slots"
  | "repeated_windows"
  | "model_check"
  | "host_report";

/**
 * A set of rules with their thresholds.
 *
 * - `"standard"`: The rules of the agent that this library grew from.
 * - `"adaptive"`: This library's own rules over calls and their results; the default.
 * - `"gemini-cli"`: The verdicts of gemini-cli.
 * - `"deepv"`: The verdicts of DeepV Code.
 * - `"openhands"`: The verdicts of OpenHands.
 * - `"roo"`: The verdicts of Roo Code.
 * - `"cline"`: The verdicts of Cline.
 * - `"crush"`: The verdicts of crush.
 */
export type LoopProfile =
  | "standard"
  | "adaptive"
  | "gemini-cli"
  | "deepv"
  | "openhands"
  | "roo"
  | "cline"
  | "crush"
  | "openhands-sdk"
  | "opencode"
  | "qwen-code"
  | "openclaw"
  | "goose";

/**
 * Which text repeats: the assistant's prose or its thinking.
 *
 * - `"text"`: The assistant's prose.
 * - `"reasoning"`: The model's thinking.
 */
export type Channel = "text" | "reasoning";

/**
 * What a loop has cost so far.
 */
export type Wasted = {
  /**
   * Tool calls, from the loop's first one on.
   */
  calls: number;
  /**
   * UTF-16 code units of text, reasoning and, where a rule looks at them, results; and the bytes
   * in which calls are compared, which are about as many as their JSON has.
   */
  characters: number;
};

/** The types of a loop that is about calls. */
export type CallLoopType =
  | "consecutive_identical_tool_calls"
  | "repeated_tool_cycle"
  | "same_tool_different_arguments"
  | "repeated_error";

/** The rules that report one. */
export type CallRule =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls"
  | "repeated_pairs"
  | "repeated_errors"
  | "syntax_errors"
  | "alternating_pairs"
  | "repeated_condensations"
  | "recent_pairs"
  | "recent_errors"
  | "recent_turns"
  | "repeated_calls"
  | "repeated_overviews"
  | "call_cap"
  | "duplicate_calls"
  | "alternating_calls"
  | "frequent_reads"
  | "same_tool_calls"
  | "unknown_tool_calls"
  | "unchanged_polls"
  | "calls_in_turn"
  | "same_calls"
  | "same_errors"
  | "repeated_results"
  | "similar_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "similar_errors"
  | "refused_edits"
  | "resent_edits"
  | "fruitless_searches"
  | "echo_calls"
  | "repeated_intents"
  | "cycle_rounds"
  | "scattered_repeats"
  | "ineffective_edits"
  | "preview_calls"
  | "preview_intensive_calls"
  | "repeated_steps";

/** The types of a loop that is about text. */
export type TextLoopType = "chanting_identical_sentences" | "monologue";

/** The rules that report one. */
export type TextRule =
  | "repeated_pairs"
  | "repeated_errors"
  | "syntax_errors"
  | "repeated_messages"
  | "alternating_pairs"
  | "recent_messages"
  | "repeated_thoughts"
  | "equal_messages"
  | "repeated_passages"
  | "changing_slots"
  | "repeated_windows";

/** The types of a loop that is about the whole conversation. */
export type JudgedLoopType = "llm_detected_loop" | "host_detected_loop";

/** The rules that report one. */
export type JudgedRule = "model_check" | "host_report";

/**
 * What every report says.
 */
export interface LoopReportFields {
  /**
   * The profile that the rule belongs to.
   */
  profile: LoopProfile;
  /**
   * How many repeats were counted; for `model_check` the turns of the prompt.
   */
  count: number;
  /**
   * The count at which the rule fires.
   */
  threshold: number;
  /**
   * Which detection in this prompt this is, counting from 1; `clear()` does not reset it.
   */
  strike: number;
  /**
   * What has been spent since the loop began, the event that fired included; nothing where it is
   * not known when it began.
   */
  wasted: Wasted;
  /**
   * An excerpt of what repeats, or of the reasons for a judgement; at most 300 UTF-16 code units.
   */
  evidence: string;
  /**
   * For the user, at most 500 UTF-16 code units.
   */
  message: string;
  /**
   * For the model's history: what was repeated, how often, and what to do differently; at most
   * 2,000 UTF-16 code units.
   */
  feedback: string;
}

/**
 * Tool calls that repeat. Indexes count the calls of the prompt, from 0.
 */
export interface CallLoopReport extends LoopReportFields {
  /**
   * The way in which the agent is stuck.
   */
  type: CallLoopType;
  /**
   * The rule that fired.
   */
  rule: CallRule;
  /**
   * The tool of the last call; left out for condensations.
   */
  tool?: string;
  /**
   * SHA-256 over `name:arguments` of that call, the arguments as JSON with sorted keys: 64
   * lower-case hexadecimal characters.
   */
  callKey?: string;
  /**
   * How many calls a round has; left out if it is one.
   */
  period?: number;
  /**
   * The call with which the repeats begin.
   */
  firstIndex: number;
  /**
   * The call at which the rule fired.
   */
  lastIndex: number;
  /**
   * Only reports about text have it.
   */
  channel?: undefined;
}

/**
 * Text that repeats. Indexes are offsets into the prompt's prose, or into its reasoning, in UTF-16
 * code units.
 */
export interface TextLoopReport extends LoopReportFields {
  /**
   * The way in which the agent is stuck.
   */
  type: TextLoopType;
  /**
   * The rule that fired.
   */
  rule: TextRule;
  /**
   * Which text.
   */
  channel: Channel;
  /**
   * The length of what repeats, in UTF-16 code units; for messages that take turns, their number.
   */
  period?: number;
  /**
   * Where the repeats begin.
   */
  firstIndex: number;
  /**
   * The code unit at which the rule fired.
   */
  lastIndex: number;
  /**
   * Only reports about calls have it.
   */
  tool?: undefined;
  /**
   * Only reports about calls have it.
   */
  callKey?: undefined;
}

/**
 * The conversation goes in circles, as someone else judges: a model that was asked, or the
 * host's own detector.
 */
export interface JudgedLoopReport extends LoopReportFields {
  /**
   * The way in which the agent is stuck.
   */
  type: JudgedLoopType;
  /**
   * What asked for the judgement.
   */
  rule: JudgedRule;
  /**
   * 0: it is about the whole prompt.
   */
  firstIndex: number;
  /**
   * The newest call of the prompt, counting from 0.
   */
  lastIndex: number;
  /**
   * Only reports about calls have it.
   */
  tool?: undefined;
  /**
   * Only reports about calls have it.
   */
  callKey?: undefined;
  /**
   * Only reports about calls and text have it.
   */
  period?: undefined;
  /**
   * Only reports about text have it.
   */
  channel?: undefined;
}

/** Why an agent was found stuck; `type` tells what it is about. */
export type LoopReport = CallLoopReport | TextLoopReport | JudgedLoopReport;

/**
 * What the host should do now.
 */
export type LoopVerdict =
  | {
      /**
       * Go on.
       */
      action: "ok";
    }
  | {
      /**
       * Tell the model, and let it go on.
       */
      action: "nudge";
      /**
       * Why.
       */
      report: LoopReport;
    }
  | {
      /**
       * Stop the model.
       */
      action: "stop";
      /**
       * Why.
       */
      report: LoopReport;
    };

/**
 * The host's own texts for one type of loop. `{tool}`, `{count}`, `{threshold}` and `{period}`
 * are filled in.
 */
export type MessageTexts = {
  /**
   * For the user; cut to 500 UTF-16 code units.
   */
  message?: string;
  /**
   * For the model's history; cut to 2,000 UTF-16 code units.
   */
  feedback?: string;
};

/**
 * When a model is asked for its opinion. What is left out has the profile's value, or `standard`'s.
 */
export type ModelCheckOptions = {
  /**
   * From this turn of a prompt on; 30.
   */
  afterTurns?: number;
  /**
   * Turns from one request to the next until the first answer; 3, in `gemini-cli` 10.
   */
  interval?: number;
  /**
   * Turns to the next request after an answer of confidence 1; 5.
   */
  minInterval?: number;
  /**
   * Turns to the next request after an answer of confidence 0; 15.
   */
  maxInterval?: number;
  /**
   * How many of the newest entries of the history the model gets to see; 20.
   */
  historyCount?: number;
  /**
   * A confidence above this, from 0 to 1, is a loop; 0.9.
   */
  confidence?: number;
  /**
   * Whether exactly this confidence is a loop, too; `false`, in `gemini-cli` `true`.
   */
  inclusive?: boolean;
};

/**
 * What begins a new prompt, and so resets every count.
 *
 * - `"id"`: Every new id.
 * - `"user"`: The user. While the model works, which it does if the last thing that it did is a call or has
 *   got a result, a new id continues the prompt, unless the user's words come with it or a
 *   `user_message` has come. Some agents give each batch of results an id of its own.
 */
export type PromptStarts = "id" | "user";

/**
 * What becomes of a `stop`.
 *
 * - `"latched"`: Every further event gets it, until a new prompt or `clear`.
 * - `"reset"`: The rule that fired starts afresh; the next event is judged as if it had not. For a rule over
 *   prose that is the next delta, so verdicts then depend on how prose is cut.
 * - `"stateless"`: The verdict is what the rules say of the events so far, so it ends with its reason: with a
 *   different call, for instance. While it holds, every further call is a stop, and so is a result where
 *   results are looked at; text, a turn and a message of the user are not.
 */
export type AfterFiring = "latched" | "reset" | "stateless";

/**
 * What of a call's arguments is compared.
 *
 * - `"sorted"`: Their value; the order of keys does not matter, and a JSON string is the value that it holds.
 * - `"sorted_or_text"`: The same, but a string is compared as it is, and is the same as a value only if it is what
 *   `JSON.stringify` prints of it with sorted keys. No arguments are the same as `null`.
 * - `"ordered"`: Their value with keys in the order given; a JSON string is the value that it holds.
 * - `"raw"`: As they were written: a string as it is, anything else by its value with keys in the order
 *   given.
 * - `"params"`: Of their keys, `params` and, unless it has no keys or items, `nativeArgs`, with keys in any order.
 *   Arguments without these two count as `params`.
 * - `"none"`: Nothing: all calls of one tool are the same.
 */
export type CompareArguments = "sorted" | "sorted_or_text" | "ordered" | "raw" | "params" | "none";

/**
 * What of a result is compared.
 *
 * - `"none"`: Nothing: calls are counted when they are made.
 * - `"exit_code"`: Of a command, its exit code, if the result carries one; otherwise the whole output.
 * - `"full"`: The whole output.
 */
export type CompareResults = "none" | "exit_code" | "full";

/**
 * What breaks a run of calls.
 *
 * - `"text"`: Prose of the assistant.
 * - `"user_message"`: A message of the user.
 * - `"other_tool"`: A call of another tool.
 */
export type RunBreak = "text" | "reasoning" | "turn" | "user_message" | "other_tool";

/**
 * The options of a `LoopDetector`, one list for all profiles. What is left out
 * has the profile's value.
 *
 * A rule is on if its profile has it or if one of its thresholds is set; its other options then have
 * the values that are given here. An option that only says how a rule works changes nothing while the
 * rule is off. So a host can add rules to a profile, or put together a profile of its own.
 *
 * A threshold is an integer of at least 1, or `false`, which switches its rule off. A number in an
 * option's documentation is that of the profile which it names, or of every profile that has the rule.
 */
export type LoopDetectorOptions = {
  /**
   * The profile; `adaptive` if it is left out.
   */
  profile?: LoopProfile;
  /**
   * The number of identical calls in a row that stops the model; 10 in `standard` and `deepv`.
   */
  identicalCalls?: number | false;
  /**
   * Which models are watched by `previewCalls`, `previewIntensiveCalls` and `monitoredCalls`: those
   * whose name contains the string, case ignored, or matches the pattern; `/preview/i`.
   */
  previewModel?: string | RegExp;
  /**
   * The number of calls of one tool since the prompt started that stops a preview model; 5 in
   * `standard`.
   */
  previewCalls?: number | false;
  /**
   * The same for the tools of `intensiveTools`; 4 in `standard`.
   */
  previewIntensiveCalls?: number | false;
  /**
   * `read_file`, `read_many_files`, `glob`, `search_file_content` and `ls`.
   */
  intensiveTools?: Array<string>;
  /**
   * The number of calls in a row of one tool of `monitoredTools`, whatever the arguments, that stops
   * a preview model; 32 in `deepv`.
   */
  monitoredCalls?: number | false;
  /**
   * `read_file`, `read_many_files`, `glob`, `search_file_content`, `ls`, `replace`, `write_file`,
   * `delete_file` and `shell`.
   */
  monitoredTools?: Array<string>;
  /**
   * The number of rounds of a cycle of calls that stops the model; 5 in `gemini-cli`.
   */
  rounds?: number | false;
  /**
   * The shortest cycle that counts, in calls; 1.
   */
  minPeriod?: number;
  /**
   * The longest cycle that counts, in calls, at most 100; 5.
   */
  maxPeriod?: number;
  /**
   * More identical calls in a row than this stop the model; 3 in `roo`. It may be any integer: at 0
   * or less the rule is off.
   */
  limit?: number | false;
  /**
   * The same under the name that goose has for it; off in `goose`, too, until it is set.
   */
  maxRepetitions?: number | false;
  /**
   * Exactly this number of identical calls in a row is a nudge; 3 in `cline`.
   */
  softThreshold?: number | false;
  /**
   * This number of identical calls in a row, or more, stops the model; 5 in `cline`.
   */
  hardThreshold?: number | false;
  /**
   * How many steps the rule over equal steps looks back on: more than `maxRepeats` equal ones among
   * them stop the model. A step is all that the model calls from one `turn_started` to the next,
   * with the results. 10 in `crush`, at most 100.
   */
  windowSize?: number;
  /**
   * More equal steps than this stop the model; 5 in `crush`.
   */
  maxRepeats?: number | false;
  /**
   * The number of steps before which that rule is silent; as many as `windowSize`.
   */
  windowMinimum?: number;
  /**
   * Whether exactly the number of `rounds` (`true`), `limit` or `maxRepeats` (`false`) fires, or only
   * a larger one. Set, it holds for all three.
   */
  inclusive?: boolean;
  /**
   * The number of equal actions in a row, a call or a message of the model, that together with as
   * many equal results in a row stops the model; 4 in `openhands`.
   */
  repeatedPairs?: number | false;
  /**
   * The same for rounds of two actions that take turns; 3 in `openhands`.
   */
  alternatingPairs?: number | false;
  /**
   * The number of equal actions and of results that are errors, equal or not; 3 in `openhands`.
   */
  repeatedErrors?: number | false;
  /**
   * The number of equal actions and of results that end in the same syntax error of a Jupyter cell;
   * 3 in `openhands`.
   */
  syntaxErrors?: number | false;
  /**
   * The number of equal messages of the model with no result in between; 3 in `openhands`.
   */
  repeatedMessages?: number | false;
  /**
   * The number of condensations with no action and no result in between; 10 in `openhands`.
   */
  repeatedCondensations?: number | false;
  /**
   * Whether these six rules look at the whole prompt instead of what follows the last
   * `user_message`; `false`.
   */
  headless?: boolean;
  /**
   * Tools that run a command, whose exit code stands for their output where `compareResults` says
   * so, and whose command line `adaptive` reads; the shell tools of the agents whose sessions this
   * package reads.
   */
  commandTools?: Array<string>;
  /**
   * The number of equal calls in a row with equal results, among the last `recentEvents`, that stops
   * the model; 4 in `openhands-sdk`. For this and the three below, what is said in front of a call, in
   * the same turn, is compared with it, and results are compared in full.
   */
  recentPairs?: number | false;
  /**
   * The number of equal calls whose results are errors, equal or not, that stops the model; one less is
   * a nudge; 4 in `openhands-sdk`.
   */
  recentErrors?: number | false;
  /**
   * The number of messages of the model, equal or not, with nothing but condensations in between; 3 in
   * `openhands-sdk`. A message counts when it is over: what is said in front of a call is none.
   */
  recentMessages?: number | false;
  /**
   * The number of rounds of two calls that take turns, with equal results; 3 in `openhands-sdk`.
   */
  recentTurns?: number | false;
  /**
   * How many events these four look back on, calls, results, messages and condensations, at most to
   * the user's last message; 20, at most 100.
   */
  recentEvents?: number;
  /**
   * The number of identical calls in a row that stops the model, those of `statefulTools` only if all
   * results in between were equal; 5 in `qwen-code`.
   */
  repeatedCalls?: number | false;
  /**
   * Tools that read what others change, so that the same call is a repeat only with the same result, for
   * the rules of `qwen-code`; `task_list`.
   */
  statefulTools?: Array<string>;
  /**
   * The number of calls in a row of `run_shell_command` that only look around with `git status`, `git
   * diff` or `git ls-files`; 8 in `qwen-code`.
   */
  repeatedOverviews?: number | false;
  /**
   * More calls than this in a prompt stop the model, if one of them came `callCapRepeats` times; 100 in
   * `qwen-code`.
   */
  callCap?: number | false;
  /**
   * How many times one call has to have come for that; 6.
   */
  callCapRepeats?: number;
  /**
   * Whether the profile's optional rules are on, too: in `qwen-code` the six below and the windows of
   * prose; `false`. Other profiles have none.
   */
  heuristics?: boolean;
  /**
   * The number of times that one call comes in a prompt, with others in between or not; 6 in `qwen-code`
   * with `heuristics`.
   */
  duplicateCalls?: number | false;
  /**
   * The number of rounds of two calls that take turns, whatever their results, at most 50; 3 in `qwen-code`
   * with `heuristics`.
   */
  alternatingCalls?: number | false;
  /**
   * The number of calls that read, by tools called `read_…`, `list_…` or `zoom_image`, among the last
   * `readWindow`, once another tool has been called; 8 in `qwen-code` with `heuristics`.
   */
  frequentReads?: number | false;
  /**
   * How many calls are looked back on for that; 15, at most 32.
   */
  readWindow?: number;
  /**
   * The number of calls in a row of one tool, whatever the arguments; 8 in `qwen-code` with
   * `heuristics`.
   */
  sameToolCalls?: number | false;
  /**
   * The number of equal thoughts in a row with no call in between; 3 in `qwen-code` with `heuristics`.
   * Each `reasoning` event is a thought, of which the subject, between `**`, and 200 UTF-16 code units
   * are compared, case ignored.
   */
  repeatedThoughts?: number | false;
  /**
   * The number of equal calls among the last `callWindow` from which on each is a nudge; from twice as
   * many on with the same result it is a stop; 10 in `openclaw`.
   */
  sameCalls?: number | false;
  /**
   * The same for calls that ask a running process how it is (`command_status`, and `process` with the
   * action `poll` or `log`), which count only with the same result; 10 in `openclaw`.
   */
  unchangedPolls?: number | false;
  /**
   * The number of calls by which two calls take turns from which on each is a nudge; from twice as many on
   * with equal results it is a stop; 10 in `openclaw`.
   */
  callsInTurn?: number | false;
  /**
   * The number of calls in a row of a tool that, as the errors say, there is not; 10 in `openclaw`.
   */
  unknownToolCalls?: number | false;
  /**
   * How many calls these four look back on, the one at hand included; 30, at most 100.
   */
  callWindow?: number;
  /**
   * The number of results in a row that are the same error of the same tool, in its first 100 characters,
   * which stops the model; then the count starts again; 3 in `goose`.
   */
  sameErrors?: number | false;
  /**
   * The number of calls in a row that are the same and got the same result that is a nudge; 3 in
   * `adaptive`. Cosmetic arguments, and what changes by itself, such as clocks, durations and ids,
   * are not compared. Here and below, half as many again, two at least, are a stop: 5 of 3.
   */
  repeatedResults?: number | false;
  /**
   * The same where the results differ in numbers; 5 in `adaptive`, for a number may be progress.
   */
  similarResults?: number | false;
  /**
   * The same for tools that wait, scroll or step, and commands that sleep; 10 in `adaptive`: silent
   * builds are asked 6 to 8 times.
   */
  repeatedWaits?: number | false;
  /**
   * The number of equal edits in a row, whatever their results; 3 in `adaptive`.
   */
  repeatedEdits?: number | false;
  /**
   * The number of times that one file is written whole, with nothing else done; 3 in `adaptive`.
   */
  rewrites?: number | false;
  /**
   * The number of calls in a row, not all the same, with the same short error; 4 in `adaptive`:
   * healthy sessions have 3.
   */
  equalErrors?: number | false;
  /**
   * The number of different calls in a row that fail in the same words, names and numbers left out;
   * 6 in `adaptive`.
   */
  similarErrors?: number | false;
  /**
   * The number of edits in a row that are refused, with nothing but reading in between; 8 in `adaptive`.
   */
  refusedEdits?: number | false;
  /**
   * The number of edits that were refused and come again unchanged, with others in between; 3 in
   * `adaptive`.
   */
  resentEdits?: number | false;
  /**
   * The number of searches in a row, not all the same, with the same result; 8 in `adaptive`: healthy
   * sessions have up to 5. A quarter more if they only say, in any words, that nothing was found, and
   * twice that after an edit.
   */
  fruitlessSearches?: number | false;
  /**
   * The number of calls in a row, other than notes, whose command line only prints text with `echo`; 5 in
   * `adaptive`. Whether there are results does not matter.
   */
  echoCalls?: number | false;
  /**
   * The number of requests in a row before whose calls the model says the same; 8 in `adaptive`.
   */
  repeatedIntents?: number | false;
  /**
   * The number of rounds of the same calls with the same results; 3 in `adaptive`, one less for
   * rounds of three requests or more, and twice as many with waiting in them or of acknowledgements
   * alone.
   */
  cycleRounds?: number | false;
  /**
   * The longest such round, in calls; 10, which is also the most.
   */
  longestCycle?: number;
  /**
   * How many times the same call came with the same result within `scatteredWindow`, with others in
   * between and no change to verify; 5 in `adaptive`. It is never a stop.
   */
  scatteredRepeats?: number | false;
  /**
   * The number of calls that are looked back on for that; 20, at most 32.
   */
  scatteredWindow?: number;
  /**
   * The number of times that a call gives the same result although something was changed before
   * each; 6 in `adaptive`. It is never a stop.
   */
  ineffectiveEdits?: number | false;
  /**
   * The number of equal messages with no call in between, of 30 UTF-16 code units or more; 3 in
   * `adaptive`.
   */
  equalMessages?: number | false;
  /**
   * Only in results of at most this many UTF-16 code units, white space and escape sequences left
   * out, are words of errors and of success looked for; 400, at most 2,000. From 200 to 400 nothing
   * changes, at 600 text that only speaks of errors is taken for one.
   */
  shortResult?: number;
  /**
   * Tools that change nothing but what is noted or said, in addition to those whose names have words
   * such as `think`, `todo` or `respond`. For this and the five lists below, and `commandTools`, a
   * name, or a word of names as in `read_file` and `readFile`, case ignored; what comes before `__`,
   * `.`, `/` or `:` is left out. A tool is what the first of them says; what a host says comes before
   * the words that are known: `wait`, `edit`, `write`, `bash`, `read` and the like.
   */
  noteTools?: Array<string>;
  /**
   * Tools that wait, scroll or step, whose repeats may be meant.
   */
  waitTools?: Array<string>;
  /**
   * Tools that change a part of something.
   */
  editTools?: Array<string>;
  /**
   * Tools that write something whole.
   */
  writeTools?: Array<string>;
  /**
   * Tools that read or search, and change nothing.
   */
  searchTools?: Array<string>;
  /**
   * Arguments that no rule compares, case ignored: names of keys, at the top of the arguments or within
   * `params` and `nativeArgs`. The rules of `adaptive` leave out `description`, `explanation`,
   * `task_progress`, `requires_approval`, `timeout` and the like in any case.
   */
  cosmeticArguments?: Array<string>;
  /**
   * What of the arguments is compared by every rule over calls but those of preview models;
   * `"sorted"`, in `gemini-cli`, `deepv` and `opencode` `"ordered"`, in `roo` `"params"`, in `cline`
   * `"sorted_or_text"`, in `crush` `"raw"`.
   */
  compareArguments?: CompareArguments;
  /**
   * What of the results is compared by these rules; `"none"`, in `openhands` `"exit_code"`, in
   * `crush` `"full"`.
   */
  compareResults?: CompareResults;
  /**
   * What breaks a run of calls for `identicalCalls`, `rounds`, `limit` and the two thresholds:
   * `"other_tool"`, which it is in every profile; in `opencode` everything else, too. Without it each
   * tool's calls are a run of their own, at most 256 of them.
   */
  breaksRun?: Array<RunBreak>;
  /**
   * Whether `browser_action` calls that scroll are not counted; `false`. Roo Code did so once.
   */
  skipScrolling?: boolean;
  /**
   * What begins a new prompt; `"id"`, in `adaptive` `"user"`.
   */
  promptStarts?: PromptStarts;
  /**
   * What becomes of a `stop`; `"latched"`, in `roo` `"reset"`, in `openhands`, `openhands-sdk`, `cline`,
   * `crush`, `opencode`, `openclaw` and `goose` `"stateless"`.
   */
  afterFiring?: AfterFiring;
  /**
   * Whether `clear` only lifts a `stop`, so that the next repeat is one more; `false`, in
   * `gemini-cli` `true`.
   */
  clearKeepsCounts?: boolean;
  /**
   * A passage of 2 to 1,000 UTF-16 code units is a loop at this number of copies without a break if
   * they fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard` and
   * `adaptive`. One copy is no repeat, so 1 counts as 2.
   */
  repeatedPassages?: number | false;
  /**
   * The number of copies of such a passage without a break that is a nudge if they fill 600 units; 3
   * in `adaptive`.
   */
  longPassages?: number | false;
  /**
   * The number of sentences in a row that differ in one place only, by three words at most, that is a
   * nudge; 5 in `adaptive`: written parallels reach 3.
   */
  changingSlots?: number | false;
  /**
   * The length of the windows of prose that are compared at every place; 50, in `deepv` 500, at most
   * 5,000. With this rule verdicts depend on how prose is cut into deltas.
   */
  unit?: number;
  /**
   * The number of equal windows that is a loop; 10, in `deepv` 20, at most 100; 1 counts as 2.
   */
  copies?: number | false;
  /**
   * Their largest mean distance; 250, in `deepv` 750.
   */
  meanDistance?: number;
  /**
   * How many different texts there may be from each window to the next; 5, in `deepv` any number.
   */
  distinctGaps?: number;
  /**
   * Units of prose that are looked back on; 5,000, in `deepv` 10,000, at most 100,000, at least
   * `unit`.
   */
  history?: number;
  /**
   * Whether a delta that looks like Markdown starts the windows afresh; `true`, in `deepv` `false`.
   */
  markdownResets?: boolean;
  /**
   * Whether Markdown is read as it is written. As gemini-cli reads it, a dash begins no list, and digits,
   * capitals and most punctuation are dividers; `false`, in `qwen-code` with `heuristics` `true`.
   */
  strictMarkdown?: boolean;
  /**
   * Whether windows of white space and symbols, or of fewer than 15 other units, do not count;
   * `false`, in `deepv` `true`.
   */
  skipSymbols?: boolean;
  /**
   * When to ask a model, or `false` for never; only `standard`, `adaptive`, `gemini-cli` and `deepv`
   * ask.
   */
  modelCheck?: false | ModelCheckOptions;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/**
 * What to ask a model, with the last `historyCount` entries of the conversation before it.
 */
export type ModelCheckRequest = {
  /**
   * How many of the newest entries of the history to send along.
   */
  historyCount: number;
  /**
   * The system prompt of the request.
   */
  systemPrompt: string;
  /**
   * The user message that follows the history.
   */
  prompt: string;
  /**
   * The JSON schema of the answer: `confidence` (0 to 1) and `reasoning`.
   */
  schema: object;
};

/**
 * The longest run of calls under way, for a status line such as "3 of 5".
 */
export type Counts = {
  /**
   * The tool of the last call; none before the first.
   */
  tool?: string;
  /**
   * How many calls the run has; 0 if no rule counts any.
   */
  run: number;
  /**
   * The length at which a rule tells the model or stops it; 0 if no rule counts any.
   */
  threshold: number;
};

/**
 * The running prompt, as a host may log or show it.
 */
export type PromptInfo = {
  /**
   * The id that was given last; none before the first prompt.
   */
  id?: string;
  /**
   * The ids under which it came, the newest 32, from the oldest to the newest. More than one means
   * that a new id came while the model was at work.
   */
  ids: Array<string>;
  /**
   * The model that answers, if that is known.
   */
  model?: string;
  /**
   * Whether it is watched as a preview model.
   */
  isPreview: boolean;
  /**
   * How many calls there were.
   */
  calls: number;
};

/**
 * Whose rules paths follow.
 *
 * - `"posix"`: `/` separates, and case counts.
 * - `"win32"`: `/` and `\` separate, and case is ignored.
 */
export type PathPlatform = "posix" | "win32";

/**
 * Where the blocks of a conversation are.
 *
 * - `"latest"`: One block, in the newest user message; earlier ones are removed.
 * - `"delta"`: Earlier blocks stay, and a new one carries what is new or changed.
 */
export type Placement = "latest" | "delta";

/**
 * The options of a `GhostBlockAssembler`.
 */
export type AssemblerOptions = {
  /**
   * The absolute path that requests are relative to.
   */
  root: string;
  /**
   * Absolute paths of other folders that may be read.
   */
  allowedRoots?: Array<string>;
  /**
   * Whose rules paths follow; read off `root` if left out.
   */
  platform?: PathPlatform;
  /**
   * The tools that may be called; any, if left out.
   */
  tools?: Array<string>;
  /**
   * Macros that are there before any is defined: their values, by name. Prompts and rules can use
   * them and not change them.
   */
  macros?: Record<string, string>;
  /**
   * `latest`
   */
  placement?: Placement;
  /**
   * Tokens that a block may take; no limit.
   */
  maxTokens?: number;
  /**
   * Whether included files may act as rules do: macros, references and tool calls; false.
   */
  trustFiles?: boolean;
  /**
   * Whether `http:` and `https:` images are asked for; false.
   */
  remoteImages?: boolean;
  /**
   * Whether references and directives in code count; false.
   */
  referencesInCode?: boolean;
  /**
   * Documents within documents; 20.
   */
  maxDepth?: number;
  /**
   * Items of a conversation, and documents included by one; 1,000.
   */
  maxItems?: number;
  /**
   * Bytes of UTF-8 that one item may have; 1,048,576.
   */
  maxItemBytes?: number;
  /**
   * Bytes of UTF-8 that all items together may have; 16,777,216.
   */
  maxTotalBytes?: number;
  /**
   * Uses of macros in one document, those within values included; 1,000.
   */
  maxMacroExpansions?: number;
};

/**
 * What an item is of.
 *
 * - `"file"`: A file, lines of one, or a folder.
 * - `"tool"`: A tool call.
 * - `"rule"`: A rule.
 */
export type ItemType = "file" | "tool" | "rule";

/**
 * Where an item was mentioned first.
 *
 * - `"prompt"`: A prompt.
 * - `"rule"`: A rule, which its name tells. The items of rules are the rules themselves: what a rule refers
 *   to stands in the place of the reference.
 * - `"history"`: An old conversation that was scanned.
 * - `"file"`: An included file, which its path tells. No item has it so far: what a trusted file refers to
 *   stands in the place of the reference.
 */
export type OriginSource = "prompt" | "rule" | "history" | "file";

/**
 * Where an item was mentioned first, and when it was first and last. A turn is one prompt that is
 * assembled, from 1; what is scanned belongs to the turns before, at first to turn 0.
 */
export type ItemOrigin = {
  /**
   * Where it was mentioned first.
   */
  source: OriginSource;
  /**
   * Of a rule, its name; of a file, its path.
   */
  name?: string;
  /**
   * The turn that mentioned it first.
   */
  firstTurn: number;
  /**
   * The turn that mentioned it last.
   */
  lastTurn: number;
};

/**
 * Something that the conversation referred to.
 */
export type ContextItem = {
  /**
   * What it is of.
   */
  type: ItemType;
  /**
   * `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
   */
  key: string;
  /**
   * Its content, unless that is not known or it failed.
   */
  content?: string;
  /**
   * Why there is none.
   */
  error?: string;
  /**
   * A tool's arguments: a JSON object.
   */
  args?: object;
  /**
   * Who mentioned it first, and when.
   */
  from: ItemOrigin;
};

/**
 * What a reference refers to.
 *
 * - `"file"`: A file, lines of one, or a folder.
 * - `"tool"`: A tool call.
 * - `"image"`: An image.
 * - `"macro"`: A directive.
 */
export type ReferenceKind = "file" | "tool" | "image" | "macro";

/**
 * A reference or a directive of a prompt, as it is written there.
 */
export type Reference = {
  /**
   * What it refers to.
   */
  kind: ReferenceKind;
  /**
   * Where it begins, in UTF-16 code units.
   */
  start: number;
  /**
   * Where it ends.
   */
  end: number;
  /**
   * Of a file or an image, as it is written.
   */
  path?: string;
  /**
   * The first line, from 1; with it there is always a last one.
   */
  startLine?: number;
  /**
   * The last line, included; for a single line it is the first.
   */
  endLine?: number;
  /**
   * The tool's or the macro's.
   */
  name?: string;
};

/**
 * How bad it is.
 *
 * - `"error"`: Something was not done.
 * - `"warning"`: It was done, though perhaps not as it was meant.
 */
export type Severity = "error" | "warning";

/**
 * What is wrong, as a stable name.
 *
 * - `"unclosed_fence"`: Nothing closes a fenced block of code.
 * - `"unclosed_directive"`: Nothing closes `@{` on its line.
 * - `"unknown_command"`: `@{…}` begins with no known command.
 * - `"bad_directive"`: A command is not written as it has to be.
 * - `"stray_else"`: An `else` belongs to no condition.
 * - `"stray_endif"`: An `endif` belongs to no condition.
 * - `"unclosed_condition"`: Nothing ends a condition.
 * - `"undefined_macro"`: A macro is used that is not defined.
 * - `"read_only_macro"`: A prompt or a rule defines a macro that is the host's.
 * - `"macro_cycle"`: A macro uses itself.
 * - `"macro_limit"`: The macros of a text are used too often, or become too long.
 * - `"bad_pattern"`: The right side of `MATCHES` is no regular expression, or too large a one.
 * - `"condition_limit"`: The conditions of a text take too long.
 * - `"unclosed_reference"`: Nothing closes `@[` on its line.
 * - `"empty_reference"`: There is no path in a reference.
 * - `"bad_path"`: A path has an unpaired surrogate in it.
 * - `"bad_range"`: Lines of a file do not count from 1, or the last is before the first.
 * - `"bad_arguments"`: The braces of a tool call do not hold one JSON object.
 * - `"denied"`: A document includes a file that may not be read.
 * - `"unreadable"`: A document includes a file that the host did not give.
 * - `"cycle"`: A document includes itself.
 * - `"limit"`: A document includes more than the limits allow.
 * - `"tool_failed"`: A document calls a tool that failed.
 * - `"image"`: An image stays text.
 * - `"bad_front_matter"`: The front matter of a skill cannot be read.
 * - `"over_budget"`: The block is larger than its budget.
 * - `"unreadable_summary"`: A model's summary of a turn cannot be read, or says nothing; it is not stored.
 * - `"unreadable_field"`: A field of a model's summary is of another type than the schema says, and is left out.
 * - `"goal_dropped"`: A model's summary does not name the user's goal.
 * - `"no_open_point"`: A model's summary names no open point, though the task is not finished.
 * - `"summary_too_long"`: A model's summary is longer than what it sums up.
 */
export type DiagnosticCode =
  | "unclosed_fence"
  | "unclosed_directive"
  | "unknown_command"
  | "bad_directive"
  | "stray_else"
  | "stray_endif"
  | "unclosed_condition"
  | "undefined_macro"
  | "read_only_macro"
  | "macro_cycle"
  | "macro_limit"
  | "bad_pattern"
  | "condition_limit"
  | "unclosed_reference"
  | "empty_reference"
  | "bad_path"
  | "bad_range"
  | "bad_arguments"
  | "denied"
  | "unreadable"
  | "cycle"
  | "limit"
  | "tool_failed"
  | "image"
  | "bad_front_matter"
  | "over_budget"
  | "unreadable_summary"
  | "unreadable_field"
  | "goal_dropped"
  | "no_open_point"
  | "summary_too_long";

/**
 * Something to tell whoever wrote a prompt, a document or a summary.
 */
export type Diagnostic = {
  /**
   * `error` if something was not done, else `warning`.
   */
  severity: Severity;
  /**
   * A stable name of what is wrong.
   */
  code: DiagnosticCode;
  /**
   * For people.
   */
  message: string;
  /**
   * From 1; 1 for a summary.
   */
  line: number;
  /**
   * From 1, in UTF-16 code units; 1 for a summary.
   */
  column: number;
  /**
   * The rule or the file that it is about, or the field of a summary; the prompt, if left out.
   */
  source?: string;
};

/**
 * Which of several blocks of a message stays.
 *
 * - `"last"`: The last one, which is the freshest; the default.
 * - `"first"`: The first one.
 */
export type KeepBlock = "last" | "first";

/**
 * What stays of the blocks of older messages.
 *
 * - `"all"`: Everything; the default.
 * - `"changed"`: The sections that differ from the block before.
 */
export type KeepSections = "all" | "changed";

/**
 * What stays of a file's content that the history holds several times.
 *
 * - `"all"`: Every copy; the default.
 * - `"newest"`: The newest copy; the others give way to a line that says where it is.
 */
export type KeepFiles = "all" | "newest";

/**
 * Several options at once, for a moment in the life of a task.
 *
 * - `"resume"`: A task is resumed: `files: "newest"`, `recent: 1`, `sections: "changed"`.
 * - `"compact"`: The context is nearly full: as `resume`, with `writes` and `repeatedResults`, at once whatever
 *   the cache, and no more than `targetTokens` asks for.
 */
export type Economy = "resume" | "compact";

/**
 * What tokens cost that a provider caches, as shares of the price of tokens that it does not.
 */
export type CachePrices = {
  /**
   * A token that is read from the cache; 0.1.
   */
  read?: number;
  /**
   * A token that is written into it; 1.25.
   */
  write?: number;
};

/**
 * How warm the provider's prompt cache is. Times are in milliseconds and may be infinite.
 */
export type CacheState = {
  /**
   * How long ago the last request was.
   */
  idleMs: number;
  /**
   * How long the provider keeps a prompt; 300,000, which is five minutes.
   */
  lifetimeMs?: number;
  /**
   * How many requests are still expected. With it, older messages are rewritten while the cache is
   * warm, too, once the tokens that this saves in so many requests cost more than to read the
   * rest of the history anew.
   */
  requests?: number;
  /**
   * What cached tokens cost; `{ read: 0.1, write: 1.25 }`.
   */
  prices?: CachePrices;
};

/**
 * The settings of a `HistoryDeduper`.
 *
 * `recent`, `sections`, `files`, `writes` and `repeatedResults` rewrite older messages, which the
 * provider then has to read anew. They are off unless asked for.
 */
export type DedupeOptions = {
  /**
   * The names of the tags, without brackets; `["environment_details"]`. Of each, one block is
   * kept.
   */
  tags?: Array<string>;
  /**
   * Whether blocks count that end another text part or a tool result's last text; `false`.
   */
  embedded?: boolean;
  /**
   * Which of several blocks of a message stays; `last`.
   */
  keep?: KeepBlock;
  /**
   * Blocks stay only in this many of the newest user messages, at least 1.
   */
  recent?: number;
  /**
   * What stays of older blocks; `all`.
   */
  sections?: KeepSections;
  /**
   * What stays of a file's content that the history holds several times; `all`.
   */
  files?: KeepFiles;
  /**
   * With `files`, whether whole-file arguments of calls that write files give way, too; `false`.
   */
  writes?: boolean;
  /**
   * Whether a tool's result of 500 characters or more gives way to an equal one that comes later;
   * `false`.
   */
  repeatedResults?: boolean;
  /**
   * The names of tools of your own that read a file, whose path is their argument `path`.
   */
  readTools?: Array<string>;
  /**
   * The folder that relative paths start from. Left out, the folder that blocks name as the current
   * one.
   */
  root?: string;
  /**
   * Several of these options at once; those that are set themselves count more.
   */
  economy?: Economy;
  /**
   * With `economy: "compact"`, the size to reach, in estimated tokens of all messages; left out, all
   * goes that can.
   */
  targetTokens?: number;
  /**
   * With it, older messages are rewritten only if the prompt cache has gone cold.
   */
  cache?: CacheState;
};

/**
 * Why a message was changed. Of several reasons the last of these counts.
 *
 * - `"moved"`: Its block was not at the end.
 * - `"duplicates"`: It held several blocks.
 * - `"sections"`: Sections of its block are in the block before.
 * - `"recent"`: It is older than `recent` allows.
 * - `"results"`: It held a result that came again.
 * - `"writes"`: It held a whole file as an argument, of which there is a newer copy.
 * - `"files"`: It held a copy of a file of which there is a newer one.
 */
export type DedupeReason =
  "moved" | "duplicates" | "sections" | "recent" | "results" | "writes" | "files";

/**
 * What was done to one message. Characters are UTF-16 code units.
 */
export type DedupeChange = {
  /**
   * The message's index in the history.
   */
  index: number;
  /**
   * How many blocks went. A block that was only moved did not go.
   */
  blocks: number;
  /**
   * How much text went.
   */
  characters: number;
  /**
   * The same as estimated tokens: one for each Han, Kana or Hangul character, and one for every
   * four units of the rest.
   */
  tokens: number;
  /**
   * Why.
   */
  reason: DedupeReason;
};

/**
 * Things of one kind that went.
 */
export type KindTotals = {
  /**
   * How many.
   */
  items: number;
  /**
   * How much text went, in UTF-16 code units.
   */
  characters: number;
  /**
   * The same as estimated tokens.
   */
  tokens: number;
  /**
   * The same characters, times the requests that carried them: those that the history's assistant
   * messages answered.
   */
  requestCharacters: number;
};

/**
 * What went, by what it was.
 */
export type DedupeKinds = {
  /**
   * Blocks of which their message has another.
   */
  duplicate: KindTotals;
  /**
   * Blocks that a newer message replaces, and sections of them.
   */
  environment: KindTotals;
  /**
   * Copies of files of which the history shows a newer one.
   */
  file: KindTotals;
  /**
   * Results of tools that came again.
   */
  result: KindTotals;
  /**
   * Copies of files that are arguments of calls.
   */
  write: KindTotals;
};

/**
 * What kind of thing gives way.
 *
 * - `"file"`: A copy of a file that the history shows.
 * - `"write"`: A copy of a file that is the argument of a call.
 * - `"result"`: A tool's result.
 */
export type SupersededKind = "file" | "write" | "result";

/**
 * Something that gives way, or would once older messages may be rewritten.
 */
export type Superseded = {
  /**
   * What it is.
   */
  kind: SupersededKind;
  /**
   * Its number: that of a copy, or of a result.
   */
  number: number;
  /**
   * The index of its message in the history.
   */
  index: number;
  /**
   * The path of a file as the history spells it; empty for a result.
   */
  path: string;
  /**
   * The index of the message that has the newest.
   */
  newest: number;
  /**
   * What stands there instead.
   */
  notice: string;
  /**
   * How much shorter that is, in UTF-16 code units.
   */
  characters: number;
  /**
   * The same as estimated tokens.
   */
  tokens: number;
};

/**
 * What could go, but has to wait until the prompt cache is cold.
 */
export type DedupeWaiting = {
  /**
   * How many whole blocks would go.
   */
  blocks: number;
  /**
   * How many of the others would lose sections.
   */
  shortened: number;
  /**
   * How many copies of files would give way, in texts and in arguments.
   */
  files: number;
  /**
   * How many results would.
   */
  results: number;
  /**
   * All that would go, in UTF-16 code units.
   */
  characters: number;
  /**
   * The same as estimated tokens.
   */
  tokens: number;
};

/**
 * What was done to a history.
 */
export type DedupeReport = {
  /**
   * How many messages were changed.
   */
  messagesChanged: number;
  /**
   * How many blocks went.
   */
  blocksRemoved: number;
  /**
   * How much text went, in UTF-16 code units.
   */
  charactersSaved: number;
  /**
   * The same as estimated tokens.
   */
  tokensSaved: number;
  /**
   * The same by what went.
   */
  kinds: DedupeKinds;
  /**
   * The messages, in their order.
   */
  changes: Array<DedupeChange>;
  /**
   * What the options for older messages would do, if they may not now.
   */
  waiting: DedupeWaiting;
};

/**
 * Texts of the system prompt in the host's own words. `{task}` in them is the task, escaped as within
 * a JSON string, so that nothing in it ends a quotation or a line; without a task it is empty. A
 * blank text is left out.
 */
export type InjectorTexts = {
  /**
   * What reminds of the task, in both phases; without a task it is left out.
   */
  reminder?: string;
  /**
   * The rule of the thinking phase.
   */
  thinkingRule?: string;
};

/**
 * The options of a `SummaryInjector`.
 */
export type SummaryInjectorOptions = {
  /**
   * Tokens that the accumulated summaries may take before they are folded: one for each Han, Kana
   * or Hangul character, and one for every four UTF-16 code units of the rest; no limit.
   */
  maxTokens?: number;
  /**
   * At most this many recalled messages, the newest, go into one prompt; 20.
   */
  maxRecalledMessages?: number;
  /**
   * At most this many messages, the newest, are kept for recall and for the thinking phase; all.
   */
  maxMessages?: number;
  /**
   * Tokens that the text of a summary request may have, estimated as for `maxTokens`; 16,000.
   */
  maxRequestTokens?: number;
  /**
   * Texts of the system prompt in the host's own words.
   */
  texts?: InjectorTexts;
};

/**
 * The result of starting a turn.
 */
export type StartedTurn = {
  /**
   * The turn's number, from 1.
   */
  number: number;
  /**
   * Whether the previous turn was still open and was completed by this one, for a host's log.
   */
  completedPrevious: boolean;
};

/**
 * A piece of a context.
 */
export type ContextPiece =
  | { kind: "text"; text: string }
  | { kind: "summaries" }
  | { kind: "workspace" }
  | { kind: "markedWorkspace" };

/**
 * A piece of a system prompt.
 */
export type SystemPiece =
  { kind: "text"; text: string } | { kind: "capability" } | { kind: "direction" };

/**
 * A prompt without the texts that JavaScript holds already: the host's own, the accumulated
 * summaries, and the older messages of the history.
 */
export type PromptOutline = {
  /**
   * The pieces of the system prompt.
   */
  system: Array<SystemPiece>;
  /**
   * The pieces of the workspace context.
   */
  context: Array<ContextPiece>;
  /**
   * In the thinking phase the newest messages of the history as strings; in the action phase the
   * originals of the messages that were recalled.
   */
  messages: Array<string>;
  /**
   * The number of messages that the whole history of the thinking phase has.
   */
  historyLength: number;
  /**
   * A message of the system that follows the history in the action phase.
   */
  thinkingMessage?: string;
};

/**
 * The turn that is open.
 */
export type CurrentTurn = {
  /**
   * Its number, from 1.
   */
  number: number;
  /**
   * The user's goal, which may come from an earlier turn.
   */
  task?: string;
  /**
   * The workspace that was given to `startTurn`.
   */
  workspace?: string;
};

/**
 * Asks the host's model for one summary of several turns.
 */
export type FoldRequest = {
  /**
   * The first turn that is summed up.
   */
  fromTurn: number;
  /**
   * The last turn that is summed up.
   */
  toTurn: number;
  /**
   * What the model should do, and the form of its answer.
   */
  prompt: string;
  /**
   * The text to sum up: the entries of those turns, beginning with an earlier fold if there is
   * one.
   */
  text: string;
};

/**
 * Asks the host's model for the summary of a turn.
 */
export type SummaryRequest = {
  /**
   * The number of the turn.
   */
  turn: number;
  /**
   * What the model should do.
   */
  prompt: string;
  /**
   * The JSON schema of its answer: `goal`, `done`, `decisions`, `files`, `openPoints`, `insights`.
   */
  schema: object;
  /**
   * What the model should sum up: the messages and the thinking of the turn, each between tags of
   * its role, as far as
   * `max_request_tokens` allows.
   */
  text: string;
};

/**
 * How one directory lies to another.
 *
 * - `"same"`: They are one.
 * - `"parent"`: The first contains the second.
 * - `"child"`: The first is inside the second.
 * - `"unrelated"`: Neither.
 */
export type PathRelation = "same" | "parent" | "child" | "unrelated";

/**
 * Whose rules paths follow.
 */
export type PathOptions = {
  /**
   * Chosen by the host, never by where the code runs.
   */
  platform: PathPlatform;
  /**
   * Whether names that differ in case alone are two; true on `posix`, false on `win32`.
   */
  caseSensitive?: boolean;
};

/**
 * The shell that runs in a terminal.
 *
 * - `"bash"`: GNU Bash.
 * - `"zsh"`: Z shell.
 * - `"sh"`: A POSIX shell, such as dash. What is written for it holds in Bash and Z shell, too.
 * - `"fish"`: fish.
 * - `"pwsh"`: PowerShell 6 and later.
 * - `"powershell"`: Windows PowerShell 5.
 * - `"cmd"`: The command prompt of Windows.
 * - `"nu"`: Nushell.
 */
export type Shell = "bash" | "zsh" | "sh" | "fish" | "pwsh" | "powershell" | "cmd" | "nu";

/**
 * From where a terminal may be led to a directory.
 *
 * - `"related"`: From one that contains it or is inside it.
 * - `"anywhere"`: From any one.
 */
export type Reachable = "related" | "anywhere";

/**
 * How well a terminal's working directory is known.
 *
 * - `"reported"`: The host reported it, and nothing that ran since can have changed it.
 * - `"expected"`: A plain change of directory leads there, but it may have failed: nobody reported.
 * - `"uncertain"`: Something ran that may have changed it, and nobody reported. It is the last one known.
 */
export type DirectoryCertainty = "reported" | "expected" | "uncertain";

/**
 * The settings of a `TerminalSelector`.
 */
export type TerminalSelectorOptions = {
  /**
   * Whose rules paths follow. It has to be given: the code may run on another platform than the
   * terminals.
   */
  platform: PathPlatform;
  /**
   * Whether names that differ in case alone are two; true on `posix`, false on `win32`.
   */
  caseSensitive?: boolean;
  /**
   * How often a terminal may be moved to another directory before it is reset, from 0, which is
   * never; 5.
   */
  maxDirectoryChanges?: number;
  /**
   * Whether an idle terminal that is bound to another task may be taken; false.
   */
  stealFromOtherTasks?: boolean;
  /**
   * How many terminals there may be, of all providers together: an integer of at least 1; no
   * limit. At the limit a choice names terminals to close, or asks to wait.
   */
  maxTerminals?: number;
  /**
   * From where a terminal may be led to a directory; `related`.
   */
  reachable?: Reachable;
};

/**
 * A terminal that a command may be sent to.
 */
export type TerminalRegistration = {
  /**
   * The host's name for it: an integer from 0 to 9,007,199,254,740,991.
   */
  id: number;
  /**
   * Who runs it, such as `vscode` or `execa`.
   */
  provider: string;
  /**
   * What runs in it, if that is known: a shell's name, or the path of its program. One that no
   * command line can be written for is kept as `other`.
   */
  shell?: Shell | (string & {});
  /**
   * Its working directory, absolute; left out or `null`, it is not known. As long as it is not,
   * the terminal is not chosen.
   */
  workingDirectory?: string | null;
  /**
   * The task that it is bound to.
   */
  taskId?: string;
  /**
   * Whether a command runs in it; false for one that is new.
   */
  busy?: boolean;
};

/**
 * What has changed of a terminal. Several changes of one call are made in the order in which they
 * stand here.
 */
export type TerminalChange = {
  /**
   * It is gone. Its id is forgotten, and free for another one.
   */
  closed?: true;
  /**
   * The task that it is bound to from now on, or `null` for none.
   */
  taskId?: string | null;
  /**
   * It is as it was when it was created: its changes of directory count from 0 again, and its
   * environment has not changed.
   */
  reset?: true;
  /**
   * A command could not be run in it. It is never chosen again, not even after a reset.
   */
  failed?: true;
  /**
   * Names of its environment that have changed, beside those that are known to have.
   */
  environment?: Array<string>;
  /**
   * Its working directory, as its shell reports it, or `null` if that cannot be known. It counts
   * for more than what a command that runs, or has run, is expected to do.
   */
  workingDirectory?: string | null;
  /**
   * Whether a command runs in it. Either ends a reservation. When it falls idle, it is where the
   * command leads, unless the directory was reported since that began.
   */
  busy?: boolean;
  /**
   * Nobody can tell when the command that runs in it ends. It stays busy until the host says
   * otherwise, counts among the terminals, and is the first to be closed.
   */
  unobserved?: true;
};

/**
 * A terminal as it is known.
 */
export type TerminalState = {
  /**
   * The host's name for it.
   */
  id: number;
  /**
   * Who runs it.
   */
  provider: string;
  /**
   * What runs in it, if that is known.
   */
  shell?: Shell | "other";
  /**
   * Whether a command runs in it, or is about to: it was chosen.
   */
  busy: boolean;
  /**
   * Whether a command could not be run in it.
   */
  failed: boolean;
  /**
   * The task that it is bound to.
   */
  taskId?: string;
  /**
   * Its working directory, as it was written, if that is known.
   */
  workingDirectory?: string;
  /**
   * How well that is known.
   */
  directory?: DirectoryCertainty;
  /**
   * Whether a choice has named it for closing. It is never chosen again.
   */
  closing: boolean;
  /**
   * How often it was led elsewhere since it was created or reset.
   */
  directoryChanges: number;
  /**
   * The names of its environment that have changed, in order.
   */
  environment: Array<string>;
};

/**
 * A command, and where it is to run.
 */
export type TerminalRequest = {
  /**
   * One line or several, in the words of the terminal's shell. It is read for where it leaves the
   * shell. Left out, the choice's command is the change of directory alone, or empty: for hosts
   * that pick the terminal first. What then runs is not known, so the directory is uncertain after
   * it until it is reported.
   */
  command?: string;
  /**
   * The directory that it is to run in, absolute.
   */
  workingDirectory: string;
  /**
   * The task whose terminals are preferred, and to which the chosen one is bound.
   */
  taskId?: string;
  /**
   * Who runs the terminals that are considered, such as `vscode` or `execa`.
   */
  provider: string;
  /**
   * The shell that the command is written for. Terminals of which another one is known are not
   * considered.
   */
  shell?: Shell;
  /**
   * Whether terminals whose environment has changed are left out; true for a terminal that
   * another task had, false for all others.
   */
  cleanEnvironment?: boolean;
};

/**
 * Where a command is to run, and why there.
 */
export type TerminalChoice =
  | {
      /**
       * Send the command to the terminal, which is in its directory.
       */
      action: "reuse";
      /**
       * The terminal to send the command to.
       */
      terminalId: number;
      /**
       * How good a match it is: 1, bound to the task; 3, not bound to it.
       */
      tier: 1 | 3;
      /**
       * How the terminal's directory lies to the one that is asked for: they are the same.
       */
      relation: "same";
      /**
       * How well the terminal's directory is known: it was reported.
       */
      directory: "reported";
      /**
       * How often the terminal may be led elsewhere after this.
       */
      changesLeft: number;
      /**
       * The terminals to close, if there are too many. None of them is chosen again.
       */
      close?: Array<number>;
      /**
       * The command as it was given.
       */
      command: string;
      /**
       * Why, for people.
       */
      reason: string;
    }
  | {
      /**
       * Send the command to the terminal; a change of directory is in front of it.
       */
      action: "reuse_with_cd";
      /**
       * The terminal to send the command to.
       */
      terminalId: number;
      /**
       * How good a match it is. 1 and 2: bound to the task; 3 and 4: not bound to it. 1 and 3: it
       * is expected in the directory, and the change of directory is a precaution, which does not
       * count; 2 and 4: it is led there.
       */
      tier: 1 | 2 | 3 | 4;
      /**
       * How the terminal's directory, or the last that is known, lies to the one that is asked
       * for.
       */
      relation: PathRelation;
      /**
       * How well the terminal's directory is known.
       */
      directory: DirectoryCertainty;
      /**
       * How often the terminal may be led elsewhere after this.
       */
      changesLeft: number;
      /**
       * The terminals to close, if there are too many. None of them is chosen again.
       */
      close?: Array<number>;
      /**
       * The change of directory and the command, ready to be sent.
       */
      command: string;
      /**
       * Why, for people.
       */
      reason: string;
    }
  | {
      /**
       * Create a terminal in the directory, and send the command to it.
       */
      action: "create";
      terminalId?: undefined;
      tier?: undefined;
      relation?: undefined;
      directory?: undefined;
      changesLeft?: undefined;
      close?: Array<number>;
      command: string;
      reason: string;
    }
  | {
      /**
       * Send nothing yet, and ask again when something has happened to one of these terminals: there
       * may be no more terminals, and none of them can be closed.
       */
      action: "wait";
      terminalId?: undefined;
      tier?: undefined;
      relation?: undefined;
      directory?: undefined;
      changesLeft?: undefined;
      close?: undefined;
      waitFor: Array<number>;
      command: string;
      reason: string;
    };

/**
 * What went wrong, as a stable name that a host may switch on.
 *
 * - `"invalid_config"`: An option is unknown, of the wrong type or out of range.
 * - `"invalid_argument"`: An argument of a call is of the wrong type or out of range.
 * - `"limit_exceeded"`: A value is larger or deeper than the documented limit.
 * - `"wrong_order"`: A call came at a time at which it makes no sense.
 * - `"unknown_id"`: An id was never registered, or is no longer.
 * - `"snapshot_corrupt"`: A snapshot is cut, altered or not a snapshot at all.
 * - `"snapshot_version"`: A snapshot was written by a newer version of this library.
 * - `"wrong_machine"`: A snapshot belongs to another machine.
 */
export type CoreErrorCode =
  | "invalid_config"
  | "invalid_argument"
  | "limit_exceeded"
  | "wrong_order"
  | "unknown_id"
  | "snapshot_corrupt"
  | "snapshot_version"
  | "wrong_machine";

/** The tools that run a command, of the agents whose sessions this package reads. */
export const COMMAND_TOOLS: readonly string[] = [
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

/** The bytes with which the values of an encoded call begin, and the lists in it end. */
export const enum CallTag {
  None = 0x75,
  Null = 0x6e,
  True = 0x74,
  False = 0x66,
  Number = 0x64,
  Ascii = 0x73,
  Wide = 0x77,
  Array = 0x5b,
  ArrayEnd = 0x5d,
  Object = 0x7b,
  ObjectEnd = 0x7d,
  Cut = 0x7e,
}

/** Arguments nested deeper than this are refused. */
export const MAX_ARGUMENT_DEPTH = 127;

/** The kinds of references, each at its number. */
export const REFERENCE_KINDS = ["file", "tool", "image", "macro"] as const;
