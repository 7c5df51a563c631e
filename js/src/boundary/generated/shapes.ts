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
       * The provider's id of the call, by which its result is recognised. Without ids, a result
       * belongs to the oldest call that has none yet.
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
      /**
       * The string by which the tool identifies the call, where it says one: calls of one tool with equal keys are
       * equal whatever their arguments, and calls with different keys differ.
       */
      key?: string;
    }
  | {
      /**
       * A tool answered.
       */
      type: "tool_result";
      /**
       * The `id` of the call that it answers, the same string as there.
       */
      id?: string;
      /**
       * The text that the tool printed or returned: a string, or the parts of a provider's message, whose texts
       * count, a line each. A picture or a file counts by its type, and an array of anything else as
       * JSON. An empty one is a result.
       */
      output: string | readonly object[];
      /**
       * Whether the host or the tool marked it as an error. The profile `adaptive` also recognises
       * errors by the exit code, and by the words of short outputs.
       */
      isError?: boolean;
      /**
       * A command's exit code.
       */
      exitCode?: number;
    }
  | {
      /**
       * A request to the provider begins: send it before the events of each answer of the model.
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
       * The detector's name.
       */
      by?: string;
      /**
       * Its words.
       */
      detail?: string;
    }
  | {
      /**
       * Anything else; it changes nothing.
       */
      type: "other";
    };

/** All types of events. */
export const EVENT_TYPES: readonly AgentEvent["type"][] = [
  "text",
  "reasoning",
  "tool_call",
  "tool_result",
  "turn_started",
  "user_message",
  "finished",
  "condensation",
  "retry",
  "loop_reported",
  "other",
];

/** The fields that an event may have. */
export const EVENT_FIELDS: readonly string[] = [
  "type",
  "text",
  "id",
  "name",
  "args",
  "key",
  "output",
  "isError",
  "exitCode",
  "by",
  "detail",
];

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
 * The rule that fired. `docs/loop-detector.md` says what each finds.
 *
 * - `"identical_calls"`: Identical calls in a row.
 * - `"repeated_results"`: Equal calls with equal results.
 * - `"repeated_waits"`: Equal calls with equal results of tools that wait, scroll or step, and of commands that sleep.
 * - `"repeated_edits"`: Equal edits in a row, whatever their results, and equal acts such as sending a message.
 * - `"rewrites"`: One file written whole again and again, with nothing else done.
 * - `"equal_errors"`: Calls in a row, not all the same, with the same short error.
 * - `"fruitless_searches"`: Searches in a row, not all the same, with the same result.
 * - `"echo_calls"`: Calls in a row, other than notes, whose command line only prints text with `echo`.
 * - `"cycle_rounds"`: Rounds of the same calls with the same results.
 * - `"nothing_new"`: Results that came before, of calls that differ or take turns, with hardly a new one in between.
 * - `"calls_at_once"`: The same call again and again in one message.
 * - `"idle_messages"`: Messages in a row, whatever they say, with no call and no word of the user in between.
 * - `"compaction_rounds"`: Stretches between condensations in which nearly all calls and results came before.
 * - `"blind_calls"`: Identical calls in a row, where no result was seen.
 * - `"blind_rounds"`: Rounds of the same calls, where no result was seen.
 * - `"low_progress"`: Few new calls and results.
 * - `"preview_calls"`: A preview model's calls of one tool.
 * - `"preview_intensive_calls"`: The same for tools that cost much.
 * - `"repeated_passages"`: A passage of text without a break.
 * - `"model_check"`: A model that was asked.
 * - `"host_report"`: The host's own detector.
 */
export type RuleName =
  | "identical_calls"
  | "repeated_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "fruitless_searches"
  | "echo_calls"
  | "cycle_rounds"
  | "nothing_new"
  | "calls_at_once"
  | "idle_messages"
  | "compaction_rounds"
  | "blind_calls"
  | "blind_rounds"
  | "low_progress"
  | "preview_calls"
  | "preview_intensive_calls"
  | "repeated_passages"
  | "model_check"
  | "host_report";

/**
 * A set of rules with their thresholds.
 *
 * - `"standard"`: The rules of the agent that this library grew from.
 * - `"adaptive"`: This library's own rules over calls and their results; the default.
 */
export type LoopProfile = "standard" | "adaptive";

/**
 * The text that repeats: the assistant's prose or its thinking.
 *
 * - `"text"`: The assistant's prose.
 * - `"reasoning"`: The model's thinking.
 */
export type Channel = "text" | "reasoning";

/**
 * The cost of a loop so far.
 */
export type Wasted = {
  /**
   * Tool calls, from the loop's first one on.
   */
  calls: number;
  /**
   * UTF-16 code units of text, reasoning and results, and the bytes
   * in which calls are compared, which are about as many as their JSON has.
   */
  characters: number;
};

/** A report, whatever it is about. */
export interface LoopReportFields {
  /**
   * The way in which it is stuck.
   */
  type: LoopType;
  /**
   * The rule that fired.
   */
  rule: RuleName | PeerCallRule | PeerTextRule;
  /**
   * The profile that the rule belongs to.
   */
  profile: LoopProfile | PeerProfile;
  /**
   * The tool that was called.
   */
  tool?: string;
  /**
   * SHA-256 over `name:arguments` of the call that fired, the arguments as JSON with sorted
   * keys: 64 lower-case hexadecimal characters.
   */
  callKey?: string;
  /**
   * The number of repeats; for `model_check` the turns of the prompt, or in doubt its calls.
   */
  count: number;
  /**
   * The count at which the rule fires.
   */
  threshold: number;
  /**
   * The number of calls of a round, left out if it is one; of text the length of what repeats, in UTF-16 code units, and
   * of messages that take turns their number.
   */
  period?: number;
  /**
   * The number of this detection in the prompt, counting from 1; `clear()` does not reset it.
   */
  strike: number;
  /**
   * The channel of a text, in a report about text.
   */
  channel?: Channel;
  /**
   * The place where the repeats begin: a tool call's index from 0, or a UTF-16 offset into the prompt's
   * text; 0 for a judgement, which is about the whole prompt.
   */
  firstIndex: number;
  /**
   * The call, or the UTF-16 code unit, at which the rule fired; for a judgement the newest call of the prompt.
   */
  lastIndex: number;
  /**
   * The cost since the loop began, the event that fired included; nothing where it is
   * not known when it began.
   */
  wasted: Wasted;
  /**
   * An excerpt of what repeats, or of the reasons for a judgement; at most 300 UTF-16 code units.
   */
  evidence: string;
  /**
   * The finding, as one sentence without advice, for a context that takes facts and no orders; at
   * most 300 UTF-16 code units.
   */
  fact: string;
  /**
   * For the user, at most 500 UTF-16 code units.
   */
  message: string;
  /**
   * For the model's history: what was repeated, how often, and what to do differently; at
   * most 2,000 UTF-16 code units.
   */
  feedback: string;
}

/** The types of a loop that is about calls. */
export type CallLoopType =
  | "consecutive_identical_tool_calls"
  | "repeated_tool_cycle"
  | "same_tool_different_arguments"
  | "repeated_error";

/** The rules that report one. */
export type CallRule =
  | "identical_calls"
  | "repeated_results"
  | "repeated_waits"
  | "repeated_edits"
  | "rewrites"
  | "equal_errors"
  | "fruitless_searches"
  | "echo_calls"
  | "cycle_rounds"
  | "nothing_new"
  | "calls_at_once"
  | "compaction_rounds"
  | "blind_calls"
  | "blind_rounds"
  | "low_progress"
  | "preview_calls"
  | "preview_intensive_calls";

/** Tool calls that repeat. Indexes count the calls of the prompt, from 0. */
export interface CallLoopReport extends LoopReportFields {
  type: CallLoopType;
  rule: CallRule | PeerCallRule;
  tool: string;
  callKey: string;
  channel?: never;
}

/** The types of a loop that is about text. */
export type TextLoopType = "chanting_identical_sentences" | "monologue";

/** The rules that report one. */
export type TextRule = "idle_messages" | "repeated_passages";

