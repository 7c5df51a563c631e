// Generated from the Rust types by `cargo xtask shapes`. Do not edit.

/**
 * One thing that happened in a conversation.
 *
 * Text comes as deltas, cut anywhere. Lengths and offsets count UTF-16 code units, as
 * JavaScript's `length` does.
 */
export type AgentEvent = { "type": "text", 
/**
 * The delta.
 */
text: string, } | { "type": "reasoning", 
/**
 * The delta.
 */
text: string, } | { "type": "tool_call", 
/**
 * The provider's id of the call.
 */
id?: string, 
/**
 * The tool's name.
 */
name: string, 
/**
 * Any JSON value, or the same as a JSON string. Left out where the format carries none.
 */
args?: unknown, } | { "type": "tool_result", 
/**
 * The id of the call that it answers.
 */
id?: string, 
/**
 * What the tool printed or returned. An empty one is a result.
 */
output: string, 
/**
 * Whether the host or the tool marked it as an error.
 */
isError?: boolean, 
/**
 * A command's exit code.
 */
exitCode?: number, } | { "type": "turn_started" } | { "type": "user_message" } | { "type": "finished" } | { "type": "condensation" } | { "type": "other" };

/**
 * The field's names for the ways in which an agent gets stuck.
 */
export type LoopType = "consecutive_identical_tool_calls" | "repeated_tool_cycle" | "same_tool_different_arguments" | "repeated_error" | "chanting_identical_sentences" | "monologue" | "llm_detected_loop";

/**
 * A rule set.
 */
export type LoopProfile = "standard" | "adaptive" | "gemini-cli" | "deepv" | "openhands" | "roo" | "cline" | "crush";

/**
 * Which text repeats: the assistant's prose or its thinking.
 */
export type Channel = "text" | "reasoning";

/**
 * Why an agent was found stuck.
 */
export type LoopReport = { 
/**
 * The way in which it is stuck.
 */
type: LoopType, 
/**
 * The rule that fired, such as `identical_calls`.
 */
rule: string, 
/**
 * The profile that the rule belongs to.
 */
profile: string, 
/**
 * The tool that was called.
 */
tool?: string, 
/**
 * SHA-256 over `name:arguments` of the call that fired, the arguments as JSON with sorted
 * keys: 64 lower-case hexadecimal characters.
 */
callKey?: string, 
/**
 * How many repeats were counted.
 */
count: number, 
/**
 * The count at which the rule fires.
 */
threshold: number, 
/**
 * What repeats, as a number of calls or of UTF-16 code units.
 */
period?: number, 
/**
 * The how-manieth detection of this prompt it is, from 1; `clear()` does not reset it.
 */
strike: number, 
/**
 * For text: which text.
 */
channel?: Channel, 
/**
 * Where the repeats begin: a tool call's index from 0, or a UTF-16 offset into the prompt's
 * text.
 */
firstIndex: number, 
/**
 * The call, or the UTF-16 code unit, at which the rule fired.
 */
lastIndex: number, 
/**
 * An excerpt of what repeats, at most 300 UTF-16 code units.
 */
evidence: string, 
/**
 * For the user, at most 500 UTF-16 code units.
 */
message: string, 
/**
 * For the model's history: what was repeated, how often, and what to do differently; at
 * most 2,000 UTF-16 code units.
 */
feedback: string, };

/**
 * What the host should do now.
 */
export type LoopVerdict = { "action": "ok" } | { "action": "nudge", 
/**
 * Why.
 */
report: LoopReport, } | { "action": "stop", 
/**
 * Why.
 */
report: LoopReport, };

/**
 * The host's own texts for one type of loop. `{tool}`, `{count}`, `{threshold}` and `{period}`
 * are filled in.
 */
export type MessageTexts = { 
/**
 * For the user; cut to 500 UTF-16 code units.
 */
message?: string, 
/**
 * For the model's history; cut to 2,000 UTF-16 code units.
 */
feedback?: string, };

/**
 * When a model is asked for its opinion. What is left out has the profile's value, or the seed's.
 */
