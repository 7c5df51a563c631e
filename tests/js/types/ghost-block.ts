// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  GhostBlockAssembler,
  stripGhostBlocks,
  type AssembledPrompt,
  type AssemblerHost,
  type AssemblerOptions,
  type ContextItem,
  type Diagnostic,
  type Reference,
} from "turnkeeper";

interface OwnMessage {
  role: "user" | "assistant";
  content: string | { type: "text"; text: string }[];
  ts: number;
}

declare const saved: readonly OwnMessage[];

const options: AssemblerOptions = {
  root: "/work",
  allowedRoots: ["/shared"],
  platform: "posix",
  tools: ["ls"],
  placement: "delta",
  maxTokens: 1_000,
  countTokens: (text) => text.length,
  trustFiles: false,
  remoteImages: false,
  referencesInCode: false,
  maxDepth: 3,
  maxItems: 10,
  maxItemBytes: 1_000,
  maxTotalBytes: 10_000,
  maxMacroExpansions: 100,
};

export class OwnHost implements AssemblerHost {
  async readFile({
    path,
    startLine,
    endLine,
    knownVersion,
  }: Parameters<AssemblerHost["readFile"]>[0]) {
    const lines: [number | undefined, number | undefined] = [startLine, endLine];
    if (knownVersion === path) return { unchanged: true as const };
    if (lines[0] === undefined) return { missing: true as const };
    if (path === "") return { denied: "why" };
    return path === "x" ? path : { content: path, version: "1" };
  }
  async runTool({ name, args }: { name: string; args: object }): Promise<string> {
    return name + Object.keys(args).length;
  }
}

export async function whatIsAssembledHasItsTypes(signal: AbortSignal): Promise<AssembledPrompt> {
  using assembler = new GhostBlockAssembler(options);
  assembler.setRules([{ name: "r", content: "R" }] as const);
  const assembled = await assembler.assemble("@[a]", new OwnHost(), { signal });
  for (const part of assembled.parts) {
    const shown: string = part.type === "text" ? part.text : part.alt + part.mediaType + part.data;
    // @ts-expect-error: a part of text has no data.
    if (part.type === "text") part.data = shown;
  }
  const items: readonly ContextItem[] = assembler.items;
  const types: ("file" | "tool" | "rule")[] = items.map(({ type }) => type);
  const contents: (string | undefined)[] = items.map(({ content, error }) => content ?? error);
  const args: (object | undefined)[] = items.map((item) => item.args);
  // @ts-expect-error: items are the assembler's own.
  assembled.items.push(...types, ...contents, ...args);
  const omitted: readonly string[] = assembled.omitted;
  return { ...assembled, omitted };
}

export async function documentsAndSkills(assembler: GhostBlockAssembler): Promise<string[]> {
  const host: AssemblerHost = { readFile: async () => "x" };
  const { content, diagnostics } = await assembler.expandDocument("x", host);
  const severities: ("error" | "warning")[] = diagnostics.map(
    ({ severity }: Diagnostic) => severity,
  );
  const skill: { content: string; description: string; params: string[] } =
    await assembler.prepareSkill("x", host, {});
  return [content, ...severities, skill.description, ...skill.params];
}

export function previewsHaveKinds(assembler: GhostBlockAssembler): Reference["kind"][] {
  const { references, diagnostics } = assembler.inspect("x");
  const places: number[] = diagnostics.flatMap(({ line, column }) => [line, column]);
  const source: string | undefined = diagnostics[0]?.source;
  // @ts-expect-error: there are no other kinds.
  const wrong: "folder" | undefined = references[0]?.kind;
  return wrong || source || places.length > 0 ? [] : references.map(({ kind }) => kind);
}

export function messagesKeepTheirType(assembler: GhostBlockAssembler): OwnMessage[] {
  const count: number = assembler.scanHistory(saved);
  return count > 0 ? stripGhostBlocks(saved) : [];
}

export function theHostsMacros(assembler: GhostBlockAssembler): string | undefined {
  new GhostBlockAssembler({ root: "/work", macros: { ROLE: "reviewer" } }).dispose();
  const item = assembler.items[0];
  if (item) item.from satisfies { source: string; firstTurn: number; lastTurn: number };
  // @ts-expect-error: the scope is only read.
  assembler.macros.ROLE = "author";
  return assembler.forget(item?.key ?? "") ? assembler.macros.ROLE : undefined;
}

export function savedAndRestored(assembler: GhostBlockAssembler): GhostBlockAssembler {
  const bytes: Uint8Array = assembler.snapshot();
  // @ts-expect-error: everything else is in the snapshot.
  GhostBlockAssembler.restore(bytes, { root: "/work" });
  return GhostBlockAssembler.restore(bytes, { countTokens: () => 1 });
}

export function wrongOptionsDoNotCompile(assembler: GhostBlockAssembler): void {
  // @ts-expect-error: the root is needed.
  new GhostBlockAssembler({});
  // @ts-expect-error: there is no such option.
  new GhostBlockAssembler({ root: "/work", trust: true });
  // @ts-expect-error: the other word is "latest".
  const placement: AssemblerOptions["placement"] = "first";
  // @ts-expect-error: a host must read files.
  void assembler.assemble("x", { runTool: async () => "x" });
  // @ts-expect-error: a file's content is text.
  void assembler.assemble("x", { readFile: async () => ({ content: 5 }) });
  // @ts-expect-error: an image has bytes in base64.
  void assembler.assemble("x", { readFile: async () => "x", readImage: async () => "x" });
  // @ts-expect-error: a prompt is text.
  assembler.inspect(placement ?? 7);
  // @ts-expect-error: messages are objects.
  stripGhostBlocks(["x"]);
}