/** Text that repeats. Indexes are offsets into the prompt's prose, or into its reasoning, in UTF-16 code units. */
export interface TextLoopReport extends LoopReportFields {
  type: TextLoopType;
  rule: TextRule | PeerTextRule;
  channel: Channel;
  tool?: never;
  callKey?: never;
}

/** The types of a loop that is about the whole conversation. */
export type JudgedLoopType = "llm_detected_loop" | "host_detected_loop";

/** The rules that report one. */
export type JudgedRule = "model_check" | "host_report";

/** The conversation goes in circles, as someone else judges: a model that was asked, or the host's own detector. */
export interface JudgedLoopReport extends LoopReportFields {
  type: JudgedLoopType;
  rule: JudgedRule;
  tool?: never;
  callKey?: never;
  period?: never;
  channel?: never;
}

/** Why an agent was found stuck; `type` tells what it is about. */
export type LoopReport = CallLoopReport | TextLoopReport | JudgedLoopReport;

/**
 * The host's next step.
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
   * The finding, without advice; cut to 300 UTF-16 code units.
   */
  fact?: string;
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
   * The reason for which it is asked. Default: `"doubt"` in `adaptive`, else `"turns"`; if one of the other's numbers
   * is set, `"either"`.
   */
  when?: "turns" | "doubt" | "either";
  /**
   * In doubt, a model is asked when this much or less of the last ten calls and results was new, from 0
   * to 1. Default: 0.6.
   */
  progress?: number;
  /**
   * In doubt, the call of a prompt from which on a model is asked, counting from 1. Default: 8.
   */
  minCalls?: number;
  /**
   * In doubt, how many calls lie between requests. Default: 10.
   */
  cooldown?: number;
  /**
   * The turn of a prompt from which on a model is asked, counting from 1. Default: 30.
   */
  afterTurns?: number;
  /**
   * The number of turns between requests until the first answer. Default: 3, in `gemini-cli` 10.
   */
  interval?: number;
  /**
   * The number of turns after which the next request comes after an answer with a confidence of 1. Default:
   * 5.
   */
  minInterval?: number;
  /**
   * The number of turns after which the next request comes after an answer with a confidence of 0. Default:
   * 15.
   */
  maxInterval?: number;
  /**
   * The number of the newest entries of the history that the model gets to see. Default: 20.
   */
  historyCount?: number;
  /**
   * An answer with a confidence above this, from 0 to 1, is a stop. In doubt, one above 0.5 is a nudge.
   * Default: 0.9.
   */
  confidence?: number;
  /**
   * Whether exactly this confidence is a loop, too. Default: `false`, in `gemini-cli` `true`.
   */
  inclusive?: boolean;
};

/**
 * Tools of the host's own, by what they do. Each entry is a tool's name or a word of it, as `read` is of
 * `read_file` and `readFile`, case ignored; what comes before `__`, `.`, `/` or `:` is not part of a name.
 * These lists count more than the words that are known, such as `wait`, `edit`, `write`, `bash` and
 * `read`; if several lists fit, the first counts, in the order `note`, `wait`, `stateful`, `edit`, `write`,
 * `command`, `search`. In `intensive`, `monitored` and `exempt` an entry is a whole name, with its case.
 */
export type ToolLists = {
  /**
   * They change a part of something.
   */
  edit?: Array<string>;
  /**
   * They write something whole.
   */
  write?: Array<string>;
  /**
   * They read or search, and change nothing.
   */
  search?: Array<string>;
  /**
   * They run a command, whose command line is read.
   */
  command?: Array<string>;
  /**
   * They wait, scroll or step, so their repeats may be meant.
   */
  wait?: Array<string>;
  /**
   * They only note or say something.
   */
  note?: Array<string>;
  /**
   * They cost much: `previewIntensiveCalls` counts them. Instead of `read_file`, `read_many_files`,
   * `glob`, `search_file_content` and `ls`.
   */
  intensive?: Array<string>;
  /**
   * The same, besides those of `intensive`: preview models get stuck with them.
   */
  monitored?: Array<string>;
  /**
   * They read what others change, such as a list of tasks, so asking again is a wait.
   */
  stateful?: Array<string>;
  /**
   * No rule counts them: their calls make no loop, and neither break nor lengthen those of others. `*` stands for
   * any letters: `recall_*`.
   */
  exempt?: Array<string>;
};

/**
 * The options of a `LoopDetector`. What is left out has the profile's value.
 *
 * A rule is on if its profile has it or if one of its thresholds is set; its other options then have
 * the values that are given here. An option that only says how a rule works changes nothing while the
 * rule is off. So a host can add the rules of one
 * profile to the other.
 *
 * A threshold is an integer of at least 1, or `false`, which switches its rule off. A number in an
 * option's documentation is that of the profile which it names, or of every profile that has the rule.
 */
