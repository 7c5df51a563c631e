// The parts of the AI SDK's streams, and what they mean to the loop detector.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, said } from "../../messages/events.js";
import { fields } from "../../messages/fields.js";
import { callOf, failureOf } from "../../messages/ai-sdk/parts.js";

/**
 * A part of `fullStream` of `streamText`, of the stream of a language model, or of a step's content.
 *
 * All shapes here are this package's own and say only what the adapter needs, so it does not depend
 * on `ai` and works with its versions 5, 6 and 7.
 */
export type AiSdkPart = {
  readonly type: string;
};

/** Parts without output, of all versions. */
const SILENT =
  /^(start|abort|error|raw|ping|source|file|response-metadata)$|-(start|end|delta|step)$/;

/** What a part is observed as. */
export function fromStreamPart(part: AiSdkPart): AgentEvent | undefined {
  const given = fields(part);
  const { type, toolCallId } = given;
  switch (type) {
    case "start-step":
    case "stream-start":
      return { type: "turn_started" };
    case "text-delta":
    case "text":
      return said("text", given.text ?? given.delta)[0];
    case "reasoning-delta":
    case "reasoning":
      return said("reasoning", given.text ?? given.delta)[0];
    case "tool-call":
      return callOf(given);
    case "tool-result":
      if (given.preliminary) return undefined;
      return answered(toolCallId, given.output ?? given.result, {
        isError: given.isError === true,
      });
    case "tool-error":
      return failureOf(given);
    case "tool-output-denied":
      return answered(toolCallId, "denied", { isError: true });
    case "finish":
      return { type: "finished" };
    default:
      return typeof type === "string" && SILENT.test(type) ? undefined : { type: "other" };
  }
}
