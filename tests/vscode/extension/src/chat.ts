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
  /** Every event that the loop got to see, by its type. */
  events: string[];
  report?: LoopReport;
  aborted: boolean;
}

export async function chat(conversation: Conversation, detector: LoopDetector): Promise<Chat> {
  const { promptId, modelName: model, stream, readFile } = conversation;
  const abort = new AbortController();
  const finished: Chat = { events: [], aborted: false };
  for await (const event of guardStream(stream(abort.signal), detector, {
    promptId,
    model,
    abort,
  })) {
    finished.events.push(event.type);
    if (event.type === "loop_detected") {
      finished.report = event.verdict.report;
    } else if (event.type === "tool_call") {
      await readFile((event.args as { path: string }).path);
    }
  }
  finished.aborted = abort.signal.aborted;
  return finished;
}
