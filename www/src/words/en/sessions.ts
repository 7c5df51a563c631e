import type { LoopType } from "turnkeeper";

import type { Lack, Mark, ProfilePlay, SessionReport } from "../../worker/shapes.js";
import { savedOf } from "../saved.js";

import { callNumber, count, plural } from "./amounts.js";
import { auditWords } from "./audit.js";

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

const ACTIONS = { ...auditWords.action, saved: "after the stop" };

/** The words of the view of sessions. */
export const sessionsWords = {
  rules: {
    heading: "Rules",
    profile: "Profile",
    ofOthers: "of other agents",
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
    comparison: "What each profile would have done",
    where: "Where",
    others: (count: number) => `The rules of ${plural(count, "other agent")}`,
    nudge: "Nudge",
    stop: "Stop",
    callsAfter: "Calls after it",
    never: "–",
    chosen: "(chosen)",
    atCall: (call: number | null) => (call === null ? "the beginning" : `call ${callNumber(call)}`),
    headline: ({ calls, loops }: SessionReport, { marks }: ProfilePlay) => {
      if (loops.length === 0) return `${plural(calls, "call")}, no loop.`;
      const found = `${plural(calls, "call")}, ${plural(loops.length, "loop")}.`;
      const stop = marks.find(({ action }) => action === "stop");
      if (!stop) return `${found} The agent would get a nudge, and no stop.`;
      const where =
        stop.call === null ? "before the first call" : `at call ${callNumber(stop.call)}`;
      return `${found} Stopped ${where}.`;
    },
    money: ({ usage, saveable }: SessionReport) => {
      const saved = auditWords.saved(usage, saveable);
      const cost = `It cost ${auditWords.cost(usage)}`;
      if (saved === undefined) return `${cost}.`;
      const said = `${saved} could have been saved.`;
      return savedOf(usage, saveable)?.unit === "dollars" ? said : `${cost}; ${said}`;
    },
    mark: (mark: Mark) => `${ACTIONS[mark.action]}: ${LOOPS[mark.type](mark)}`,
  },
  actions: ACTIONS,
  play: {
    heading: "Play the calls",
    run: "Play",
    pause: "Pause",
    back: "Back",
    step: "Step",
    call: "Call",
    at: (call: number, calls: number) => `call ${callNumber(call)} of ${count(calls)}`,
  },
  findings: {
    heading: "Findings",
    none: "No loop was found.",
    blind: (lacks: readonly Lack[]) =>
      `The session has no ${lacks.join(" and no ")}, so rules that need them stayed silent.`,
    what: (mark: Mark) => LOOPS[mark.type](mark),
    count: (value: number, threshold: number) =>
      `${count(value)}, the threshold is ${count(threshold)}`,
    show: (call: number) => `Show call ${callNumber(call)}`,
    toModel: "Message to the model",
    evidence: "Evidence",
    more: (value: number) => `And ${count(value)} more.`,
  },
  events: {
    heading: "Events",
    list: (rows: number) => `Events of the session, ${plural(rows, "row")}`,
    selected: "The selected event",
    text: "All of its text",
    pieces: (value: number) => plural(value, "piece"),
    hint: "“3/5”: the longest run under way has 3 calls, and the rules act at 5. A call counts when its result is there.",
    run: (value: number, threshold: number) =>
      `the longest run: ${count(value)} of ${count(threshold)}`,
    find: "Find in the events",
    next: "Next",
    nowhere: "Nowhere",
    place: (place: number, unit: "line" | "element") => `${unit} ${count(place)}`,
    time: (time: number) =>
      new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" }),
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
  saving: {
    page: "Save as a page (HTML)",
    picture: "Save as a picture (PNG)",
    texts: "The page has the session's title, folder and texts",
  },
  tools: {
    heading: "Which tools took the room",
    tool: "Tool",
    tokens: "Tokens",
    calls: "Calls",
    failed: "Failed",
  },
  costs: {
    heading: "What it cost",
    hint: "Tokens by kind, and amounts with a ~, are estimated from the texts; a request is no larger than the model's window, or than 200,000 tokens where that is not known. What is outdated is what “To resume a task” takes out in the view of the context.",
    download: "Save the numbers (JSON)",
  },
};