export type ModelCheckOptions = { 
/**
 * From this turn of a prompt on; 30.
 */
afterTurns?: number, 
/**
 * Turns from one request to the next until the first answer; 3, in `gemini-cli` 10.
 */
interval?: number, 
/**
 * Turns to the next request after an answer of confidence 1; 5.
 */
minInterval?: number, 
/**
 * Turns to the next request after an answer of confidence 0; 15.
 */
maxInterval?: number, 
/**
 * How many of the newest entries of the history the model gets to see; 20.
 */
historyCount?: number, 
/**
 * A confidence above this, from 0 to 1, is a loop; 0.9.
 */
confidence?: number, 
/**
 * Whether just this confidence is a loop, too; `false`, in `gemini-cli` `true`.
 */
inclusive?: boolean, };

/**
 * What becomes of a `stop`.
 */
export type AfterFiring = "latched" | "reset" | "stateless";

/**
 * What of a call's arguments is compared.
 */
export type CompareArguments = "sorted" | "sorted_or_text" | "ordered" | "raw" | "params" | "none";

/**
 * What of a result is compared.
 */
export type CompareResults = "none" | "exit_code" | "full";

/**
 * The settings of a [`LoopDetector`](super::LoopDetector), one list for all profiles. What is
 * left out has the profile's value.
 *
 * A rule is on if its profile has it, or if one of its thresholds is set, and the others then
 * have the values that are given here; a setting that only says how a rule works changes
 * nothing while the rule is off. So a host can add rules to a profile or put together one of
 * its own; `{ profile: "roo", limit: 0 }` has no rule at all. A threshold is an integer of at
 * least 1.
 */
