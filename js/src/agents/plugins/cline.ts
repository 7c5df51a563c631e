/** The plugin of Cline's SDK and command line, which run it in a process of its own. */

import { fields, list, text } from "../../messages/fields.js";

import { PluginWatch } from "./plugin-watch.js";
import type { SentResult } from "./repeated-results.js";

/** A call as Cline gives it to a plugin. */
export interface ClineToolEvent {
  toolCall: { toolCallId?: string; id?: string; toolName?: string; name?: string };
  input?: unknown;
  result?: unknown;
}

/** A message of the copy that is sent. */
export interface ClineMessage {
  role?: string;
  content: readonly object[];
}

/** A request to the model, of which the plugin may send a copy. */
export interface ClineRequest {
  request?: { messages?: readonly ClineMessage[] };
}

/** What the plugin answers: more context, or an end of the run. */
export interface ClineAnswer {
  appendContext?: string;
  stop?: true;
  reason?: string;
}

export interface ClinePlugin {
  name: string;
  manifest: { capabilities: string[] };
  hooks: {
    beforeRun(): void;
    beforeModel(context: ClineRequest): { messages: ClineMessage[] } | undefined;
    afterTool(event: ClineToolEvent): ClineAnswer | undefined;
  };
}

const SESSION = "session";

/** The plugin, as Cline loads it. */
export const plugin: ClinePlugin = makePlugin();
export default plugin;

function makePlugin(): ClinePlugin {
  let watch: PluginWatch | undefined;
  const watching = (): PluginWatch => (watch ??= new PluginWatch("cline", "marked"));
  /** A run has begun, whose prompt comes with its first request. */
  let isPrompt = false;
  const begin = (messages: readonly ClineMessage[] = []): void => {
    if (!isPrompt) return;
    isPrompt = false;
    let words: string | undefined;
    for (let at = messages.length; at > 0 && words === undefined; at -= 1) {
      words = watching().usersWords(messages[at - 1]!);
    }
    watching().happened(SESSION, { type: "prompt", ...(words !== undefined && { text: words }) });
  };
  return {
    name: "turnkeeper",
    manifest: { capabilities: ["hooks"] },
    hooks: {
      beforeRun() {
        isPrompt = true;
      },
      beforeModel({ request }) {
        const messages = request?.messages ?? [];
        begin(messages);
        watching().happened(SESSION, { type: "request" });
        return withoutRepeated(messages, watching());
      },
      afterTool({ toolCall, input, result }) {
        begin();
        const output = fields(result).output ?? result;
        const { end, context } = watching().finished(SESSION, {
          id: toolCall.toolCallId || toolCall.id,
          name: toolCall.toolName || toolCall.name,
          args: input,
          ...outputOf(output),
        });
        if (end !== undefined) return { stop: true, reason: end };
        return context === undefined ? undefined : { appendContext: context };
      },
    },
  };
}

/** An output may have parts, each with a result of its own. */
function outputOf(output: unknown): { output: unknown; isError?: true } {
  if (!Array.isArray(output)) return { output };
  const hasFailed = list(output).some((part) => fields(part).success === false);
  const results = list(output).map((part) => fields(part).result ?? part);
  return { output: results, ...(hasFailed && { isError: true }) };
}

/** The messages with each long result once; undefined where nothing changes. */
function withoutRepeated(
  messages: readonly ClineMessage[],
  watch: PluginWatch,
): { messages: ClineMessage[] } | undefined {
  const replaced = watch.sending();
  const sent = messages.map((message) => {
    const content = replaced(message.content, resultIn);
    return content === message.content ? message : { ...message, content };
  });
  return sent.some((message, at) => message !== messages[at]) ? { messages: sent } : undefined;
}

function resultIn(part: object): SentResult<object> | undefined {
  const { type, toolCallId, output } = fields(part);
  if (type !== "tool-result" || output === undefined) return undefined;
  const withText = (text: string): object => ({ ...part, output: text });
  return { text: JSON.stringify(output), call: text(toolCallId) ?? "", withText };
}
