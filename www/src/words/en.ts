import type { LoopType } from "turnkeeper";

import type { SessionReport } from "../../../js/src/analysis/audit-report.js";
import { FORMAT_TITLES } from "../../../js/src/sessions/saved-session.js";
import type { CallKind } from "../../../js/src/analysis/timeline.js";
import type { SampleName } from "../samples.js";
import type { View } from "../frame/address.js";
import type { BlockKind, Fate } from "../worker/history-blocks.js";
import type { JudgedHistory } from "../worker/history-tasks.js";
import type { Preset } from "../worker/presets.js";
import type { Mark, ProfilePlay } from "../worker/profile-play.js";
import type { Why } from "../worker/prompt-tasks.js";

const count = (value: number): string => value.toLocaleString("en-US");
const plural = (value: number, thing: string): string =>
  `${count(value)} ${thing}${value === 1 ? "" : "s"}`;

/** What a loop is, in a few words. */
const LOOPS: Record<LoopType, (mark: Mark) => string> = {
  consecutive_identical_tool_calls: ({ tool, count }) =>
    `${tool ?? "A tool"} was called ${plural(count, "time")} with the same arguments.`,
  repeated_tool_cycle: ({ count }) => `The same few calls went round ${plural(count, "time")}.`,
  same_tool_different_arguments: ({ tool, count }) =>
    `${tool ?? "A tool"} was called ${plural(count, "time")} in a row, with other arguments each time.`,
  repeated_error: ({ count }) => `The same error came back ${plural(count, "time")}.`,
  chanting_identical_sentences: ({ count, channel }) =>
    `The ${channel === "reasoning" ? "reasoning" : "answer"} says the same words ${plural(count, "time")}.`,
  monologue: ({ count }) => `The model talked ${plural(count, "time")} without doing anything.`,
  llm_detected_loop: () => "A model that was asked says that it is a loop.",
  host_detected_loop: () => "The agent itself reported a loop.",
};

const KINDS: Record<CallKind, string> = {
  read: "reads",
  search: "searches",
  edit: "edits",
  run: "runs a command",
  browse: "browses",
  ask: "asks or tells the user",
  other: "other",
};
const ACTIONS = { nudge: "told", stop: "stopped", saved: "saved" };

