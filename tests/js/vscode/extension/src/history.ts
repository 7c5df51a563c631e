// A resumed task: its message carries the state of the environment from before, and today's.

import { dedupeHistory, type DedupeReport } from "turnkeeper";

const state = (time: string) => `<environment_details>\nTime: ${time}\n</environment_details>`;

/** What the model is sent of the message, and what the repair says it did. */
export function resumedTask(): { texts: string[]; report: DedupeReport } {
  const text = (text: string) => ({ type: "text", text });
  const messages = [
    { role: "user", content: [text("Go on."), text(state("10:00")), text(state("17:30"))] },
    { role: "assistant", content: [text("I will.")] },
  ];
  const repaired = dedupeHistory(messages);
  return {
    texts: repaired.messages[0]!.content.map(({ text }) => text),
    report: repaired.report,
  };
}