export type LoopDetectorOptions = {
  /**
   * The profile. Default: `"adaptive"`. Those of other agents are in `turnkeeper/peers`.
   */
  profile?: LoopProfile;
  /**
   * The number of identical calls in a row that stops the model; 10 in `standard`.
   */
  identicalCalls?: number | false;
  /**
   * The models that are watched by `previewCalls` and `previewIntensiveCalls`: those whose name contains the
   * string, case ignored, or matches the pattern. Default: `/preview/i`.
   */
  previewModel?: string | RegExp;
  /**
   * The number of calls of one tool since the prompt started that stops a preview model; 5 in
   * `standard`.
   */
  previewCalls?: number | false;
  /**
   * The same for the tools of `tools.intensive`; 4 in `standard`.
   */
  previewIntensiveCalls?: number | false;
  /**
   * Equal calls with equal results.
   * The model is nudged at 3 in a row in `adaptive`. Cosmetic arguments, and what changes by itself, such as
   * times, durations and ids, are not compared. Here and in the rules below, the stop follows when the run is
   * half as long again, by two at least: at 5 after a nudge at 3. It takes one less in the same words of the
   * model, and twice as many if the results say hardly more than that the call was made, or are only alike; four
   * times as many if these are short. With others in between it takes two more within 20, and is never a stop.
   */
  repeatedResults?: number | false;
  /**
   * Equal calls with equal results of tools that wait, scroll or step, and of commands that sleep.
   * 10 in a row in `adaptive`: silent builds are asked 6 to 8 times.
   */
  repeatedWaits?: number | false;
  /**
   * Equal edits in a row, whatever their results, and equal acts such as sending a message.
   * 3 in `adaptive`, of acts one more. The same for edits that come again as they were refused or as they were made,
   * with others in between; 8 in a row that are refused, or 5 in the same words.
   */
  repeatedEdits?: number | false;
  /**
   * One file written whole again and again, with nothing else done.
   * 3 times in `adaptive`.
   */
  rewrites?: number | false;
  /**
   * Calls in a row, not all the same, with the same short error.
   * 4 in `adaptive`: healthy sessions have 3. It takes 6 at least if the errors are in the same words, names
   * left out.
   */
  equalErrors?: number | false;
  /**
   * Searches in a row, not all the same, with the same result.
   * 8 in `adaptive`: healthy sessions have up to 5. It takes a quarter more, 10 of 8, if the results only have
   * in common that nothing was found, twice that after an edit, and three times as many where something was
   * found in other files or folders each time, and half as many of ranges of one file with one long result.
   */
  fruitlessSearches?: number | false;
  /**
   * Calls in a row, other than notes, whose command line only prints text with `echo`.
   * 5 in `adaptive`, and one less of calls that say that the work is done, with none in between. Whether there
   * are results does not matter.
   */
  echoCalls?: number | false;
  /**
   * Rounds of the same calls with the same results.
   * 3 in `adaptive`, one less for rounds of three requests or more, and twice as many with waiting in them or
   * of acknowledgements alone.
   */
  cycleRounds?: number | false;
  /**
   * Results that came before, of calls that differ or take turns, with hardly a new one in between.
   * 7 in `adaptive`, and again after three times as many more. It is never a stop by itself.
   */
  nothingNew?: number | false;
  /**
   * The same call again and again in one message.
   * 8 times in `adaptive`, and four times as many of different calls.
   */
  callsAtOnce?: number | false;
  /**
   * Messages in a row, whatever they say, with no call and no word of the user in between.
   * 8 in `adaptive`. Of equal ones of 30 UTF-16 code units or more a third is enough, whoever speaks in
   * between.
   */
  idleMessages?: number | false;
  /**
   * Stretches between condensations in which nearly all calls and results came before.
   * 3 in a row in `adaptive`, of which each repeats four fifths at least, makes no new edit and shows nothing
   * new by a command.
   */
  compactionRounds?: number | false;
  /**
   * The longest round of `cycleRounds`, in calls; 15, which is also the most.
   */
  longestCycle?: number;
  /**
   * The number of identical calls in a row that stops the model while no result was seen in the
   * prompt, from its sixth call on; 10 in `adaptive`. The first result ends it.
   */
  blindCalls?: number | false;
  /**
   * The same for rounds of 2 to 5 calls; 5 in `adaptive`.
   */
  blindRounds?: number | false;
  /**
   * The longest result, in UTF-16 code units without white space and escape sequences, in which
   * words of errors and of success are looked for; at most 2,000. Default: 400. On recorded
   * sessions, 200 to 400 make no difference; at 600, text that only talks about errors is taken
   * for an error.
   */
  shortResult?: number;
  /**
   * Tools of the host's own, by what they do. Default: none.
   */
  tools?: ToolLists;
  /**
   * Arguments that no rule compares, case ignored: names of keys, at the top of the arguments or within
   * `params` and `nativeArgs`. The rules of `adaptive` leave out `description`, `explanation`,
   * `task_progress`, `requires_approval`, `timeout` and the like in any case.
   */
  cosmeticArguments?: Array<string>;
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
   * The share of the last ten calls and results that was new, from 0 to 1, at or below which the model is
   * told, from the 8th call of a prompt on and then not for 10 calls; `true` is 0.5. It is the check of
   * `modelCheck` for hosts that have no model to ask, and never a stop. Default: `false`.
   */
  lowProgress?: number | boolean;
  /**
   * When to ask a model, or `false` for never.
   */
  modelCheck?: false | ModelCheckOptions;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/**
 * The question to a model, with the last `historyCount` entries of the conversation before it.
 */
export type ModelCheckRequest = {
  /**
   * The number of the newest entries of the history to send along.
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
   * The reason for which a model is asked, as one sentence of facts; it is in the prompt, too.
   */
  reason: string;
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
   * The number of calls of the run; 0 if no rule counts any.
   */
  run: number;
  /**
   * The length at which a rule next tells the model or stops it; 0 if no rule counts any. The run is
   * shorter until then, and after a nudge this is the length for the stop.
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
   * The number of its calls.
   */
  calls: number;
};

/**
 * The settings of a detector that JavaScript has to know.
 */
export type DetectorSettings = {
  /**
   * The regular expression of `previewModel`, if it is one: JavaScript matches it.
   */
  previewPattern?: { source: string; flags: string };
  /**
   * Whether results, ids of calls, and what happens between calls are looked at.
   */
  needsResults: boolean;
  /**
   * Whether arguments that are a string are compared as they are spelt.
   */
  needsSpelling: boolean;
  /**
   * Whether the order of the arguments' keys is compared. Otherwise JavaScript sorts them, which is faster there: it
   * knows an object's keys before it writes them.
   */
  needsKeyOrder: boolean;
  /**
   * Whether a `stop` may end with any event.
   */
  stopMayEnd: boolean;
};

/**
 * An agent whose verdicts are given.
 *
 * - `"gemini-cli"`: The verdicts of gemini-cli.
 * - `"deepv"`: The verdicts of DeepV Code.
 * - `"roo"`: The verdicts of Roo Code.
 * - `"cline"`: The verdicts of Cline.
 */
export type PeerProfile = "gemini-cli" | "deepv" | "roo" | "cline";

/** The rules of these agents that report a loop that is about calls. */
export type PeerCallRule =
  | "identical_calls"
  | "identical_calls_limit"
  | "identical_calls_thresholds"
  | "repeated_cycle"
  | "monitored_calls";

/** The rules of these agents that report a loop that is about text. */
export type PeerTextRule = "repeated_windows";

/**
 * The options of gemini-cli's detection. What is left out has the value that the agent has.
 */
export type GeminiCliOptions = {
  /**
   * The number of rounds of a cycle of calls that stops the model. Default: 5.
   */
  rounds?: number | false;
  /**
   * The shortest cycle that `rounds` counts, in calls. Default: 1.
   */
  minPeriod?: number;
  /**
   * The longest cycle that `rounds` counts, in calls, at most 100. Default: 5.
   */
  maxPeriod?: number;
  /**
   * The length of the windows of prose that are compared at every place, in UTF-16 code units, at most
   * 5,000. Verdicts of this rule depend on how prose is cut into deltas. Default: 50.
   */
  unit?: number;
  /**
   * The number of equal windows that is a loop, at most 100; 1 counts as 2. Default: 10.
   */
  copies?: number | false;
  /**
   * The largest mean distance of equal windows, in UTF-16 code units. Default: 250.
   */
  meanDistance?: number;
  /**
   * The number of different texts that there may be from each window to the next. Default: 5.
   */
  distinctGaps?: number;
  /**
   * UTF-16 code units of prose that are looked back on, at most 100,000, at least `unit`. Default:
   * 5,000.
   */
  history?: number;
  /**
   * When to ask a model, or `false` for never. Default: from turn 30 on, every 10 turns until the first
   * answer.
   */
  modelCheck?: false | ModelCheckOptions;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/**
 * The options of DeepV Code's detection. What is left out has the value that the agent has.
 */
export type DeepvOptions = {
  /**
   * The number of identical calls in a row that stops the model. Default: 10.
   */
  identicalCalls?: number | false;
  /**
   * The number of calls in a row of one tool of `monitoredTools`, whatever the arguments, that stops a
   * preview model. Default: 32.
   */
  monitoredCalls?: number | false;
  /**
   * The tools that `monitoredCalls` counts. Default: `read_file`, `read_many_files`, `glob`,
   * `search_file_content`, `ls`, `replace`, `write_file`, `delete_file` and `shell`.
   */
  monitoredTools?: Array<string>;
  /**
   * The models that are watched by `monitoredCalls`: those whose name contains the string, case ignored, or
   * matches the pattern. Default: `/preview/i`.
   */
  previewModel?: string | RegExp;
  /**
   * The length of the windows of prose that are compared at every place, in UTF-16 code units, at most
   * 5,000. Default: 500.
   */
  unit?: number;
  /**
   * The number of equal windows that is a loop, at most 100; 1 counts as 2. Default: 20.
   */
  copies?: number | false;
  /**
   * The largest mean distance of equal windows, in UTF-16 code units. Default: 750.
   */
  meanDistance?: number;
  /**
   * The number of different texts that there may be from each window to the next. Default: 20, as many as there
   * can be.
   */
  distinctGaps?: number;
  /**
   * UTF-16 code units of prose that are looked back on, at most 100,000, at least `unit`. Default:
   * 10,000.
   */
  history?: number;
  /**
   * When to ask a model, or `false` for never. Default: from turn 30 on, every 3 turns until the first
   * answer.
   */
  modelCheck?: false | ModelCheckOptions;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/**
 * The options of Roo Code's detection. What is left out has the value that the agent has.
 */
export type RooOptions = {
  /**
   * More identical calls in a row than this stop the model. It may be any integer: at 0 or less the rule
   * is off. Default: 3.
   */
  limit?: number | false;
  /**
   * Whether `browser_action` calls that scroll are not counted, as Roo Code once did. Default: `false`.
   */
  skipScrolling?: boolean;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/**
 * The options of Cline's detection. What is left out has the value that the agent has.
 */
export type ClineOptions = {
  /**
   * Exactly this number of identical calls in a row is a nudge. Default: 3.
   */
  softThreshold?: number | false;
  /**
   * This number of identical calls in a row, or more, stops the model. Default: 5.
   */
  hardThreshold?: number | false;
  /**
   * Arguments that are not compared, case ignored: names of keys, at the top of the arguments or within
   * `params` and `nativeArgs`. Default: none.
   */
  cosmeticArguments?: Array<string>;
  /**
   * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
   */
  messages?: Partial<Record<LoopType, MessageTexts>>;
};

/** The options of a peer's detector: an agent, and what its detection has. */
export type PeerOptions =
  | ({ profile: "gemini-cli" } & GeminiCliOptions)
  | ({ profile: "deepv" } & DeepvOptions)
  | ({ profile: "roo" } & RooOptions)
  | ({ profile: "cline" } & ClineOptions);

/**
 * The messages of a conversation that carry a block.
 *
 * - `"latest"`: One block, in the newest user message; earlier ones are removed.
 * - `"delta"`: Earlier blocks stay, so a provider's prompt cache keeps working, and a new block carries only what
 *   is new or has changed.
 */
export type Placement = "latest" | "delta";

/**
 * The fate of a tool's result after the prompt that calls it.
 *
 * - `"always"`: The first result stays for the conversation: the same call is not run again, unless it failed.
 * - `"last"`: The last result stays: a prompt that calls the tool again runs it again.
 * - `"never"`: Nothing stays: the block has the calls of the newest prompt alone.
 */
export type RememberTools = "always" | "last" | "never";

/**
 * The options of a `GhostBlockAssembler`.
 */
export type AssemblerOptions = {
  /**
   * The folder that relative paths start from: an absolute path.
   */
  root: string;
  /**
   * Other folders that may be read: absolute paths. Default: none.
   */
  allowedRoots?: Array<string>;
  /**
   * Folders of the workspace by their names: absolute paths, which may be read. `web:src/a.ts` is a file
   * of the folder `web`. Default: none.
   */
  workspaceFolders?: Record<string, string>;
  /**
   * Whose rules paths follow. Default: those that `root` is written in.
   */
  platform?: PathPlatform | PosixSystem;
  /**
   * The tools that may be called. Default: all.
   */
  tools?: Array<string>;
  /**
   * Macros that the host defines: their values, by name. Prompts and rules can use them, but not
   * redefine them.
   */
  macros?: Record<string, string>;
  /**
   * The messages that carry a block. Default: `"latest"`.
   */
  placement?: Placement;
  /**
   * The fate of a tool's result after the prompt that calls it. Default: `"last"`.
   */
  rememberTools?: RememberTools;
  /**
   * The most tokens that a block may take. Default: no limit.
   */
  maxTokens?: number;
  /**
   * Whether directives, references and tool calls in included files are carried out, as those in rules
   * are. Default: `false`; an included file is plain text.
   */
  trustFiles?: boolean;
  /**
   * Whether the host is asked for images at `http:` and `https:` addresses. Default: `false`.
   */
  remoteImages?: boolean;
  /**
   * Whether references and directives within Markdown code are carried out. Default: `false`.
   */
  referencesInCode?: boolean;
  /**
   * The deepest nesting of documents within documents. Default: 20.
   */
  maxDepth?: number;
  /**
   * The most items of a conversation, and the most documents that one document may include. Default:
   * 1,000.
   */
  maxItems?: number;
  /**
   * The most bytes of UTF-8 in one item. Default: 1,048,576 (1 MiB).
   */
  maxItemBytes?: number;
  /**
   * The most bytes of UTF-8 in all items together. Default: 16,777,216 (16 MiB).
   */
  maxTotalBytes?: number;
  /**
   * The most expansions of macros in one document, those within other macros included. Default:
   * 1,000.
   */
  maxMacroExpansions?: number;
};

/**
 * A request, as the host's method of that name gets it.
 */
export type HostRequest =
  | {
      /**
       * A file, or lines of one.
       */
      method: "readFile";
      id: number;
      path: string;
      startLine?: number;
      endLine?: number;
      knownVersion?: string;
    }
  | {
      /**
       * A listing of a folder.
       */
      method: "listDirectory";
      id: number;
      path: string;
    }
  | {
      /**
       * A tool's result. Its arguments are JSON, in which an unpaired surrogate is an escape.
       */
      method: "runTool";
      id: number;
      name: string;
      args: string;
    }
  | {
      /**
       * An image.
       */
      method: "readImage";
      id: number;
      uri: string;
    };

/**
 * The kind of an item.
 *
 * - `"file"`: A file, lines of one, or a folder.
 * - `"tool"`: A tool call.
 * - `"rule"`: A rule.
 */
export type ItemType = "file" | "tool" | "rule";

/**
 * The text that mentioned an item first.
 *
 * - `"prompt"`: A prompt.
 * - `"rule"`: A rule; `name` says which. What a rule refers to replaces the reference in the rule's own text and is
 *   no item, so this is the origin of the rules themselves.
 * - `"history"`: A conversation that was scanned with `scanHistory`.
 */
export type OriginSource = "prompt" | "rule" | "history";

/**
 * The text that mentioned an item first, and the turns that mentioned it first and last. Each prompt that
 * is assembled is a turn, counting from 1. What `scanHistory` finds belongs to the turn before the next
 * prompt: turn 0 in a new assembler.
 */
export type ItemOrigin = {
  /**
   * The text that mentioned it first.
   */
  source: OriginSource;
  /**
   * The rule's name.
   */
  name?: string;
  /**
   * The rule's path, if it has one.
   */
  path?: string;
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
   * Its kind.
   */
  type: ItemType;
  /**
   * `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
   */
  key: string;
  /**
   * Its content. Left out if it could not be had (see `error`) or has not been asked for yet.
   */
  content?: string;
  /**
   * The reason why there is no content.
   */
  error?: string;
  /**
   * A tool's arguments: a JSON object. Left out if they cannot be read.
   */
  args?: object;
  /**
   * The text that mentioned it first, and the turns that mentioned it first and last.
   */
  from: ItemOrigin;
};

/**
 * The kind of a reference.
 *
 * - `"file"`: A file, lines of one, or a folder.
 * - `"tool"`: A tool call.
 * - `"image"`: An image.
 * - `"macro"`: A directive.
 */
export type ReferenceKind = "file" | "tool" | "image" | "macro";

/**
 * A reference or a directive in a prompt.
 */
export type Reference = {
  /**
   * The kind of thing that it refers to.
   */
  kind: ReferenceKind;
  /**
   * Its beginning, in UTF-16 code units.
   */
  start: number;
  /**
   * Its end: the offset of the first UTF-16 code unit after it.
   */
  end: number;
  /**
   * The path of a file or an image, as it is written in the prompt.
   */
  path?: string;
  /**
   * The first line, counting from 1. If it is there, so is `endLine`.
   */
  startLine?: number;
  /**
   * The last line, included. For a single line it is equal to `startLine`.
   */
  endLine?: number;
  /**
   * The name of the tool or the macro.
   */
  name?: string;
};

/**
 * The problems of prompts, documents and skills, as stable names.
 *
 * - `"unclosed_fence"`: A fenced code block is not closed.
 * - `"unclosed_directive"`: `@{` is not closed on its line.
 * - `"unknown_command"`: `@{…}` does not begin with a known command.
 * - `"bad_directive"`: A command has a syntax error.
 * - `"stray_else"`: An `else` without an `if`.
 * - `"stray_endif"`: An `endif` without an `if`.
 * - `"unclosed_condition"`: An `if` without an `endif`.
 * - `"undefined_macro"`: A macro is used that is not defined.
 * - `"read_only_macro"`: A prompt or a rule tries to define a macro that belongs to the host.
 * - `"macro_cycle"`: A macro uses itself, directly or through others.
 * - `"macro_limit"`: The macros of a text are expanded too often, or to too much text.
 * - `"bad_pattern"`: The right side of `MATCHES` is not a valid regular expression, or too large.
 * - `"condition_limit"`: The conditions of a text need too many steps.
 * - `"unclosed_reference"`: `@[` is not closed on its line.
 * - `"empty_reference"`: A reference has no path.
 * - `"bad_path"`: A path contains an unpaired surrogate.
 * - `"bad_range"`: A range of lines starts below 1, or ends before it starts.
 * - `"bad_arguments"`: The arguments of a tool call are not a JSON object.
 * - `"denied"`: A prompt names a file that may not be read, or a document includes one.
 * - `"unreadable"`: A prompt names a file that the host could not provide, or a document includes one.
 * - `"cycle"`: A document includes itself.
 * - `"limit"`: A prompt names more than the limits allow, or a document includes more.
 * - `"tool_failed"`: A prompt or a document calls a tool that failed.
 * - `"image"`: An image could not be used, and its reference stays as text.
 * - `"bad_front_matter"`: The front matter of a skill cannot be read.
 * - `"unreadable_block"`: An old message ends with what looks like a block of references, and it cannot be read.
 * - `"over_budget"`: The block does not fit its budget.
 */
export type PromptDiagnosticCode =
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
  | "unreadable_block"
  | "over_budget";

/**
 * Something to tell whoever wrote a prompt, a document or a summary.
 */
export type Diagnostic = {
  /**
   * Its severity.
   */
  severity: Severity;
  /**
   * A stable name of the kind of problem.
   */
  code: DiagnosticCode;
  /**
   * The problem, for people. The words may change between versions.
   */
  message: string;
  /**
   * The line, counting from 1. For a summary it is 1.
   */
  line: number;
  /**
   * The column, counting from 1, in UTF-16 code units. For a summary it is 1.
   */
  column: number;
  /**
   * The name of the rule, the path of the file, or the field of the summary that it is about. Left out,
   * it is about the prompt.
   */
  source?: string;
};

/**
 * An image that takes the place of its reference.
 */
export type RawImage = {
  /**
   * The beginning of its reference in the user's text, in UTF-16 code units.
   */
  start: number;
  /**
   * The end of its reference.
   */
  end: number;
  /**
   * The text between the brackets.
   */
  alt: string;
  /**
   * Such as `image/png`.
   */
  mediaType: string;
  /**
   * Its bytes in base64.
   */
  data: string;
};

/**
 * A prompt with everything it refers to.
 */
export type RawPrompt = {
  /**
   * The user's text, its directives carried out.
   */
  user: string;
  /**
   * The block, empty if there is nothing to say.
   */
  block: string;
  /**
   * The images that take the places of references.
   */
  images: Array<RawImage>;
  /**
   * The keys of the items that the budget left out.
   */
  omitted: Array<string>;
  /**
   * Problems, to show to the user.
   */
  diagnostics: Array<Diagnostic>;
};

/**
 * The items that a prompt refers to, without a turn.
 */
export type ResolvedPrompt = {
  /**
   * In order of first appearance.
   */
  items: readonly ContextItem[];
  /**
   * Problems, to show to the user.
   */
  diagnostics: Array<Diagnostic>;
};

/**
 * A skill that is ready to be used. A document is one without front matter.
 */
export type PreparedSkill = {
  /**
   * Its body, references replaced by their content.
   */
  content: string;
  /**
   * `Description` of its front matter, `""` if there is none.
   */
  description: string;
  /**
   * `Params` of its front matter and of that of the documents that it includes, each once.
   */
  params: Array<string>;
  /**
   * Problems, to show to whoever wrote it.
   */
  diagnostics: Array<Diagnostic>;
};

/**
 * A text with its directives carried out.
 */
export type PreprocessedText = {
  /**
   * The text.
   */
  text: string;
  /**
   * Problems, to show to whoever wrote it.
   */
  diagnostics: Array<Diagnostic>;
};

/**
 * The findings in an old conversation.
 */
export type ScannedHistory = {
  /**
   * The number of items that there are now, rules left out.
   */
  items: number;
  /**
   * Problems: each is of a text that looks like a block and cannot be read.
   */
  diagnostics: Array<Diagnostic>;
};

/**
 * The one of several blocks of a message that stays.
 *
 * - `"last"`: The last one, which is the freshest; the default.
 * - `"first"`: The first one.
 */
export type KeepBlock = "last" | "first";

/**
 * The part of older messages' blocks that stays.
 *
 * - `"all"`: Everything; the default.
 * - `"changed"`: The sections that differ from the block before.
 */
export type KeepSections = "all" | "changed";

/**
 * The copies that stay of a file's content that the history holds several times.
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
 * The prices of tokens that a provider caches, as shares of the price of tokens that it does not.
 */
export type CachePrices = {
  /**
   * The price of a token that is read from the cache. Default: 0.1.
   */
  read?: number;
  /**
   * The price of a token that is written into it. Default: 1.25.
   */
  write?: number;
};

/**
 * The state of the provider's prompt cache. Times are in milliseconds and may be infinite.
 */
export type CacheState = {
  /**
   * The time since the last request. Required.
   */
  idleMs: number;
  /**
   * The time for which the provider keeps a prompt. Default: 300,000, which is five minutes.
   */
  lifetimeMs?: number;
  /**
   * The number of requests that are still expected. With it, older messages are rewritten while the cache is
   * warm, too, as soon as what that saves in these requests costs more than reading the rest of the
   * history anew. Left out, they wait until the cache is cold.
   */
  requests?: number;
  /**
   * The prices of cached tokens. Default: `{ read: 0.1, write: 1.25 }`.
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
   * The names of the tags that mark a block, without brackets. Of each, one block is kept; of blocks that
   * begin with a sentence, such as `Note: src/a.ts was modified`, one for each thing that they are about.
   * Default: `["environment_details"]`.
   */
  tags?: Array<string>;
  /**
   * Whether a block at the end of a text part that holds other text, too, or of a tool result's last
   * text, counts as well. Default: `false`.
   */
  embedded?: boolean;
  /**
   * The one of several blocks of a message that stays. Default: `"last"`.
   */
  keep?: KeepBlock;
  /**
   * Blocks stay only in this many of the newest user messages, at least 1. Default: in all.
   */
  recent?: number;
  /**
   * The part of older messages' blocks that stays. Default: `"all"`.
   */
  sections?: KeepSections;
  /**
   * The copies that stay of a file's content that the history holds several times. Default: `"all"`.
   */
  files?: KeepFiles;
  /**
   * With `files`, whether older whole files in the arguments of calls that wrote them are
   * replaced, too. Default: `false`.
   */
  writes?: boolean;
  /**
   * Whether a tool's result of 500 characters or more is replaced by a line if an equal one
   * comes later. Default: `false`.
   */
  repeatedResults?: boolean;
  /**
   * Tools of your own that read files, by their names, and where the path stands among the arguments of
   * each: `path`, or `operations[].path` where a list has several. Default: none; the tools of known agents
   * are known.
   */
  readTools?: Record<string, string>;
  /**
   * The folder that relative paths start from. Default: the folder that the first block names as
   * the current one.
   */
  root?: string;
  /**
   * A name for several of these options at once; an option that is set itself counts more.
   * Default: none.
   */
  economy?: Economy;
  /**
   * With `economy: "compact"`, the size to reach, in estimated tokens of all messages. Default:
   * everything is removed that can be.
   */
  targetTokens?: number;
  /**
   * The state of the provider's prompt cache. With it, older messages are rewritten only if the
   * cache is cold, or if that pays (see `requests`). Default: they are rewritten at once.
   */
  cache?: CacheState;
};

/**
 * The settings of a history deduper, which say what it has to be told.
 */
export type DedupeSettings = {
  /**
   * The names of the tags, without brackets.
   */
  tags: Array<string>;
  /**
   * Whether blocks at the end of other text parts and of tool results count.
   */
  isEmbedded: boolean;
  /**
   * Whether every message with a block has to be given, even one that needs no repair by itself.
   */
  needsEveryBlock: boolean;
  /**
   * Whether the texts of messages are needed: to find copies of files and results that come again, to reach a size, or
   * to see whether rewriting pays.
   */
  needsTexts: boolean;
};

/**
 * A block made of the details that a host gave.
 */
export type FreshBlock = {
  /**
   * The block with its tags.
   */
  text: string;
  /**
   * The index of its tag among the tags of the options.
   */
  tag: number;
};

/**
 * The changes that make a fresh block the last one of a content.
 */
export type BlockPlacement = {
  /**
   * The edits of the content before the block is added. They cross as numbers.
   */
  edits: Array<number>;
  /**
   * Whether the fresh block is to be added. It is not if one that was there stays.
   */
  addsBlock: boolean;
  /**
   * Whether it follows a block of another tag, or a note about something else.
   */
  followsOtherBlock: boolean;
  /**
   * The number of blocks in the content that give way.
   */
  blocksRemoved: number;
  /**
   * The text that goes with them, in UTF-16 code units.
   */
  charactersRemoved: number;
  /**
   * If the content is a string, the length of the white space at its end before which the block
   * goes, in UTF-16 code units.
   */
  whiteSpaceAfter: number;
};

/**
 * The reason why a message was changed. Of several reasons the last of these counts.
 *
 * - `"moved"`: Its block was not at the end.
 * - `"duplicates"`: It held several blocks.
 * - `"sections"`: Sections of its block are in the block before.
 * - `"recent"`: It is older than `recent` allows.
 * - `"results"`: It held a result that came again, or a second one of a call.
 * - `"writes"`: It held a whole file as an argument, of which there is a newer copy.
 * - `"files"`: It held a copy of a file of which there is a newer one.
 */
export type DedupeReason =
  "moved" | "duplicates" | "sections" | "recent" | "results" | "writes" | "files";

/**
 * The change of one message. Characters are UTF-16 code units.
 */
export type DedupeChange = {
  /**
   * The message's index in the history.
   */
  index: number;
  /**
   * The number of blocks that went. A block that was only moved did not go.
   */
  blocks: number;
  /**
   * The text that went.
   */
  characters: number;
  /**
   * The same as estimated tokens: one for each Han, Kana or Hangul character, and one for every
   * four units of the rest.
   */
  tokens: number;
  /**
   * The reason.
   */
  reason: DedupeReason;
};

/**
 * Things of one kind that went.
 */
export type KindTotals = {
  /**
   * Their number.
   */
  items: number;
  /**
   * The text that went, in UTF-16 code units.
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
 * The sums of what went, by what it was.
 */
export type DedupeKinds = {
  /**
   * Blocks of which their message has another, and results whose calls have others.
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
 * The kinds of things that give way.
 *
 * - `"file"`: A copy of a file that the history shows.
 * - `"write"`: A copy of a file that is the argument of a call.
 * - `"result"`: A tool's result.
 */
export type SupersededKind = "file" | "write" | "result";

/**
 * The way in which a copy came into the history.
 *
 * - `"read"`: A tool read it.
 * - `"edit"`: The answer to an edit showed it, or a call wrote it.
 * - `"mention"`: The user mentioned it.
 */
export type CopySource = "read" | "edit" | "mention";

/**
 * The name of a field, or an index in a list.
 */
export type PlaceKey = string | number;

/**
 * The place of a text that may give way.
 */
export type Place = {
  /**
   * The index of the message.
   */
  index: number;
  /**
   * The index of the part; -1 if the content is a string.
   */
  part: number;
  /**
   * The names and indexes that lead from the part to the text.
   */
  keys: Array<PlaceKey>;
  /**
   * The beginning, in UTF-16 code units.
   */
  start: number;
  /**
   * The end.
   */
  end: number;
};

/**
 * Something that gives way, or would once older messages may be rewritten.
 */
export type Superseded = {
  /**
   * The kind of thing that it is.
   */
  kind: SupersededKind;
  /**
   * The way in which a copy of a file came into the history.
   */
  from: CopySource | null;
  /**
   * Its place in the history.
   */
  place: Place;
  /**
   * The path of a file as the history spells it; empty for a result.
   */
  path: string;
  /**
   * The index of the message that has the newest.
   */
  newest: number;
  /**
   * The line that stands there instead.
   */
  notice: string;
  /**
   * The length that this saves, in UTF-16 code units.
   */
  characters: number;
  /**
   * The same as estimated tokens.
   */
  tokens: number;
};

/**
 * The things that could go, but have to wait until the prompt cache is cold.
 */
export type DedupeWaiting = {
  /**
   * The number of whole blocks that would go.
   */
  blocks: number;
  /**
   * The number of the others that would lose sections.
   */
  shortened: number;
  /**
   * The number of copies of files that would give way, in texts and in arguments.
   */
  files: number;
  /**
   * The number of results that would.
   */
  results: number;
  /**
   * All text that would go, in UTF-16 code units.
   */
  characters: number;
  /**
   * The same as estimated tokens.
   */
  tokens: number;
};

/**
 * The report of what was done to a history.
 */
export type DedupeReport = {
  /**
   * The number of messages that were changed.
   */
  messagesChanged: number;
  /**
   * The number of blocks that went.
   */
  blocksRemoved: number;
  /**
   * The text that went, in UTF-16 code units.
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
   * The work of the options for older messages, if they may not do it now.
   */
  waiting: DedupeWaiting;
};

/**
 * The tools that Cline, Roo Code and Kilo Code have had as tags in a text; any other name in angle
 * brackets is text.
 */
export const TOOLS_IN_TEXT: readonly string[] = [
  "access_mcp_resource",
  "act_mode_respond",
  "apply_diff",
  "apply_patch",
  "ask_followup_question",
  "attempt_completion",
  "browser_action",
  "codebase_search",
  "condense",
  "delete_file",
  "edit",
  "edit_file",
  "execute_command",
  "fast_edit_file",
  "fetch_instructions",
  "focus_chain",
  "generate_explanation",
  "generate_image",
  "insert_content",
  "list_code_definition_names",
  "list_files",
  "list_skills",
  "load_mcp_documentation",
  "new_rule",
  "new_task",
  "plan_mode_respond",
  "plan_mode_response",
  "read_file",
  "replace_in_file",
  "report_bug",
  "run_slash_command",
  "search_and_replace",
  "search_files",
  "search_replace",
  "search_subagent",
  "summarize_task",
  "switch_mode",
  "update_todo_list",
  "use_mcp_tool",
  "use_skill",
  "use_subagents",
  "web_fetch",
  "web_search",
  "write_to_file",
];

/**
 * The calls of OpenAI's Responses that the host runs, without `_call`.
 */
export const HOST_CALLS: readonly string[] = [
  "function",
  "custom_tool",
  "local_shell",
  "shell",
  "apply_patch",
];

/**
 * Those that the provider runs, which have their results in themselves.
 */
export const PROVIDER_CALLS: readonly string[] = [
  "web_search",
  "file_search",
  "computer",
  "code_interpreter",
  "image_generation",
  "mcp",
  "tool_search",
];

/**
 * The other items of the Responses that are not messages.
 */
export const OTHER_ITEMS: readonly string[] = [
  "reasoning",
  "compaction",
  "item_reference",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
];

/**
 * The fields in which the providers' parts have the bytes of a picture or a file, or its address.
 */
export const MEDIA: readonly string[] = [
  "source",
  "data",
  "image_url",
  "image_urls",
  "image",
  "input_audio",
  "file_data",
  "file_id",
  "file",
  "resource",
  "inlineData",
  "fileData",
];

/**
 * Texts of the system prompt in the host's own words. `{task}` stands for the task, escaped as in a JSON
 * string, so that nothing in it can end a quotation or a line. Without a task it is empty. A blank text
 * is left out of the prompt.
 */
export type InjectorTexts = {
  /**
   * The reminder of the task, in both phases. Without a task there is no reminder.
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
   * The most tokens that the accumulated summaries may take. Over it the oldest are folded into one, and of the
   * longest that stay the middle is left out.
   * Tokens are estimated: one for each Han, Kana or Hangul character, and one for every four UTF-16 code
   * units of the rest. Default: no limit.
   */
  maxTokens?: number;
  /**
   * The most recalled messages in one prompt; of more, those that were asked for most directly are taken, and of
   * these the newest. Default: 20.
   */
  maxRecalledMessages?: number;
  /**
   * The most messages that are kept for recall and for the thinking phase; of more, the oldest are
   * forgotten. Default: no limit.
   */
  maxMessages?: number;
  /**
   * The most tokens in the text of a request for a summary or a fold, estimated as for `maxTokens`. Default: 16,000.
   */
  maxRequestTokens?: number;
  /**
   * Texts of the system prompt in the host's own words.
   */
  texts?: InjectorTexts;
};

/**
 * The events that an injector logs.
 *
 * - `"turn_completed"`: The turn was completed by the start of the next.
 * - `"summaries_cut"`: With the turn's summary the summaries take more than `maxTokens`, so that the longest are shown without
 *   their middle.
 * - `"over_budget"`: The summaries are too many even so.
 */
export type SummaryEvent = "turn_completed" | "summaries_cut" | "over_budget";

/**
 * Something that the injector did without being asked.
 */
export type SummaryLogEntry = {
  /**
   * The number of the turn.
   */
  turn: number;
  /**
   * The event.
   */
  what: SummaryEvent;
  /**
   * The reason, for people.
   */
  why: string;
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
   * The task for the model, and the form of its answer.
   */
  prompt: string;
  /**
   * The text to sum up: the entries of those turns, beginning with an earlier fold if there is
   * one, cut to `maxRequestTokens`.
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
   * The task for the model.
   */
  prompt: string;
  /**
   * The JSON schema of its answer: `goal`, `done`, `decisions`, `files`, `openPoints`, `insights`.
   */
  schema: object;
  /**
   * The text to sum up: the messages and the thinking of the turn, each in tags with the name
   * of its role, cut to `maxRequestTokens`.
   */
  text: string;
};

/**
 * The problems of a model's summary, as stable names.
 *
 * - `"unreadable_summary"`: A model's summary of a turn cannot be parsed, or is empty. It is not stored.
 * - `"unreadable_field"`: A field of a model's summary has a type that the schema does not allow. The field is left out.
 * - `"goal_dropped"`: A model's summary does not name the user's goal.
 * - `"no_open_point"`: A model's summary names no open point, though the task is not finished.
 * - `"summary_too_long"`: A model's summary is longer than what it sums up.
 */
export type SummaryDiagnosticCode =
  "unreadable_summary" | "unreadable_field" | "goal_dropped" | "no_open_point" | "summary_too_long";

/**
 * The relation of two directories.
 *
 * - `"same"`: They are the same directory.
 * - `"parent"`: The first contains the second.
 * - `"child"`: The first is inside the second.
 * - `"unrelated"`: Neither contains the other.
 */
export type PathRelation = "same" | "parent" | "child" | "unrelated";

/**
 * The options by which two paths are compared.
 */
export type PathOptions = {
  /**
   * The platform whose rules the paths follow; the one that the code runs on does not matter. Left out, it is what
   * both paths say: `win32` by a drive or a backslash, `posix` by a leading slash. It is required if they
   * do not say the same.
   */
  platform?: PathPlatform | PosixSystem;
  /**
   * Whether names that differ only in case are different. Default: `true` for `posix`, `false` for
   * `win32`.
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
 * The directories from which a terminal may be led to another.
 *
 * - `"related"`: From a directory that contains it or lies in it.
 * - `"anywhere"`: From any directory.
 */
export type Reachable = "related" | "anywhere";

/**
 * The certainty of a terminal's working directory.
 *
 * - `"reported"`: The host reported it, and nothing that has run since then can have changed it.
 * - `"expected"`: A plain `cd` leads there, but it may have failed, and the host has not reported a directory since.
 * - `"uncertain"`: Something has run that may have changed it, and the host has not reported a directory since. What is
 *   given is the last directory that was known.
 */
export type DirectoryCertainty = "reported" | "expected" | "uncertain";

/**
 * The options of a `TerminalSelector`.
 */
export type TerminalSelectorOptions = {
  /**
   * The platform whose rules paths follow: what `process.platform` says on the machine with the terminals, or
   * `"posix"`. Required, since the code may run on another.
   */
  platform: PathPlatform | PosixSystem;
  /**
   * Whether names that differ only in case are different. Default: `true` for `posix`, `false` for
   * `win32`.
   */
  caseSensitive?: boolean;
  /**
   * The times that a terminal may be led to another directory until it is reset; 0 is never. Default: 5.
   */
  maxDirectoryChanges?: number;
  /**
   * Whether an idle terminal that is bound to another task may be taken. Default: `false`.
   */
  stealFromOtherTasks?: boolean;
  /**
   * The most terminals there may be, of all providers together: at least 1. At the limit a choice names
   * terminals to close, or asks to wait. Default: no limit.
   */
  maxTerminals?: number;
  /**
   * The directories from which a terminal may be led to another. Default: `"related"`.
   */
  reachable?: Reachable;
};

/**
 * A terminal that a command may be sent to.
 */
export type TerminalRegistration = {
  /**
   * The host's number for it: an integer from 0 to 9,007,199,254,740,991.
   */
  id: number;
  /**
   * The provider that runs it, such as `vscode` or `execa`. A request only considers terminals of its own provider.
   */
  provider: string;
  /**
   * The shell's name, or the path of its program. A shell that no command line can be written for
   * counts as `other`. Left out, it is not known.
   */
  shell?: Shell | (string & {});
  /**
   * Its working directory, an absolute path. Left out or `null`, it is not known, and the terminal is not
   * chosen until it is.
   */
  workingDirectory?: string | null;
  /**
   * The task that it is bound to.
   */
  taskId?: string;
  /**
   * Whether a command runs in it. Default: `false`.
   */
  busy?: boolean;
};

/**
 * A directory in a list of terminals that cannot be understood. The terminal's is unknown.
 */
export type UnknownDirectory = {
  /**
   * The terminal's number.
   */
  id: number;
  /**
   * Its place in the list, such as `terminals[2].workingDirectory`.
   */
  field: string;
  /**
   * The reason why it cannot be understood.
   */
  message: string;
};

/**
 * The changes of a terminal. Several changes in one call are made in the order of these fields.
 */
export type TerminalChange = {
  /**
   * It was closed. Its id may be used for another terminal.
   */
  closed?: true;
  /**
   * The task that it is bound to from now on, or `null` for none.
   */
  taskId?: string | null;
  /**
   * It was reset to the state of a new terminal: its changes of directory count from 0 again, and its
   * environment counts as unchanged.
   */
  reset?: true;
  /**
   * A command could not be run in it. It is never chosen again, not even after a reset.
   */
  failed?: true;
  /**
   * The names of environment variables that have changed. They are added to those that were told
   * before.
   */
  environment?: Array<string>;
  /**
   * Its working directory, as its shell reports it, or `null` if that cannot be known. What is reported
   * here comes before what a command was expected to do.
   */
  workingDirectory?: string | null;
  /**
   * Whether a command runs in it. Either value ends the reservation that `select` made. `false` says
   * that the command ended: the terminal is then where that command leads, unless a directory was
   * reported after it began.
   */
  busy?: boolean;
  /**
   * The host cannot see when the command in it ends. The terminal stays busy until the host says
   * otherwise, still counts toward `maxTerminals`, and is the first to be closed.
   */
  unobserved?: true;
};

/**
 * A terminal as it is known.
 */
export type TerminalState = {
  /**
   * The host's number for it.
   */
  id: number;
  /**
   * The provider that runs it.
   */
  provider: string;
  /**
   * Its shell. Left out, it is not known.
   */
  shell?: Shell | "other";
  /**
   * Whether a command runs in it, or `select` has reserved it for one.
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
   * Its working directory, as the host wrote it. Left out, it is not known.
   */
  workingDirectory?: string;
  /**
   * The certainty of the working directory.
   */
  directory?: DirectoryCertainty;
  /**
   * Whether a choice has named it in `close`. It is never chosen again.
   */
  closing: boolean;
  /**
   * The times that it was led to another directory since it was created or reset.
   */
  directoryChanges: number;
  /**
   * The names of environment variables that have changed, sorted.
   */
  environment: Array<string>;
};

/**
 * A command, and where it is to run.
 */
export type TerminalRequest = {
  /**
   * The command, of one line or several, in the language of the terminal's shell. The selector reads it
   * to tell in which directory it leaves the shell. Hosts that pick the terminal before they know the
   * command leave it out: then the choice's command is only the change of directory, or empty, and the
   * directory is uncertain afterwards until it is reported. Once the command is known, ask again with it
   * and the `terminalId`.
   */
  command?: string;
  /**
   * The directory to run it in: an absolute path. Left out, it is where the task left off: where the
   * last command of the task leaves its terminal, or, with `terminalId`, where that terminal is.
   */
  workingDirectory?: string;
  /**
   * A terminal that is chosen already. It is the only one considered, from wherever it is, and however
   * often its directory was changed; an earlier choice of it for the same task is taken back.
   */
  terminalId?: number;
  /**
   * The task that the command belongs to. Its own terminals are preferred, and the chosen one is bound to
   * it. Default: none, or, with `terminalId`, the one that terminal is bound to.
   */
  taskId?: string;
  /**
   * The provider whose terminals are considered, such as `vscode` or `execa`.
   */
  provider: string;
  /**
   * The shell that the command is written for. Terminals that are known to run another one are not
   * considered.
   */
  shell?: Shell;
  /**
   * Whether terminals whose environment has changed are left out. Default: only those are left out that
   * another task used before.
   */
  cleanEnvironment?: boolean;
};

/**
 * The place where a command is to run, and the reason.
 */
export type TerminalChoice =
  | {
      /**
       * Send the command to the terminal, which is in its directory: the one that was asked for, or where a
       * change of directory leads that the command began with.
       */
      action: "reuse";
      /**
       * The terminal to send the command to.
       */
      terminalId: number;
      /**
       * Its rank as a match: 1 is bound to the task, 3 is not.
       */
      tier: 1 | 3;
      /**
       * The relation of the terminal's directory to the one in which the command runs: it is the same.
       */
      relation: "same";
      /**
       * The certainty of the terminal's directory: it was reported.
       */
      directory: "reported";
      /**
       * The times that the terminal may still be led to another directory after this.
       */
      changesLeft: number;
      /**
       * The terminals to close, if there are more than `maxTerminals`. None of them is chosen again.
       */
      close?: Array<number>;
      /**
       * The command, without a change of directory that has nothing to do any more.
       */
      command: string;
      /**
       * The reason, for people.
       */
      reason: string;
    }
  | {
      /**
       * Send the command to the terminal. It begins with a change of directory.
       */
      action: "reuse_with_cd";
      /**
       * The terminal to send the command to.
       */
      terminalId: number;
      /**
       * Its rank as a match. 1 and 2 are bound to the task, 3 and 4 are not. 1 and 3 are expected to be
       * in the directory already, so that the `cd` is a precaution and is not counted; 2 and 4 are led
       * there.
       */
      tier: 1 | 2 | 3 | 4;
      /**
       * The relation of the terminal's directory, or of the last one known, to the one in which the command
       * runs.
       */
      relation: PathRelation;
      /**
       * The certainty of the terminal's directory.
       */
      directory: DirectoryCertainty;
      /**
       * The times that the terminal may still be led to another directory after this.
       */
      changesLeft: number;
      /**
       * The terminals to close, if there are more than `maxTerminals`. None of them is chosen again.
       */
      close?: Array<number>;
      /**
       * The change of directory, which may be the command's own, and the command, ready to be sent.
       */
      command: string;
      /**
       * The reason, for people.
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
      workingDirectory: string;
      command: string;
      reason: string;
    }
  | {
      /**
       * Send nothing yet, and call `select` again after an update for one of these terminals: there are
       * `maxTerminals` already, and none of them can be closed, or the terminal that the request names is busy.
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
 * What a session knows besides its machines.
 */
export type SessionState = {
  /**
   * The names of the tags that mark a block of environment.
   */
  tags: Array<string>;
  /**
   * White space before an environment.
   */
  separator: string;
  /**
   * Whether each ghost block builds upon those before, which therefore stay.
   */
  keepsGhostBlocks: boolean;
  /**
   * The task of its commands.
   */
  taskId?: string;
  /**
   * The number of the newest turn; 0 before the first.
   */
  turn: number;
  /**
   * The user's words in the open turn.
   */
  prompt?: string;
};

/**
 * Something that a session decided.
 */
export type SessionLogEntry = {
  /**
   * The number of the turn; 0 before the first.
   */
  turn: number;
  /**
   * Who decided: the machine's name, such as `loop_detector`, as in errors.
   */
  machine: string;
  /**
   * `nudge` or `stop` of a loop detector; `omitted` items, a `failed` one, or a `diagnostic` of an
   * assembler; blocks `removed` by the deduper; `reuse`, `reuse_with_cd`, `create` or `wait` of a
   * terminal selector; `turn_completed`, `summaries_cut` or `over_budget` by an injector.
   */
  what: string;
  /**
   * The reason, for people.
   */
  why: string;
  /**
   * The loop's report, the keys of the items, the diagnostic, the choice, or how many blocks.
   */
  detail?: unknown;
};

/** The formats of saved sessions that are read. */
export type SessionFormat =
  | "events"
  | "cline"
  | "cline-ui"
  | "cline-markdown"
  | "gemini-cli"
  | "gemini"
  | "claude-code"
  | "claude-stream"
  | "gemini-stream"
  | "codex"
  | "openhands"
  | "openhands-eval"
  | "swe-agent"
  | "mini-swe-agent"
  | "pi"
  | "opencode"
  | "goose"
  | "copilot-chat"
  | "copilot-cli"
  | "qwen-code"
  | "kimi"
  | "crush"
  | "atif"
  | "hermes"
  | "codebuddy"
  | "nanobot"
  | "kiro"
  | "continue"
  | "pydantic-ai"
  | "tau-bench"
  | "anthropic"
  | "openai"
  | "ai-sdk"
  | "messages";

/** A stable name of a kind of problem. */
export type DiagnosticCode = PromptDiagnosticCode | SummaryDiagnosticCode;

/**
 * Whose rules paths follow.
 *
 * - `"posix"`: `/` separates, and case counts.
 * - `"win32"`: `/` and `\` separate, and case is ignored.
 */
export type PathPlatform = "posix" | "win32";

/** What Node's `process.platform` says of a system whose paths are `"posix"`. */
export type PosixSystem =
  | "aix"
  | "android"
  | "cygwin"
  | "darwin"
  | "freebsd"
  | "haiku"
  | "linux"
  | "netbsd"
  | "openbsd"
  | "sunos";

/**
 * The severity of a diagnostic.
 *
 * - `"error"`: Something could not be done.
 * - `"warning"`: It was done, but perhaps not in the way that was meant.
 */
export type Severity = "error" | "warning";

/**
 * The kind of an error, as a stable name that a host may switch on.
 *
 * - `"invalid_config"`: An option is unknown, of the wrong type or out of range.
 * - `"invalid_argument"`: An argument of a call is of the wrong type or out of range.
 * - `"limit_exceeded"`: A value is larger or deeper than the documented limit.
 * - `"wrong_order"`: The call does not fit the state of the object: no turn is open, say.
 * - `"unknown_id"`: The id is not registered, or no longer.
 * - `"snapshot_corrupt"`: The bytes are truncated or altered, or not a snapshot at all.
 * - `"snapshot_version"`: The snapshot was written by a newer version of this library.
 * - `"wrong_machine"`: The snapshot belongs to another machine: one of a loop detector given to an assembler, say.
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

/** The bytes with which the values of an encoded call begin, and the lists in it end. */
export const enum CallTag {
  None = 0x75,
  Null = 0x6e,
  True = 0x74,
  False = 0x66,
  Number = 0x64,
  Ascii = 0x73,
  Wide = 0x77,
  Double = 0x38,
  Text = 0x78,
  List = 0x6c,
  Fields = 0x6f,
  Array = 0x5b,
  ArrayEnd = 0x5d,
  Object = 0x7b,
  ObjectEnd = 0x7d,
  Cut = 0x7e,
  Key = 0x6b,
}

/** Arguments nested deeper than this are refused. */
export const MAX_ARGUMENT_DEPTH = 127;
