// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import { LoopDetector, type LoopVerdict } from "turnkeeper";
import {
  detectFormat,
  eventsOf,
  readSession,
  type SavedSession,
  type SessionFormat,
} from "turnkeeper/sessions";

interface OwnMessage {
  role: "user" | "assistant";
  content: string;
}

declare const history: readonly OwnMessage[];
declare const stream: AsyncIterable<Uint8Array>;

export function aHistorySeedsADetector(detector: LoopDetector): LoopVerdict {
  // @ts-expect-error: a history is an array.
  eventsOf("text");
  // @ts-expect-error: there is no such format.
  eventsOf(history, "word");
  return detector.observeAll(eventsOf(history, "anthropic"));
}

export function aFormatIsOneOfThose(): SessionFormat {
  const format = detectFormat("[]", "session.json");
  // @ts-expect-error: it may not be known.
  const known: SessionFormat = format;
  return format ?? known;
}

export async function aSessionHasEventsAndPerhapsMessages(): Promise<object[]> {
  const session: SavedSession = await readSession(stream, { name: "session.jsonl" });
  await readSession("[]");
  await readSession(new Uint8Array());
  // @ts-expect-error: nothing is opened.
  await readSession(new URL("file:///session.jsonl"));
  const title: string | undefined = session.title ?? session.model ?? session.workingDirectory;
  // @ts-expect-error: not every format has messages.
  const messages: object[] = session.messages;
  return title === undefined ? session.events : messages;
}