export type LoopDetectorOptions = { 
/**
 * The rule set; `standard`.
 */
profile?: LoopProfile, 
/**
 * So many identical calls in a row stop the model; 10 in `standard` and `deepv`.
 */
identicalCalls?: number, 
/**
 * Which models are watched by `previewCalls`, `previewIntensiveCalls` and `monitoredCalls`: those
 * whose name contains the string, case ignored, or matches the pattern; `/preview/i`.
 */
previewModel?: string | RegExp, 
/**
 * So many calls of one tool since the prompt started stop a preview model; 5 in `standard`.
 */
previewCalls?: number, 
/**
 * The same for the tools of `intensiveTools`; 4 in `standard`.
 */
previewIntensiveCalls?: number, 
/**
 * `read_file`, `read_many_files`, `glob`, `search_file_content` and `ls`.
 */
intensiveTools?: Array<string>, 
/**
 * So many calls in a row of one tool of `monitoredTools`, whatever the arguments, stop a preview
 * model; 32 in `deepv`.
 */
monitoredCalls?: number, 
/**
 * `read_file`, `read_many_files`, `glob`, `search_file_content`, `ls`, `replace`, `write_file`,
 * `delete_file` and `shell`.
 */
monitoredTools?: Array<string>, 
/**
 * So many rounds of a cycle of calls stop the model; 5 in `gemini-cli`.
 */
rounds?: number, 
/**
 * The shortest cycle that counts, in calls; 1.
 */
minPeriod?: number, 
/**
 * The longest, at most 100; 5.
 */
maxPeriod?: number, 
/**
 * More than so many identical calls in a row stop the model, any integer; 3 in `roo`. At 0 or
 * less the rule is off.
 */
limit?: number, 
/**
 * Exactly so many identical calls in a row are a nudge; 3 in `cline`.
 */
softThreshold?: number, 
/**
 * So many or more stop the model; 5 in `cline`.
 */
hardThreshold?: number, 
/**
 * More than `maxRepeats` equal steps of so many stop the model, where a step is all that the
 * model calls from one `turn_started` to the next, with the results; 10 in `crush`, at most 100.
 */
windowSize?: number, 
/**
 * 5 in `crush`.
 */
maxRepeats?: number, 
/**
 * Steps before which that rule is silent; as many as `windowSize`.
 */
windowMinimum?: number, 
/**
 * Whether just the number of `rounds` (`true`), `limit` or `maxRepeats` (`false`) fires, or only
 * more; set, it holds for all three.
 */
inclusive?: boolean, 
/**
 * So many equal actions in a row, a call or a message of the model, together with so many equal
 * results in a row stop the model; 4 in `openhands`.
 */
repeatedPairs?: number, 
/**
 * The same for so many rounds of two that take turns; 3 in `openhands`.
 */
alternatingPairs?: number, 
/**
 * So many equal actions and so many results that are errors, equal or not; 3 in `openhands`.
 */
repeatedErrors?: number, 
/**
 * So many equal actions and so many results that end in the same syntax error of a Jupyter cell;
 * 3 in `openhands`.
 */
syntaxErrors?: number, 
/**
 * So many equal messages of the model with no result in between; 3 in `openhands`.
 */
repeatedMessages?: number, 
/**
 * So many condensations with no action and no result in between; 10 in `openhands`.
 */
repeatedCondensations?: number, 
/**
 * Whether these six look at the whole prompt instead of what follows the last `user_message`;
 * `false`.
 */
headless?: boolean, 
/**
 * Tools that run a command, whose exit code stands for their output where `compareResults` says
 * so, and whose command line `adaptive` reads; the shell tools of the agents whose sessions this package reads.
 */
commandTools?: Array<string>, 
/**
 * So many calls in a row that are the same and got the same answer are a nudge, in `adaptive` 3.
 * Cosmetic arguments, and what changes by itself, such as clocks, durations and ids, are not
 * compared. Here and below, half as many again, two at least, are a stop: 5 of 3.
 */
repeatedResults?: number, 
/**
 * The same where the answers differ in numbers; in `adaptive` 5, for a number may be progress.
 */
similarResults?: number, 
/**
 * The same for tools that wait, scroll or step, and commands that sleep; in `adaptive` 10: silent
 * builds are asked 6 to 8 times.
 */
repeatedWaits?: number, 
/**
 * So many equal edits, whatever they answer; in `adaptive` 3.
 */
repeatedEdits?: number, 
/**
 * So many times that one file is written whole, and nothing else; in `adaptive` 3.
 */
rewrites?: number, 
/**
 * So many calls in a row, not all the same, with the same short error; in `adaptive` 4: healthy
 * sessions have 3.
 */
equalErrors?: number, 
/**
 * So many searches in a row, not all the same, with the same answer; in `adaptive` 8: healthy
 * sessions have up to 5.
 */
fruitlessSearches?: number, 
/**
 * So many rounds of the same calls with the same answers; in `adaptive` 3, and twice as many with
 * waiting in them or of acknowledgements alone.
 */
cycleRounds?: number, 
/**
 * The longest such round, in calls; 10, which is also the most.
 */
longestCycle?: number, 
/**
 * So many times the same call with the same answer within `scatteredWindow`, others in between, and
 * no change to verify; in `adaptive` 5. Never a stop.
 */
scatteredRepeats?: number, 
/**
 * So many calls are looked back on for that; 20, at most 32.
 */
scatteredWindow?: number, 
/**
 * So many equal messages with no call in between, of 20 UTF-16 code units or more; in `adaptive` 3.
 */
equalMessages?: number, 
/**
 * Only in answers of so many UTF-16 code units or fewer, white space and escape sequences left out,
 * are words of errors and of success looked for; 400, at most 2,000. From 200 to 400 nothing
 * changes, at 600 text that only speaks of errors is taken for one.
 */
shortResult?: number, 
/**
 * Tools that change nothing but what is noted or said, in addition to those whose names have words
 * such as `think`, `todo` or `respond`. For this and the five lists below, and `commandTools`, a
 * name, or a word of names as in `read_file` and `readFile`, case ignored; what stands before `__`,
 * `.`, `/` or `:` is left out. A tool is what the first of them says; what a host says comes before
 * the words that are known: `wait`, `edit`, `write`, `bash`, `read` and the like.
 */
noteTools?: Array<string>, 
/**
 * Tools that wait, scroll or step, whose repeats may be meant.
 */
waitTools?: Array<string>, 
/**
 * Tools that change a part of something.
 */
editTools?: Array<string>, 
/**
 * Tools that write something whole.
 */
writeTools?: Array<string>, 
/**
 * Tools that read or search, and change nothing.
 */
searchTools?: Array<string>, 
/**
 * Arguments that are not compared by these rules, case ignored, in addition to `description`,
 * `explanation`, `task_progress`, `requires_approval`, `timeout` and the like.
 */
cosmeticArguments?: Array<string>, 
/**
 * What of the arguments is compared by every rule over calls but those of preview models;
 * `"sorted"`, in `gemini-cli` and `deepv` `"ordered"`, in `roo` `"params"`, in `cline`
 * `"sorted_or_text"`, in `crush` `"raw"`.
 */
compareArguments?: CompareArguments, 
/**
 * What of the results is compared by these rules; `"none"`, in `openhands` `"exit_code"`, in
 * `crush` `"full"`.
 */
compareResults?: CompareResults, 
/**
 * What breaks a row of calls for `identicalCalls`, `rounds`, `limit` and the two thresholds:
 * `"other_tool"`, which it is in every profile. Without it each tool's calls are a row of their
 * own, at most 256 of them.
 */
breaksRun?: ("text" | "user_message" | "other_tool")[], 
/**
 * Whether `browser_action` calls that scroll are not counted; `false`, in `roo` `true`.
 */
skipScrolling?: boolean, 
/**
 * What becomes of a `stop`; `"latched"`, in `roo` `"reset"`, in `openhands`, `cline` and `crush`
 * `"stateless"`.
 */
afterFiring?: AfterFiring, 
/**
 * Whether `clear` only lifts a `stop`, so that the next repeat is one more; `false`, in
 * `gemini-cli` `true`.
 */
clearKeepsCounts?: boolean, 
/**
 * A passage of 2 to 1,000 UTF-16 code units is a loop at so many copies without a break that
 * fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard`
 * and `adaptive`. One copy is no repeat, so 1 counts as 2.
 */
repeatedPassages?: number, 
/**
 * So many copies of such a passage without a break that fill 600 units are a nudge; in `adaptive` 3.
 */
longPassages?: number, 
/**
 * So many sentences in a row that differ in one place only, by three words at most, are a nudge; in
 * `adaptive` 5: written parallels reach 3.
 */
changingSlots?: number, 
/**
 * In prose, windows of so many units are compared at every place; 50, in `deepv` 500, at most
 * 5,000. With this rule verdicts depend on how prose is cut into deltas.
 */
unit?: number, 
/**
 * So many equal windows are a loop; 10, in `deepv` 20, at most 100; 1 counts as 2.
 */
copies?: number, 
/**
 * Their mean distance, at most; 250, in `deepv` 750.
 */
meanDistance?: number, 
/**
 * The texts from each to the next are so many different ones at most; 5, in `deepv` as many as
 * there are.
 */
distinctGaps?: number, 
/**
 * Units that are looked back on; 5,000, in `deepv` 10,000, at most 100,000, at least `unit`.
 */
history?: number, 
/**
 * Whether a delta that looks like Markdown starts the windows afresh; `true`, in `deepv` `false`.
 */
markdownResets?: boolean, 
/**
 * Whether windows of white space and symbols, or of fewer than 15 other units, do not count;
 * `false`, in `deepv` `true`.
 */
skipSymbols?: boolean, 
/**
 * When to ask a model, or `false` for never; only `standard`, `adaptive`, `gemini-cli`
 * and `deepv` ask.
 */
modelCheck?: false | ModelCheckOptions, 
/**
 * The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
 */
messages?: Partial<Record<LoopType, MessageTexts>>, };

