// What the prompt editor asks for.

import {
  GhostBlockAssembler,
  type AssembledPrompt,
  type AssemblerHost,
  type Diagnostic,
  type Reference,
} from "turnkeeper";

import type { Way } from "./exchange.js";

/** A small workspace: what a host would answer. */
export interface Workspace {
  files: { path: string; content: string }[];
  tools: { name: string; output: string }[];
  rules: { name: string; content: string }[];
}

/** A conversation: prompts that have been sent, and the one that is being written. */
export interface Conversation {
  workspace: Workspace;
  sent: string[];
  draft: string;
  /** The budget of the block; undefined for none. */
  maxTokens: number | undefined;
}

/** What is in a prompt, as it is typed. */
export interface Marks {
  references: Reference[];
  diagnostics: Diagnostic[];
}

/** Why an item is in the block. */
export type Why = "rule" | "prompt" | "earlier" | "file";

/** An item of the block. */
export interface Item {
  type: "file" | "tool" | "rule";
  key: string;
  why: Why;
  /** The prompt that named it first, from 1. */
  turn: number | undefined;
  characters: number;
  error: string | undefined;
}

/** What would be sent, by one placement of the block. */
export interface Preview {
  placement: Placement;
  /** Each user message of the conversation, as the provider gets it now; the draft is the last. */
  messages: string[];
  block: string;
  items: Item[];
  omitted: string[];
  diagnostics: Diagnostic[];
  images: number;
}

export const PLACEMENTS = ["latest", "delta"] as const;
export type Placement = (typeof PLACEMENTS)[number];

const ROOT = "/project";

/** Finds references and mistakes in a prompt. */
export function marksOf({ prompt, tools }: { prompt: string; tools: string[] }): Marks {
  const assembler = new GhostBlockAssembler({ root: ROOT, tools });
  try {
    // Read while the assembler is there: it makes them when they are asked for.
    const { references, diagnostics } = assembler.inspect(prompt);
    return { references, diagnostics };
  } finally {
    assembler.dispose();
  }
}

/** Plays the conversation with both placements. */
export async function promptPreview(
  conversation: Conversation,
  { signal }: Way,
): Promise<Preview[]> {
  const previews: Preview[] = [];
  for (const placement of PLACEMENTS) {
    previews.push(await preview(conversation, placement, signal));
  }
  return previews;
}

async function preview(
  { workspace, sent, draft, maxTokens }: Conversation,
  placement: Placement,
  signal: AbortSignal,
): Promise<Preview> {
  const assembler = new GhostBlockAssembler({
    root: ROOT,
    placement,
    tools: workspace.tools.map(({ name }) => name),
    ...(maxTokens !== undefined && { maxTokens }),
  });
  try {
    assembler.setRules(workspace.rules.filter(({ name }) => name !== ""));
    const host = hostOf(workspace);
    const messages: string[] = [];
    const named = new Map<string, number>();
    for (const [at, prompt] of sent.entries()) {
      const { text } = await assembler.assemble(prompt, host, { signal });
      messages.push(placement === "latest" ? prompt : text);
      noteNew(named, assembler, at + 1);
    }
    const done = await assembler.assemble(draft, host, { signal });
    const ofPrompt = keysNamed(assembler, draft);
    noteNew(named, assembler, sent.length + 1);
    return {
      placement,
      messages: [...messages, done.text],
      block: done.block,
      items: done.items.map((item) => itemOf(item, ofPrompt, named)),
      omitted: [...done.omitted],
      diagnostics: done.diagnostics,
      images: done.parts.filter(({ type }) => type === "image").length,
    };
  } finally {
    assembler.dispose();
  }
}

function noteNew(named: Map<string, number>, { items }: GhostBlockAssembler, turn: number): void {
  for (const { type, key } of items) {
    const id = `${type}\n${key}`;
    if (!named.has(id)) named.set(id, turn);
  }
}

/** What the prompt itself names: paths and tools. */
function keysNamed(assembler: GhostBlockAssembler, prompt: string): Set<string> {
  const { references } = assembler.inspect(prompt);
  return new Set(references.flatMap(({ path, name }) => path ?? name ?? []));
}

function itemOf(
  { type, key, content, error }: AssembledPrompt["items"][number],
  ofPrompt: ReadonlySet<string>,
  named: ReadonlyMap<string, number>,
): Item {
  const turn = named.get(`${type}\n${key}`);
  const isNamed = [...ofPrompt].some(
    (name) => key === name || key.startsWith(name) || name.endsWith(key),
  );
  const earlier = turn !== undefined && turn < Math.max(...named.values(), 1);
  const why = type === "rule" ? "rule" : isNamed ? "prompt" : earlier ? "earlier" : "file";
  return { type, key, why, turn, characters: content?.length ?? 0, error };
}

function hostOf({ files, tools }: Workspace): AssemblerHost {
  const inside = (path: string): string => path.replace(`${ROOT}/`, "");
  return {
    readFile({ path, startLine, endLine }) {
      const file = files.find((each) => each.path === inside(path));
      if (!file) return Promise.resolve({ missing: true });
      if (startLine === undefined) return Promise.resolve(file.content);
      const lines = file.content.split("\n").slice(startLine - 1, endLine ?? startLine);
      return Promise.resolve(lines.join("\n"));
    },
    listDirectory({ path }) {
      const folder = inside(path).replace(/\/$/, "");
      const names = files
        .map((file) => file.path)
        .filter((name) => path === ROOT || folder === "" || name.startsWith(`${folder}/`));
      return Promise.resolve(names.join("\n"));
    },
    runTool({ name }) {
      return Promise.resolve(tools.find((tool) => tool.name === name)?.output ?? "");
    },
    readImage() {
      return Promise.resolve({ mediaType: "image/png", data: PIXEL });
    },
  };
}

/** Every image of this workspace: one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
