/** The plugin of Cline's SDK and command line, which run it in a process of its own. */

import { finishedClineCall } from "../dialects/cline.js";
import { fieldsOf, firstText } from "../fields.js";
import { type SentResult, replaceRepeated } from "../repeated-results.js";

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
        if (call === undefined) return undefined;
        const reply = watching().happened(SESSION, { type: "results", calls: [call] });
        if (reply.end !== undefined) return { stop: true, reason: reply.end };
        return reply.context === undefined ? undefined : { appendContext: reply.context };
      },
    },
  };
}

/** The messages with each long result once; undefined where nothing changes. */
function withoutRepeated(
  messages: readonly ClineMessage[],
): { messages: ClineMessage[] } | undefined {
  const sent = messages.map((message) => ({ ...message, content: [...message.content] }));
  const results = sent.flatMap(({ content }) =>
    content.flatMap((part, at): SentResult[] => {
      const { type, toolCallId, output } = fieldsOf(part);
      if (type !== "tool-result" || output === undefined) return [];
      const replace = (text: string): void => void (content[at] = { ...part, output: text });
      return [{ text: JSON.stringify(output), call: firstText(toolCallId) ?? "", replace }];
    }),
  );
  return replaceRepeated(results) ? { messages: sent } : undefined;
}