/**
 * What to ask a model, with the last `history_count` entries of the conversation before it.
 */
export type ModelCheckRequest = { 
/**
 * How many of the newest entries of the history to send along.
 */
historyCount: number, 
/**
 * The system prompt of the request.
 */
systemPrompt: string, 
/**
 * The user message that follows the history.
 */
prompt: string, 
/**
 * The JSON schema of the answer: `confidence` (0 to 1) and `reasoning`.
 */
schema: object, };

/**
 * Whose rules paths follow.
 */
export type PathPlatform = "posix" | "win32";

/**
 * Where the blocks of a conversation stand.
 */
export type Placement = "latest" | "delta";

/**
 * The settings of a [`GhostBlockAssembler`](super::GhostBlockAssembler).
 */
export type AssemblerOptions = { 
/**
 * The absolute path that requests are relative to.
 */
root: string, 
/**
 * Absolute paths of other folders that may be read.
 */
allowedRoots?: Array<string>, 
/**
 * Whose rules paths follow; read off `root` if left out.
 */
platform?: PathPlatform, 
/**
 * The tools that may be called; any, if left out.
 */
tools?: Array<string>, 
/**
 * `latest`
 */
placement?: Placement, 
/**
 * Tokens that a block may take; no limit.
 */
maxTokens?: number, 
/**
 * Whether included files may act as rules do: macros, references and tool calls; false.
 */
trustFiles?: boolean, 
/**
 * Whether `http:` and `https:` images are asked for; false.
 */
remoteImages?: boolean, 
/**
 * Whether references and directives in code count; false.
 */
referencesInCode?: boolean, 
/**
 * Documents within documents; 20.
 */
maxDepth?: number, 
/**
 * Items of a conversation, and documents included by one; 1,000.
 */
maxItems?: number, 
/**
 * Bytes of UTF-8 that one item may have; 1,048,576.
 */
maxItemBytes?: number, 
/**
 * Bytes of UTF-8 that all items together may have; 16,777,216.
 */
maxTotalBytes?: number, 
/**
 * Uses of macros in one document, those within values included; 1,000.
 */
maxMacroExpansions?: number, };

