// One answer of the model: its stream is read, and the tools that it calls are run.

import { guardStream, type AgentEvent, type LoopDetector, type LoopReport } from "turnkeeper";

export interface Conversation {
  promptId: string;
  modelName: string;
  /** The model's answer. The signal tells it that nobody reads on. */
  stream(signal: AbortSignal): AsyncIterable<AgentEvent>;
  readFile(path: string): Promise<string>;
}

export interface Chat {
  /** Every event that the loop got to see, and what it was told, by type. */
  events: string[];
  report?: LoopReport;
  aborted: boolean;
}

export async function chat(conversation: Conversation, detector: LoopDetector): Promise<Chat> {
  const { promptId, modelName: model, stream, readFile } = conversation;
  const abort = new AbortController();
  const finished: Chat = { events: [], aborted: false };
  detector.startPrompt(promptId, { model });
  const guarded = guardStream(stream(abort.signal), detector, {
    abort,
    onLoopDetected: ({ type, verdict }) => {
      finished.events.push(type);
      finished.report = verdict.report;
    },
  });
  for await (const event of guarded) {
    finished.events.push(event.type);
    if (event.type === "tool_call") await readFile((event.args as { path: string }).path);
  }
  finished.aborted = abort.signal.aborted;
  return finished;
}
