import type { ContextItem } from "turnkeeper";

import { count, plural } from "./amounts.js";

/** The words of the prompt editor. */
export const promptWords = {
  prompt: {
    heading: "The prompt",
    hint: '@[path] a file, @[path:3:9] some of its lines, @[tool{…}] a tool, ![alt](path) an image, @{define NAME, "value"}, @{NAME} and @{if …} macros.',
    placeholder: "Ask something about @[src/cart.ts]",
    editor: "Prompt",
    send: "Send, and write the next one",
    again: "Begin again",
    linked: "The link carries the prompt",
    sent: (prompts: number) =>
      prompts === 0 ? "Nothing sent yet." : `${plural(prompts, "prompt")} sent.`,
    place: (line: number, column: number) => `line ${count(line)}, column ${count(column)}`,
    kinds: { file: "file", tool: "tool", image: "image", macro: "macro" },
    workspace: "The workspace",
    files: "Files",
    tools: "Tools",
    rules: "Rules",
    path: "Path",
    content: "Content",
    tool: "Name of the tool",
    output: "What it gives",
    rule: "Name of the rule",
    nameless: "(no name)",
    remove: (name: string) => `Remove ${name}`,
    addFile: "Add a file",
    addTool: "Add a tool",
    addRule: "Add a rule",
    preview: "What would be sent",
    placement: "Placement of the block",
    placements: {
      latest: {
        title: "latest",
        about: "One block with everything, in the newest message alone.",
      },
      delta: {
        title: "delta",
        about:
          "Earlier blocks stay where they are, and a new one has what is new; so the provider's cache keeps working.",
      },
    },
    budget: "Budget in tokens",
    noBudget: "none",
    messages: "User messages, as they are sent now",
    message: (number: number, isDraft: boolean) =>
      isDraft ? "The message that is being written" : `Message ${count(number)}`,
    images: (value: number) =>
      value === 1
        ? "And 1 image, as a part of its own."
        : `And ${plural(value, "image")}, each as a part of its own.`,
    items: "What is in the block, and why",
    noItems: "Nothing.",
    item: "Item",
    why: "Why",
    size: "Characters",
    reason: (
      type: ContextItem["type"],
      { source, name, firstTurn, lastTurn }: ContextItem["from"],
      turn: number,
    ) => {
      if (type === "rule") return "a rule, always there";
      if (source === "rule") return `the rule ${name} names it`;
      if (source === "history") return "found in the history";
      if (lastTurn < turn) return `prompt ${count(firstTurn)} named it`;
      return firstTurn < turn
        ? `this prompt names it, and prompt ${count(firstTurn)} did`
        : "this prompt names it";
    },
    forget: "Forget",
    forgetHint: "What an earlier prompt brought in stays until you have it forgotten.",
    forgotten: (key: string, after: number) =>
      `${key} was forgotten after ${plural(after, "prompt")}. Name it again and it is back.`,
    remember: "Undo",
    omitted: (keys: string[]) => `Left out for the budget: ${keys.join(", ")}.`,
  },
};