/**
 * What an item is of.
 */
export type ItemType = "file" | "tool" | "rule";

/**
 * Something that the conversation referred to.
 */
export type ContextItem = { 
/**
 * What it is of.
 */
type: ItemType, 
/**
 * `path`, `path:10`, `path:10:20`, `folder/`, a tool with its arguments, or a rule's name.
 */
key: string, 
/**
 * Its content, unless that is not known or it failed.
 */
content?: string, 
/**
 * Why there is none.
 */
error?: string, 
/**
 * A tool's arguments.
 */
args?: object, };

/**
 * What a reference refers to.
 */
export type ReferenceKind = "file" | "tool" | "image" | "macro";

/**
 * A reference or a directive of a prompt, as it stands there.
 */
export type Reference = { 
/**
 * What it refers to.
 */
kind: ReferenceKind, 
/**
 * Where it begins, in UTF-16 code units.
 */
start: number, 
/**
 * Where it ends.
 */
end: number, 
/**
 * Of a file or an image, as it is written.
 */
path?: string, 
/**
 * From 1.
 */
startLine?: number, 
/**
 * From 1, included.
 */
endLine?: number, 
/**
 * The tool's or the macro's.
 */
name?: string, };

/**
 * Something to tell whoever wrote a prompt or a document.
 */
export type Diagnostic = { 
/**
 * `error` if something was not done, else `warning`.
 */
severity: "error" | "warning", 
/**
 * A stable name of what is wrong.
 */
code: string, 
/**
 * For people.
 */
message: string, 
/**
 * From 1.
 */
line: number, 
/**
 * From 1, in UTF-16 code units.
 */
column: number, 
/**
 * The rule or the file that it is about; the prompt, if left out.
 */
source?: string, };

/**
 * Which of several blocks of a message stays.
 */
export type KeepBlock = "last" | "first";

/**
 * What stays of the blocks of older messages.
 */
export type KeepSections = "all" | "changed";

/**
 * How warm the provider's prompt cache is. Times are in milliseconds.
 */
export type CacheState = { 
/**
 * How long ago the last request was.
 */
idleMs: number, 
/**
 * How long the provider keeps a prompt; 300,000, which is five minutes.
 */
lifetimeMs?: number, };

/**
 * The settings of a [`HistoryDeduper`](super::HistoryDeduper).
 *
 * `recent`, `sections` and `repeatedFileReads` rewrite older messages, which the provider then has
 * to read anew. They are off unless asked for.
 */
export type DedupeOptions = { 
/**
 * The names of the tags, without brackets; `["environment_details"]`. Of each, one block is
 * kept.
 */
tags?: Array<string>, 
/**
 * Whether blocks count that end another text part or a tool result's last text; `false`.
 */
embedded?: boolean, 
/**
 * Which of several blocks of a message stays; `last`.
 */
keep?: KeepBlock, 
/**
 * Blocks stay only in so many of the newest user messages, at least 1.
 */
recent?: number, 
/**
 * What stays of older blocks; `all`.
 */
sections?: KeepSections, 
/**
 * Whether a file's content gives way to a one-line notice when the same read comes again;
 * `false`.
 */
repeatedFileReads?: boolean, 
/**
 * The tools that read a file; `["read_file", "readFile", "view_file", "Read"]`.
 */
readTools?: Array<string>, 
/**
 * With it, older messages are rewritten only if the prompt cache has gone cold.
 */
cache?: CacheState, };

/**
 * Why a message was changed. Of several reasons the one furthest down counts.
 */
export type DedupeReason = "moved" | "duplicates" | "sections" | "recent";

/**
 * What was done to one message. Characters are UTF-16 code units.
 */
