// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  HistoryDeduper,
  dedupeHistory,
  restoreHistory,
  stripEnvironment,
  stripGhostBlocks,
  withEnvironment,
  type DedupeOptions,
  type DedupeReport,
} from "turnkeeper";

interface OwnPart {
  type: "text";
  text: string;
  own?: number;
}

interface OwnMessage {
  role: "user" | "assistant";
  content: string | OwnPart[];
  ts: number;
}

declare const saved: readonly OwnMessage[];
declare const content: OwnPart[];

export function messagesKeepTheirType(): OwnMessage[] {
  const { messages, report } = dedupeHistory(saved, { keep: "first", cache: { idleMs: 0 } });
  const figures: DedupeReport = report;
  const reasons: (
    ("moved" | "duplicates" | "sections" | "recent") | ("results" | "writes" | "files")
  )[] = figures.changes.map(({ reason }) => reason);
  // @ts-expect-error: there are no other reasons.
  const wrong: "empty"[] = reasons;
  return wrong.length > 0 ? [] : messages;
}

export function messagesMayBeOfAnyType<M extends object>(messages: readonly M[]): M[] {
  const untyped: readonly Record<string, unknown>[] = [];
  stripEnvironment(dedupeHistory(untyped).messages) satisfies Record<string, unknown>[];
  return restoreHistory(messages, dedupeHistory(messages).report);
}

export function contentKeepsItsType(): [OwnPart[], string] {
  return [withEnvironment(content, "x", { onExisting: "keep" }), stripEnvironment<string>("x")];
}

export function wrongOptionsDoNotCompile(): void {
  // @ts-expect-error: there is no such option.
  dedupeHistory(saved, { tag: "x" });
  // @ts-expect-error: a tool that reads files comes with the place of its paths.
  dedupeHistory(saved, { readTools: ["fs_read"] });
  // @ts-expect-error: the other word is "first".
  const options: DedupeOptions = { keep: "oldest" };
  // @ts-expect-error: the idle time is needed.
  dedupeHistory(saved, { cache: { lifetimeMs: 1 } });
  // @ts-expect-error: stripEnvironment replaces nothing.
  stripEnvironment(content, { onExisting: "keep" });
  // @ts-expect-error: messages are objects.
  dedupeHistory(["x"]);
  // @ts-expect-error: a message has a role, a content, parts or a type.
  dedupeHistory([{ foo: 1 }]);
  // @ts-expect-error
  stripGhostBlocks([{ foo: 1 }]);
  new HistoryDeduper(options).dispose();
}
