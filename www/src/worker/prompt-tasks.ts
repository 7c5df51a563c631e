// What the prompt editor asks for.

import {
  GhostBlockAssembler,
  type AssemblerHost,
  type ContextItem,
  type Diagnostic,
  type Reference,
  stripGhostBlocks,
} from "turnkeeper";

import type { Way } from "./exchange.js";
import { PLACEMENTS, type Placement } from "./placements.js";

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
  /** What the user has had forgotten. */
  forgotten: Forgotten[];
  /** The budget of the block; undefined for none. */
  maxTokens: number | undefined;
}

/** An item that was taken out of the conversation. */
export interface Forgotten {
  key: string;
  /** How many prompts had been sent by then. */
  after: number;
}

/** What is in a prompt, as it is typed. */
export interface Marks {
  references: Reference[];
  diagnostics: Diagnostic[];
}

/** An item of the block. */
export interface Item {
  type: ContextItem["type"];
  key: string;
  /** Who mentioned it first, and when. */
  from: ContextItem["from"];
  characters: number;
  error: string | undefined;
  /** Whether it comes from earlier in the conversation alone, so that it can be forgotten. */
  isEarlier: boolean;
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
  { workspace, sent, draft, forgotten, maxTokens }: Conversation,
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
    for (const [at, prompt] of sent.entries()) {
      const { text } = await assembler.assemble(prompt, host, { signal });
      messages.push(placement === "latest" ? withoutBlock(text) : text);
      for (const { key, after } of forgotten) if (after === at + 1) assembler.forget(key);
    }
    const done = await assembler.assemble(draft, host, { signal });
    return {
      placement,
      messages: [...messages, done.text],
      block: done.block,
      items: done.items.map((item) => itemOf(item, sent.length)),
      omitted: [...done.omitted],
      diagnostics: done.diagnostics,
      images: done.parts.filter(({ type }) => type === "image").length,
    };
  } finally {
    assembler.dispose();
  }
}

/** A message that is not the newest any more, as a host sends it then. */
function withoutBlock(text: string): string {
  const [message] = stripGhostBlocks([{ role: "user", content: text }]);
  return message?.content ?? text;
}

function itemOf({ type, key, from, content, error }: ContextItem, sent: number): Item {
  const isEarlier = sent > 0 && (type === "rule" || from.lastTurn <= sent);
  return { type, key, from, characters: content?.length ?? 0, error, isEarlier };
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