export type DedupeChange = { 
/**
 * The message's place in the history, from 0.
 */
index: number, 
/**
 * How many blocks went. A block that was only moved did not go.
 */
blocks: number, 
/**
 * How much text went.
 */
characters: number, 
/**
 * The same as estimated tokens: one for each Han, Kana or Hangul character, and one for every
 * four units of the rest.
 */
tokens: number, 
/**
 * Why.
 */
reason: DedupeReason, };

/**
 * A file's content that gave way to a notice. Putting `original` back at
 * `messages[index].content[part]` undoes it.
 */
export type RepeatedFileRead = { 
/**
 * The message's place in the history, from 0.
 */
index: number, 
/**
 * The part's place in the message as it is now, from 0.
 */
part: number, 
/**
 * The file, as the model named it.
 */
path: string, 
/**
 * The place of the message that holds the newest copy.
 */
newest: number, 
/**
 * What stands there now.
 */
notice: string, 
/**
 * How much shorter it is, in UTF-16 code units.
 */
characters: number, 
/**
 * The same as estimated tokens.
 */
tokens: number, 
/**
 * The part as it was.
 */
original: unknown, };

/**
 * What could go, but has to wait until the prompt cache is cold.
 */
export type DedupeWaiting = { 
/**
 * How many whole blocks would go.
 */
blocks: number, 
/**
 * How many of the others would lose sections.
 */
shortened: number, 
/**
 * How many file contents would give way to a notice.
 */
fileReads: number, 
/**
 * All that would go, in UTF-16 code units.
 */
characters: number, 
/**
 * The same as estimated tokens.
 */
tokens: number, };

/**
 * What was done to a history.
 */
export type DedupeReport = { 
/**
 * How many messages were changed for their blocks.
 */
messagesChanged: number, 
/**
 * How many blocks went.
 */
blocksRemoved: number, 
/**
 * How much text went with blocks and sections, in UTF-16 code units.
 */
charactersSaved: number, 
/**
 * The same as estimated tokens.
 */
tokensSaved: number, 
/**
 * The messages, in their order.
 */
changes: Array<DedupeChange>, 
/**
 * The file contents that gave way to a notice; they are not counted in the figures above.
 */
fileReads: Array<RepeatedFileRead>, 
/**
 * What `recent`, `sections` and `repeatedFileReads` would do, if they may not now.
 */
waiting: DedupeWaiting, };

/**
 * The settings of a [`SummaryInjector`](super::SummaryInjector).
 */
export type SummaryInjectorOptions = { 
/**
 * Tokens that the accumulated summaries may take before they are folded: one for each Han, Kana
 * or Hangul character, and one for every four UTF-16 code units of the rest; no limit.
 */
maxTokens?: number, 
/**
 * So many recalled messages, the newest, go into one prompt; 20.
 */
maxRecalledMessages?: number, 
/**
 * So many messages, the newest, are kept for recall and for the thinking phase; all.
 */
maxMessages?: number, };

/**
 * The turn that is open.
 */
export type CurrentTurn = { 
/**
 * Its number, from 1.
 */
number: number, 
/**
 * The user's goal, inherited perhaps.
 */
task?: string, 
/**
 * As it was given to `startTurn`.
 */
workspace?: string, };

/**
 * Asks the host's model for one summary of several turns.
 */
export type FoldRequest = { 
/**
 * The first turn that is summed up.
 */
fromTurn: number, 
/**
 * The last one.
 */
toTurn: number, 
/**
 * What the model is to do, and the form of its answer.
 */
prompt: string, 
/**
 * What it is to sum up: the entries of those turns, an earlier fold among them.
 */
text: string, };

/**
 * How one directory lies to another.
 */
export type PathRelation = "same" | "parent" | "child" | "unrelated";

/**
 * The shell that runs in a terminal.
 */
export type Shell = "bash" | "zsh" | "sh" | "fish" | "pwsh" | "powershell" | "cmd" | "nu";

/**
 * The settings of a [`TerminalSelector`](super::TerminalSelector).
 */
export type TerminalSelectorOptions = { 
/**
 * Whose rules paths follow. It has to be said: the code may run on another platform than the
 * terminals.
 */
platform: PathPlatform, 
/**
 * Whether names that differ in case alone are two; true on `posix`, false on `win32`.
 */
caseSensitive?: boolean, 
/**
 * How often a terminal may be led to another directory before it is reset, from 0, which is
 * never; 5.
 */
maxDirectoryChanges?: number, 
/**
 * Whether an idle terminal that is bound to another task may be taken; false.
 */
stealFromOtherTasks?: boolean, };

