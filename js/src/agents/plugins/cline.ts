/** The plugin of Cline's SDK and command line, which run it in a process of its own. */

import { finishedClineCall } from "../dialects/cline.js";
import { fieldsOf, firstText } from "../fields.js";
import { type SentResult, repeatsReplaced } from "../repeated-results.js";

import { PluginWatch } from "./plugin-watch.js";

/** A call as Cline gives it to a plugin. */
export interface ClineToolEvent {
  toolCall: { toolCallId?: string; id?: string; toolName?: string; name?: string };
  input?: unknown;
  result?: unknown;
}

/** A message of the copy that is sent. */
export interface ClineMessage {
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
  return {
    name: "turnkeeper",
    manifest: { capabilities: ["hooks"] },
    hooks: {
      beforeRun() {
        watching().happened(SESSION, { type: "prompt" });
      },
      beforeModel({ request }) {
        watching().happened(SESSION, { type: "request" });
        return withoutRepeated(request?.messages ?? []);
      },
      afterTool({ toolCall, input, result }) {
        const call = finishedClineCall({
          id: firstText(toolCall.toolCallId, toolCall.id),
          name: firstText(toolCall.toolName, toolCall.name),
          args: input,
          output: fieldsOf(result).output ?? result,
        });
        const { end, context } = watching().finished(SESSION, call);
        if (end !== undefined) return { stop: true, reason: end };
        return context === undefined ? undefined : { appendContext: context };
      },
    },
  };
}

/** The messages with each long result once; undefined where nothing changes. */
function withoutRepeated(
  messages: readonly ClineMessage[],
): { messages: ClineMessage[] } | undefined {
  const replaced = repeatsReplaced();
  const sent = messages.map((message) => {
    const content = replaced(message.content, resultIn);
    return content === message.content ? message : { ...message, content };
  });
  return sent.some((message, at) => message !== messages[at]) ? { messages: sent } : undefined;
}

function resultIn(part: object): SentResult<object> | undefined {
  const { type, toolCallId, output } = fieldsOf(part);
  if (type !== "tool-result" || output === undefined) return undefined;
  const withText = (text: string): object => ({ ...part, output: text });
  return { text: JSON.stringify(output), call: firstText(toolCallId) ?? "", withText };
}
