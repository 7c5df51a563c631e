// The question to DeepV Code's model about a suspected loop. When to ask, and what an answer means, is the
// detector's affair.

import type { ModelCheckRequest } from "../../boundary/generated/shapes.js";
import type { Content, DeepvConfig, GenerateContentRequest } from "./peer-types.js";

/** What the server takes the request for. */
const SCENE = "json_generation";

/** What the model answered, or nothing if it cannot be asked or gave no JSON. */
export async function askModel(
  config: DeepvConfig,
  request: ModelCheckRequest,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const client = config.getGeminiClient?.();
    if (client === undefined) return undefined;
    const question = said(
      `${request.systemPrompt}\n\n${request.prompt}\n\nThe schema: ${JSON.stringify(request.schema)}`,
    );
    const toServer: GenerateContentRequest = {
      contents: [...client.getHistory().slice(-request.historyCount), question],
      config: {
        responseMimeType: "application/json",
        abortSignal: signal,
        httpOptions: {
          headers: { "X-Scene-Type": SCENE, "X-Request-ID": `loop-detection-${Date.now()}` },
        },
      },
    };
    const generator = client.getContentGenerator();
    const answer = await generator.generateContent(toServer as never, SCENE as never);
    return valueIn(answer);
  } catch {
    // A model that cannot be asked has found no loop.
    return undefined;
  }
}

function said(text: string): Content {
  return { role: "user", parts: [{ text }] };
}

/** The answer itself, or the JSON that is the text of a response. */
function valueIn(answer: unknown): unknown {
  const { confidence, text, candidates } = answer as {
    confidence?: unknown;
    text?: unknown;
    candidates?: { content?: Content }[];
  };
  if (confidence !== undefined) return answer;
  if (typeof text === "string") return JSON.parse(text);
  const parts = candidates?.[0]?.content?.parts ?? [];
  return JSON.parse(parts.map(({ text = "" }) => text).join(""));
}
