// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  guardStream,
  type AgentEvent,
  type AgentSession,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
  type ToolResult,
} from "turnkeeper";

interface OwnEvent {
  kind: "delta" | "call";
  body: string;
}

declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const agentEvents: AsyncIterable<AgentEvent>;
declare const texts: AsyncIterable<{ type: "text"; text: string }>;
declare const ownEvents: AsyncIterable<OwnEvent>;

const adapter: StreamAdapter<OwnEvent> = ({ body }) => ({ type: "text", text: body });

export function theAdapterMayBeLeftOutOnlyForAgentEvents() {
  guardStream(agentEvents, detector, { onLoopDetected });
  guardStream(texts, detector, { onLoopDetected, abort: new AbortController() });
  guardStream(ownEvents, detector, { adapter, onLoopDetected });
  const several: StreamAdapter<OwnEvent> = ({ body }) => [{ type: "text", text: body }];
  guardStream(ownEvents, detector, { adapter: several, onLoopDetected });
  // @ts-expect-error: an event of the host's own shape means nothing without an adapter
  guardStream(ownEvents, detector, { onLoopDetected });
  // @ts-expect-error: the adapter is for other events
  guardStream(ownEvents, detector, { adapter: (event: AgentEvent) => event, onLoopDetected });
}

export function whoIsToldCannotBeForgotten(session: AgentSession) {
  // @ts-expect-error: nobody is told of a nudge or a stop
  guardStream(ownEvents, detector, { adapter });
  // @ts-expect-error: nobody is told of a nudge or a stop
  guardStream(agentEvents, detector);
  // A session has a log.
  session.guard(ownEvents, { adapter });
  session.guard(ownEvents, { adapter, onLoopDetected });
}

export async function whatComesOutIsTheHostsEventsAlone() {
  const guarded: AsyncGenerator<OwnEvent, void, void> = guardStream(ownEvents, detector, {
    adapter,
    onLoopDetected: ({ verdict }) => {
      verdict.action satisfies "nudge" | "stop";
      verdict.report.message satisfies string;
    },
  });
  for await (const event of guarded) event.kind satisfies "delta" | "call";
}

export async function theLoopOfThePagesCompiles(ask: () => AsyncIterable<AgentEvent>) {
  while (!detector.stopped) {
    const guarded = guardStream(ask(), detector, { onLoopDetected });
    for await (const event of guarded) event.type satisfies string;
    const result: ToolResult = { id: "1", output: "one" };
    guarded.result(result);
    if (detector.stopped) return;
  }
}

export function theModelIsAskedByTheHost(
  ask: (prompt: string, signal: AbortSignal) => Promise<string>,
) {
  guardStream(texts, detector, {
    onLoopDetected,
    checkWithModel: ({ systemPrompt, prompt, historyCount }, { signal }) => {
      historyCount satisfies number;
      return ask(systemPrompt + prompt, signal);
    },
  });
  // @ts-expect-error: the answer is waited for
  guardStream(texts, detector, { onLoopDetected, checkWithModel: () => "no loop" });
  // @ts-expect-error: a prompt begins with startPrompt
  guardStream(texts, detector, { onLoopDetected, promptId: "p1" });
}

export function aHostMayBeGeneric<T>(source: AsyncIterable<T>, own: StreamAdapter<T>) {
  const options: Parameters<typeof guardStream<T>>[2] = { adapter: own, onLoopDetected };
  return [
    guardStream(source, detector, options),
    guardStream(source, detector, { adapter: own, onLoopDetected }),
  ];
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
