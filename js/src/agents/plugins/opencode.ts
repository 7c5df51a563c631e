/** The plugin of opencode, and of Kilo 7, which is opencode underneath. */

/* eslint-disable @typescript-eslint/require-await -- the agent expects promises of all its hooks */

import path from "node:path";

import { fields } from "../../messages/fields.js";

import type { WatchOptions } from "./loop-watch.js";
import { PluginWatch } from "./plugin-watch.js";
import type { SentResult } from "./repeated-results.js";

/** What the plugin needs of the agent's client. */
export interface OpenCodeClient {
  session: { abort(request: { path: { id: string } }): Promise<unknown> };
  tui?: { showToast?(request: { body: { message: string; variant: string } }): Promise<unknown> };
}

/** A message as the agent keeps it. */
export interface OpenCodeMessage {
  info: { role: string; sessionID: string };
  parts: OpenCodePart[];
}

export interface OpenCodePart {
  type: string;
  text?: string;
  callID?: string;
  tool?: string;
  state?: { status: string; input?: unknown; output?: string };
}

/** The hooks that the plugin has. */
export interface OpenCodeHooks {
  "chat.message"(
    input: { sessionID: string },
    output: { message: { id?: string }; parts: OpenCodePart[] },
  ): Promise<void>;
  "tool.execute.before"(
    input: { sessionID: string; tool: string },
    output: { args: unknown },
  ): Promise<void>;
  "tool.execute.after"(
    input: { sessionID: string; tool: string; callID: string; args?: unknown },
    output: { output: string; metadata?: unknown },
  ): Promise<void>;
  "experimental.chat.messages.transform"(
    input: object,
    output: { messages: OpenCodeMessage[] },
  ): Promise<void>;
  "experimental.session.compacting"(
    input: { sessionID: string },
    output: { context: string[] },
  ): Promise<void>;
  event(input: { event: { type: string; properties?: { sessionID?: string } } }): Promise<void>;
}

/** Makes the plugin's hooks, as opencode asks for them. */
export async function server(
  { client }: { client: OpenCodeClient },
  options?: WatchOptions,
): Promise<OpenCodeHooks> {
  const watch = new PluginWatch(agentHere(), "marked", options);
  return {
    async "chat.message"({ sessionID }, { message, parts }) {
      watch.asked(sessionID, { role: "user", parts }, message.id);
    },
    async "tool.execute.before"({ sessionID, tool }, { args }) {
      const { refusal } = watch.happened(sessionID, { type: "call_asked", name: tool, args });
      // The model gets the message as the call's result.
      if (refusal !== undefined) throw new Error(refusal);
    },
    async "tool.execute.after"({ sessionID, tool, callID, args }, output) {
      const { exit } = fields(output.metadata);
      const ended = typeof exit === "number" ? { exitCode: exit, isError: exit !== 0 } : {};
      const call = { id: callID, name: tool, args, output: output.output, ...ended };
      const reply = watch.finished(sessionID, call);
      const said = [reply.context, reply.end].filter((text) => text !== undefined);
      if (said.length > 0) output.output = [output.output, ...said].join("\n\n");
      if (reply.notice !== undefined) await show(client, reply.notice);
      if (reply.end !== undefined) end(client, sessionID);
    },
    async "experimental.chat.messages.transform"(_input, output) {
      const session = output.messages.at(-1)?.info.sessionID;
      if (session) watch.happened(session, { type: "request" });
      const replaced = watch.sending();
      for (const { parts } of output.messages) replaced(parts, resultIn);
    },
    async "experimental.session.compacting"({ sessionID }, { context }) {
      const ledger = watch.ledger(sessionID);
      if (ledger !== undefined) context.push(ledger);
    },
    async event({ event }) {
      const session = event.properties?.sessionID;
      if (event.type !== "session.compacted" || session === undefined) return;
      watch.happened(session, { type: "compacted" });
    },
  };
}

/** Kilo runs the same plugins, in a program that is called `.kilo`. */
function agentHere(): "opencode" | "kilo" {
  return /^\.?kilo/.test(path.basename(process.execPath)) ? "kilo" : "opencode";
}

/** A part is the agent's object: its state is replaced in the copy, and not changed. */
function resultIn(part: OpenCodePart): SentResult<OpenCodePart> | undefined {
  const { type, state, callID, tool } = part;
  if (type !== "tool" || state?.status !== "completed" || state.output === undefined) return;
  const withText = (output: string): OpenCodePart =>
    Object.assign(part, { state: { ...state, output } });
  return { text: state.output, call: callID ?? tool ?? "", withText };
}

async function show({ tui }: OpenCodeClient, message: string): Promise<void> {
  try {
    await tui?.showToast?.({ body: { message, variant: "warning" } });
  } catch {
    // Without a terminal there is nobody to show it to.
  }
}

/** The turn ends without waiting for it: the agent waits for this very hook. */
function end({ session }: OpenCodeClient, id: string): void {
  session.abort({ path: { id } }).catch(() => undefined);
}
