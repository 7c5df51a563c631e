// The `output.jsonl` of OpenHands' evaluations: a line a run, as `EvalOutput` in
// `evaluation/utils/shared.py` of OpenHands and in `benchmarks/utils/models.py` of its benchmarks
// writes it. Read are `instance_id`, `instruction`, `history` (the events of the application or of the
// SDK, or in older files pairs of an action and an observation), `error` and `metadata.llm.model` or
// `metadata.llm_config.model`.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { fields, list, text } from "../messages/fields.js";
import { facts } from "./items.js";
import { OpenHandsReader, stuckRun } from "./openhands.js";
import { Unreadable, type RecordReader, type SavedItem } from "./saved-session.js";

/** Whether it is a run of an evaluation. */
export function isOpenHandsRun(value: unknown): boolean {
  const { instance_id, history, test_result } = fields(value);
  const hasHistory = Array.isArray(history) || (history === null && test_result !== undefined);
  return typeof instance_id === "string" && hasHistory;
}

/** Reads an evaluation. Each run is a prompt, named after its instance. */
export const OPENHANDS_EVAL: RecordReader = {
  format: "openhands-eval",

  read(value) {
    if (!isOpenHandsRun(value)) throw new Unreadable("is no run: no instance_id and history");
    const { instance_id, instruction, history, metadata, error } = fields(value);
    const { llm, llm_config } = fields(metadata);
    const model = facts({ model: fields(llm ?? llm_config).model });
    const start = {
      type: "prompt_started",
      promptId: instance_id,
      // With a user's words it is a new prompt even while the model of the run before is at work.
      userPrompt: text(instruction) ?? "",
      ...model,
    };
    const reader = new OpenHandsReader();
    const items: SavedItem[] = [{ event: start as unknown as AgentEvent }];
    for (const event of list(history).flat()) {
      for (const item of reader.read(event).items) items.push(item);
    }
    const verdict = stuckRun(error);
    const isSaid = items.some(({ event }) => event.type === "loop_reported");
    if (verdict !== undefined && !isSaid) items.push({ event: verdict });
    return { items, ...model };
  },
};
