// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  guardStream,
  isLoopDetected,
  type AgentEvent,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";

interface OwnEvent {
  kind: "delta" | "call";
  body: string;
}

declare const detector: LoopDetector;
declare const agentEvents: AsyncIterable<AgentEvent>;
declare const texts: AsyncIterable<{ type: "text"; text: string }>;
declare const ownEvents: AsyncIterable<OwnEvent>;

const adapter: StreamAdapter<OwnEvent> = ({ body }) => ({ type: "text", text: body });

export function theAdapterMayBeLeftOutOnlyForAgentEvents() {
  guardStream(agentEvents, detector, {});
  guardStream(texts, detector, { promptId: "p1", model: "m", abort: new AbortController() });
  guardStream(ownEvents, detector, { adapter });
  guardStream(ownEvents, detector, { adapter: (event) => [{ type: "text", text: event.body }] });
  // @ts-expect-error: an event of the host's own shape means nothing without an adapter
  guardStream(ownEvents, detector, {});
  // @ts-expect-error: the adapter is for other events
  guardStream(ownEvents, detector, { adapter: (event: AgentEvent) => event });
}

export async function whatComesOutIsTheHostsEventsAndOurs() {
  const guarded: AsyncGenerator<OwnEvent | LoopDetectedEvent, void, void> = guardStream(
    ownEvents,
    detector,
    { adapter },
  );
  for await (const event of guarded) {
    if ("verdict" in event) {
      event.verdict.action satisfies "nudge" | "stop";
      event.verdict.report.message satisfies string;
    } else {
      event.kind satisfies "delta" | "call";
    }
  }
}

export async function theGuardsOwnEventCannotBeForgotten() {
  for await (const event of guardStream(ownEvents, detector, { adapter })) {
    // @ts-expect-error: it may be the guard's
    event.kind satisfies "delta" | "call";
    if (isLoopDetected(event)) event.verdict.report.message satisfies string;
    else event.kind satisfies "delta" | "call";
  }
}

export function theModelIsAskedByTheHost(
  ask: (prompt: string, signal: AbortSignal) => Promise<string>,
) {
  guardStream(texts, detector, {
    promptId: "p1",
    userPrompt: "Write it ten times.",
    checkWithModel: ({ systemPrompt, prompt, historyCount }, { signal }) => {
      historyCount satisfies number;
      return ask(systemPrompt + prompt, signal);
    },
  });
  // @ts-expect-error: the answer is waited for
  guardStream(texts, detector, { checkWithModel: () => "no loop" });
  // @ts-expect-error: no option has this name
  guardStream(texts, detector, { promptID: "p1" });
}

export function aHostMayBeGeneric<T>(source: AsyncIterable<T>, own: StreamAdapter<T>) {
  const options: Parameters<typeof guardStream<T>>[2] = { adapter: own, promptId: "p1" };
  return [guardStream(source, detector, options), guardStream(source, detector, { adapter: own })];
}

export function everyVerdictCanBeHandledByName(event: AgentEvent | LoopDetectedEvent): string {
  switch (event.type) {
    case "loop_detected":
      return event.verdict.report.feedback;
    case "text":
    case "reasoning":
      return event.text;
    case "tool_call":
      return event.name;
    case "tool_result":
      return typeof event.output === "string" ? event.output : `${event.output.length} parts`;
    case "turn_started":
    case "user_message":
    case "finished":
    case "condensation":
    case "retry":
    case "other":
      return event.type;
    case "loop_reported":
      return event.detail ?? "a loop";
  }
}