/**
 * A terminal that a command may be sent to.
 */
export type TerminalRegistration = { 
/**
 * The host's name for it: an integer from 0 to 9,007,199,254,740,991.
 */
id: number, 
/**
 * Who runs it, such as `vscode` or `execa`.
 */
provider: string, 
/**
 * What runs in it, if that is known.
 */
shell?: Shell, 
/**
 * Where it stands, absolute. As long as it is not known, the terminal is not chosen.
 */
workingDirectory?: string, 
/**
 * The task that it is bound to.
 */
taskId?: string, 
/**
 * Whether a command runs in it; false.
 */
busy?: boolean, };

/**
 * What has changed of a terminal. Several changes of one call are made in the order in which they
 * stand here.
 */
export type TerminalChange = { 
/**
 * It is gone. Its id is forgotten, and free for another one.
 */
closed?: true, 
/**
 * The task that it is bound to from now on, or none.
 */
taskId?: string | null, 
/**
 * It is as it was when it was made: its changes of directory count from 0 again, and its
 * environment has not changed.
 */
reset?: true, 
/**
 * A command could not be run in it. It is never chosen again, not even after a reset.
 */
failed?: true, 
/**
 * Names of its environment that have changed, beside those that are known to have.
 */
environment?: Array<string>, 
/**
 * Where it stands, as its shell reports. From then on it is not taken to stand where a `cd`
 * before should have led it.
 */
workingDirectory?: string, 
/**
 * Whether a command runs in it. Either ends a reservation. When it falls idle after a `cd`, it
 * stands where that led, unless a report has said otherwise.
 */
busy?: boolean, };

/**
 * A terminal as it is known.
 */
export type TerminalState = { 
/**
 * The host's name for it.
 */
id: number, 
/**
 * Who runs it.
 */
provider: string, 
/**
 * What runs in it, if that is known.
 */
shell?: Shell, 
/**
 * Whether a command runs in it, or is about to: it was chosen.
 */
busy: boolean, 
/**
 * Whether a command could not be run in it.
 */
failed: boolean, 
/**
 * The task that it is bound to.
 */
taskId?: string, 
/**
 * Where it stands, as it was written, if that is known.
 */
workingDirectory?: string, 
/**
 * How often it was led elsewhere since it was made or reset.
 */
directoryChanges: number, 
/**
 * The names of its environment that have changed, in order.
 */
environment: Array<string>, };

/**
 * A command, and where it is to run.
 */
export type TerminalRequest = { 
/**
 * One line or several, in the words of the terminal's shell.
 */
command: string, 
/**
 * The directory that it is to run in, absolute.
 */
workingDirectory: string, 
/**
 * The task whose terminals are preferred, and to which the chosen one is bound.
 */
taskId?: string, 
/**
 * Who runs the terminals that are considered, such as `vscode` or `execa`.
 */
provider: string, 
/**
 * The shell that the command is written for. Terminals of which another one is known are not
 * considered.
 */
shell?: Shell, 
/**
 * Whether terminals whose environment has changed are left out; false.
 */
cleanEnvironment?: boolean, };

/**
 * What to do with a command.
 */
export type TerminalAction = "reuse" | "reuse_with_cd" | "create";

/**
 * Where a command is to run, and why there.
 */
export type TerminalChoice = { 
/**
 * What to do.
 */
action: TerminalAction, 
/**
 * The terminal to send the command to, unless one is to be made.
 */
terminalId?: number, 
/**
 * How good a match it is: 1, bound to the task and in the directory; 2, bound to the task and
 * led there by `cd`; 3, idle and in the directory; 4, idle and led there.
 */
tier?: 1 | 2 | 3 | 4, 
/**
 * How the terminal's directory lies to the one that is asked for.
 */
relation?: PathRelation, 
/**
 * How often the terminal may be led elsewhere after this.
 */
changesLeft?: number, 
/**
 * Ready to be sent.
 */
command: string, 
/**
 * Why, for people.
 */
reason: string, };

/**
 * What went wrong, as a stable name that a host may switch on.
 */
export type ErrorCode = "invalid_config" | "invalid_argument" | "limit_exceeded" | "wrong_order" | "unknown_id" | "snapshot_corrupt" | "snapshot_version" | "wrong_machine" | "disposed" | "poisoned" | "not_initialized" | "csp_blocks_wasm";
