// What a model answers that was asked whether an agent is stuck.

/** The model's opinion, given as an object or as JSON; no confidence for what is malformed. */
export function readAnswer(answer: unknown): [confidence: number | undefined, reasoning: string] {
  try {
    const value: unknown = typeof answer === "string" ? JSON.parse(answer) : answer;
    const { confidence, reasoning } = value as { confidence?: unknown; reasoning?: unknown };
    if (typeof confidence === "number") {
      return [confidence, typeof reasoning === "string" ? reasoning : ""];
    }
  } catch {
    // Neither an object nor JSON, or one that cannot be read.
  }
  return [undefined, ""];
}