export const en = {
  count,
  frame: {
    about:
      "Drop the session that your coding agent saved, and see where it went round in circles, what it carried for nothing, and what that cost. Nothing leaves this page.",
    skip: "Skip to the content",
    language: "Language",
    theme: "Colours",
    themeOfSystem: "as the system",
    light: "light",
    dark: "dark",
    views: "Views",
    footer: (version: string) =>
      `Everything here is the npm package turnkeeper ${version}, running in this page. In your own agent: npm install turnkeeper.`,
  },
  views: {
    sessions: "Sessions",
    context: "Context",
    prompt: "Prompt editor",
    terminals: "Terminal board",
    memory: "Memory",
  } satisfies Record<View, string>,
  samples: {
    stuckTests: {
      title: "Stuck on a test (Claude Code)",
      about: "The agent runs one failing test again and again, and changes nothing in between.",
    },
    sameSearch: {
      title: "The same search (gemini-cli)",
      about: "The agent looks for a name that is nowhere, in a circle of three calls.",
    },
    fileAfterFile: {
      title: "File after file (event lines)",
      about:
        "A preview model reads one file after another and never answers; the profile standard stops it.",
    },
    resumedTask: {
      title: "A resumed task (Cline)",
      about:
        "Twice resumed, so that its history carries outdated states of the editor and files twice.",
    },
    brokenCommand: {
      title: "A command that fails (OpenHands)",
      about: "The same error comes back, whatever the agent tries.",
    },
    patchAgain: {
      title: "The same patch (Codex)",
      about: "A patch that does not apply is tried until the budget is gone.",
    },
    sameWords: {
      title: "The same words (event lines)",
      about: "An answer in Chinese that gets stuck in one sentence.",
    },
    healthy: {
      title: "A healthy session (event lines)",
      about: "Twenty-five calls, a bug fixed, no loop.",
    },
  } satisfies Record<SampleName, { title: string; about: string }>,
  formats: FORMAT_TITLES,
  source: {
    heading: "Session",
    sample: "Sample",
    own: "a session of your own",
    open: "Open a file…",
    paste: "Paste a session",
    pasteHere: "The text of the session",
    openPasted: "Show it",
    hint: "What Cline, Roo Code, Kilo Code, gemini-cli, Claude Code, Codex, OpenHands, SWE-agent, opencode, goose, pi and Copilot save, and messages of Anthropic, OpenAI, Gemini and the AI SDK. You can also drop a file anywhere on the page, or paste its text.",
    reading: "Reading…",
    broken: "This could not be read:",
    cutOff: (line: number | undefined) =>
      line === undefined
        ? "Not all of the file could be read:"
        : `The file could be read up to line ${count(line)}:`,
    dropHere: "Drop the session here",
    oneFile: "Drop one file at a time.",
    noFile: "That was no file.",
  },
  rules: {
    heading: "Rules",
    profile: "Profile",
    model: "Model",
    asSession: "as the session",
    identicalCalls: "Identical calls",
    repeatedPassages: "Repeated passages",
    asProfile: "as the profile",
    hint: "Whose rules judge, and how often something may repeat. The picture changes as you type.",
    refused: "The package does not accept this:",
  },
  sessions: {
    timeline: "What the agent did",
    judging: "Judging…",
    cutOff: (line: number | undefined) =>
      line === undefined
        ? "Not all of the session could be judged:"
        : `The session could be judged up to line or element ${count(line)}:`,
    calls: "Calls",
    repeated: "the same call again",
    loop: "loop",
    comparison: "What each profile would have done",
    where: "Where",
    told: "Told at",
    stopped: "Stopped at",
    savedCalls: "Calls saved",
    savedTokens: "Tokens saved",
    never: "–",
    chosen: "(chosen)",
    atCall: (call: number | null) => (call === null ? "the beginning" : `call ${count(call)}`),
    headline: ({ calls, loops }: SessionReport, { marks, saved }: ProfilePlay) => {
      const stop = marks.find(({ action }) => action === "stop");
      if (loops.length === 0) return `${plural(calls, "call")}, no loop.`;
      const found = `${plural(calls, "call")}, ${plural(loops.length, "loop")}.`;
      if (!stop) return `${found} The agent would have been told, and not stopped.`;
      const rest = `${plural(saved.calls, "call")} and about ${plural(saved.tokens, "token")}`;
      const where = stop.call === null ? "before the first call" : `at call ${count(stop.call)}`;
      return `${found} Stopped ${where}, it would have saved ${rest}.`;
    },
    pictureOf: ({ calls, loops }: SessionReport) =>
      `Timeline of ${plural(calls, "call")}; ${loops.length === 0 ? "no loop" : plural(loops.length, "loop")}`,
    stretch: (first: number, last: number, kind: CallKind) =>
      `${first === last ? `call ${count(first)}` : `calls ${count(first)} to ${count(last)}`}: ${KINDS[kind]}`,
    repeat: (tool: string, first: number, last: number) =>
      `${tool}, ${plural(last - first + 1, "time")} in a row: calls ${count(first)} to ${count(last)}`,
    mark: (mark: Mark) => `${ACTIONS[mark.action]}: ${LOOPS[mark.type](mark)}`,
  },
  kinds: KINDS,
  actions: ACTIONS,
  play: {
    heading: "Play the calls",
    run: "Play",
    pause: "Pause",
    back: "Back",
    step: "Step",
    call: "Call",
    at: (call: number, calls: number) => `call ${count(call)} of ${count(calls)}`,
  },
  findings: {
    heading: "Findings",
    none: "No loop was found.",
    saved: ({ calls, events, tokens }: ProfilePlay["saved"]) =>
      `Stopping saves ${plural(calls, "call")}, ${plural(events, "event")}, about ${plural(tokens, "token")}.`,
    blind: (lacks: readonly ("arguments" | "results")[]) =>
      `The session has no ${lacks.join(" and no ")}, so rules that need them stayed silent.`,
    what: (mark: Mark) => LOOPS[mark.type](mark),
    count: (value: number, threshold: number) =>
      `${count(value)}, the threshold is ${count(threshold)}`,
    show: (call: number) => `Show call ${count(call)}`,
    toModel: "What the model would be told",
    evidence: "Evidence",
    more: (value: number) => `And ${count(value)} more.`,
  },
  events: {
    heading: "Events",
    list: (rows: number) => `Events of the session, ${plural(rows, "row")}`,
    selected: "The selected event",
    text: "All of its text",
    pieces: (value: number) => plural(value, "piece"),
    run: (value: number, threshold: number) =>
      `the longest run: ${count(value)} of ${count(threshold)}`,
    place: (place: number, unit: "line" | "element") => `${unit} ${count(place)}`,
    afterStop: "after the stop, so it would not have happened",
    more: (characters: number) => `${plural(characters, "character")} more are not shown.`,
  },
  labels: {
    text: "text",
    thinking: "thinking",
    call: "call",
    result: "result",
    error: "error",
    turn: "turn",
    user: "user",
    prompt: "prompt",
    finished: "finished",
    condensed: "condensed",
    retry: "retry",
    loop: "loop",
    other: "other",
  } as Record<string, string>,
  costs: {
    heading: "What it cost",
    calls: "Tool calls",
    turns: (turns: number) => plural(turns, "request"),
    loops: "Loops",
    loopsHint: "by the chosen profile, going on after each",
    tokens: "Tokens",
    estimated: "estimated",
    duplicates: "Duplicate blocks",
    outdated: "Outdated blocks",
    sent: (tokens: number) => `${plural(tokens, "token")} sent for them`,
    terminals: "Commands",
    terminalsHint: "could run in a terminal already open",
    byKind: "Tokens by kind",
    download: "Save the numbers (JSON)",
  },
  tokenKinds: {
    system: "system and host",
    environment: "environment",
    user: "user",
    text: "assistant text",
    reasoning: "reasoning",
    calls: "tool calls",
    results: "tool results",
  } satisfies Record<string, string>,
  history: {
    presetHeading: "Repair",
    preset: "What gives way",
    presets: {
      duplicates: {
        title: "Duplicates in a message",
        about:
          "In each message of the user the newest block of environment stays; what turnkeeper repair does.",
      },
      sections: {
        title: "Unchanged sections",
        about: "Older blocks are shortened to the sections that changed.",
      },
      recent: {
        title: "All but the newest environment",
        about: "Only the newest message of the user keeps its block of environment.",
      },
      files: {
        title: "Files read again",
        about: "A file's content gives way to a notice if the same file is read again later.",
      },
      everything: {
        title: "Newest environment, newest files",
        about:
          "Only the newest environment stays, and of a file that was read again only the newest copy.",
      },
    } satisfies Record<Preset, { title: string; about: string }>,
    judging: "Comparing before and after…",
    noHistory:
      "This format is a record of what happened, not a history that is sent to a model again. Cline, Claude Code, Anthropic, OpenAI, Gemini and AI SDK histories can be repaired.",
    sizes: "Before and after",
    headline: ({ messages, messagesChanged, before, after }: JudgedHistory) => {
      const saved = before.total - after.total;
      const share = before.total === 0 ? 0 : Math.round((100 * saved) / before.total);
      return `${plural(messages, "message")}, ${count(messagesChanged)} changed: ${count(before.total)} tokens become ${count(after.total)}, ${share} % less.`;
    },
    order: "In order",
    orderPicture: ({ messages }: JudgedHistory) =>
      `The blocks of ${plural(messages, "message")} in their order; hatched ones give way`,
    before: "Before",
    after: "After",
    barPicture: (when: "before" | "after", tokens: number) => `${when}: ${plural(tokens, "token")}`,
    byKind: "Tokens by kind, estimated",
    kind: "Kind",
    total: "total",
    download: "Save the repaired file",
    blocks: "Blocks",
    list: (rows: number) => `Blocks of the history, ${plural(rows, "row")}`,
  },
  blockKinds: {
    system: "system",
    environment: "environment",
    user: "user",
    text: "assistant",
    reasoning: "reasoning",
    calls: "tool call",
    results: "tool result",
    images: "image",
  } satisfies Record<BlockKind, string>,
  fates: { kept: "kept", removed: "gives way", new: "instead" } satisfies Record<Fate, string>,
  prompt: {
    heading: "The prompt",
    hint: '@[path] a file, @[path:3:9] some of its lines, @[tool{…}] a tool, ![alt](path) an image, @{define NAME, "value"}, @{NAME} and @{if …} macros.',
    placeholder: "Ask something about @[src/cart.ts]",
    editor: "Prompt",
    send: "Send, and write the next one",
    again: "Begin again",
    sent: (prompts: number) =>
      prompts === 0 ? "Nothing sent yet." : `${plural(prompts, "prompt")} sent.`,
    place: (line: number, column: number) => `line ${count(line)}, column ${count(column)}`,
    kinds: { file: "file", tool: "tool", image: "image", macro: "macro" },
    workspace: "The workspace",
    files: "Files",
    tools: "Tools",
    rules: "Rules",
    path: "Path",
    content: "Content",
    tool: "Name of the tool",
    output: "What it gives",
    rule: "Name of the rule",
    nameless: "(no name)",
    remove: (name: string) => `Remove ${name}`,
    add: (title: string) => `Add to: ${title}`,
    preview: "What would be sent",
    placement: "Placement of the block",
    placements: {
      latest: {
        title: "latest",
        about: "One block with everything, in the newest message alone.",
      },
      delta: {
        title: "delta",
        about:
          "Earlier blocks stay where they are, and a new one has what is new; so the provider's cache keeps working.",
      },
    },
    budget: "Budget in tokens",
    noBudget: "none",
    messages: "User messages, as they are sent now",
    message: (number: number, isDraft: boolean) =>
      isDraft ? "The message that is being written" : `Message ${count(number)}`,
    images: (value: number) => `And ${plural(value, "image")} as parts of their own.`,
    items: "What is in the block, and why",
    noItems: "Nothing.",
    item: "Item",
    why: "Why",
    size: "Characters",
    reasons: {
      rule: () => "a rule, always there",
      prompt: (turn) =>
        turn === undefined
          ? "this prompt names it"
          : `this prompt names it, first in prompt ${count(turn)}`,
      earlier: (turn) => `prompt ${count(turn ?? 1)} named it`,
      file: () => "another item names it",
    } satisfies Record<Why, (turn: number | undefined) => string>,
    omitted: (keys: string[]) => `Left out for the budget: ${keys.join(", ")}.`,
  },
  board: {
    send: "A command",
    command: "Command",
    directory: "Directory",
    forTask: "Task",
    shell: "Shell",
    clean: "needs a clean environment",
    sendIt: "Send",
    rules: "Rules",
    platform: "Platform",
    posix: "Linux and macOS",
    win32: "Windows",
    changes: "Changes of directory a terminal may make",
    steal: "may take terminals of other tasks",
    undo: "Undo",
    clear: "Empty board",
    example: "Example",
    heading: "Terminals",
    empty: "No terminal yet: the first command opens one.",
    terminal: (id: number) => `Terminal ${count(id)}`,
    states: { idle: "idle", busy: "busy", failed: "failed" },
    nowhere: "directory unknown",
    noTask: "no task",
    task: (task: string) => `task ${task}`,
    changed: (changes: number) => plural(changes, "change"),
    environment: "environment changed",
    release: (task: string) => `End task ${task}`,
    acts: {
      done: "Command ends",
      close: "Close",
      fail: "Fails",
      lose: "Lose the directory",
      change: "Change a variable",
      reset: "Reset",
    },
    journal: "What was chosen, and why",
    refused: "Refused:",
    choices: {
      reuse: "reuse",
      reuse_with_cd: "reuse after cd",
      create: "new",
      wait: "wait",
    } as Record<string, string>,
    relations: {
      same: "same directory",
      parent: "above it",
      child: "below it",
      unrelated: "elsewhere",
    },
    tier: (tier: number) => `tier ${tier}`,
    line: "The line that is sent",
  },
  memory: {
    heading: "Turns",
    hint: "What happens in each turn. Change anything; the prompts beside follow.",
    turns: "Turns",
    turn: (number: number) => `Turn ${count(number)}`,
    fields: {
      task: "Task (empty: as before)",
      user: "The user says",
      thinking: "Thinking, a round a line",
      recall: "Recall: words to look for in earlier turns",
      summary: "Summary at the end of the turn",
      insights: "Insights, one a line",
    },
    addTurn: "Add a turn",
    again: "Begin again",
    budget: "Budget of the summaries in tokens",
    noBudget: "none",
    foldAnswer: "What the model answers when it is to put summaries together",
    preview: (turn: number) => `Prompts of turn ${count(turn)}`,
    phase: "Phase",
    phases: { thinking: "Thinking", action: "Action" },
    aboutPhase: {
      thinking: "The model works out what to do, and sees the whole conversation.",
      action: "The model calls tools, and sees the summaries, its thinking and what it recalled.",
    },
    recalled: (messages: number) =>
      `${plural(messages, "message")} recalled into the action phase.`,
    folds: "Summaries put together",
    noFold: "The budget holds: nothing had to be put together.",
    fold: (turn: number, from: number, to: number) =>
      `After turn ${count(turn)}: turns ${count(from)} to ${count(to)} become one`,
    foldRequest: "What the model is asked",
    after: "The memory after this turn",
    system: "System prompt",
    context: "Workspace context",
    history: "History",
    noHistory: "Empty: nothing was recalled, and there is no thinking yet.",
    message: (number: number) => `Message ${count(number)}`,
    forged: "Somebody else wrote this heading; it is marked so that it counts for nothing",
  },
};
