import type { Preset } from "../../worker/presets.js";
import type { BlockKind, Fate, GoneKind, JudgedHistory } from "../../worker/shapes.js";

import { count, plural } from "./amounts.js";

/** The words of the view of a history. */
export const contextWords = {
  history: {
    presetHeading: "Repair",
    preset: "What to remove",
    presets: {
      duplicates: {
        title: "Duplicates in a message",
        about:
          "In each message of the user the newest block of environment stays; what turnkeeper repair does.",
      },
      sections: {
        title: "Unchanged sections",
        about: "Older blocks are shortened to the sections that changed.",
      },
      recent: {
        title: "All but the newest environment",
        about: "Only the newest message of the user keeps its block of environment.",
      },
      files: {
        title: "Files read again",
        about: "A file's content gives way to a notice if the same file is read again later.",
      },
      resume: {
        title: "To resume a task",
        about:
          'Only the newest environment stays, and of a file that was read again only the newest copy: economy "resume".',
      },
      compact: {
        title: "When the context is nearly full",
        about:
          'As to resume a task, and repeated results and files that were written whole, too; no more than it takes to reach the size, as the package estimates it. What the model cannot do without stays, also if that is more: economy "compact".',
      },
    } satisfies Record<Preset, { title: string; about: string }>,
    target: "Size to reach, in tokens",
    noTarget: "as small as it gets",
    goneHeading: "What was taken out",
    gone: {
      duplicate: (items, tokens) =>
        `${plural(items, "duplicate block")}: about ${plural(tokens, "token")}`,
      environment: (items, tokens) =>
        `${plural(items, "outdated block")} of environment: about ${plural(tokens, "token")}`,
      file: (items, tokens) =>
        `${count(items)} older ${items === 1 ? "copy" : "copies"} of files: about ${plural(tokens, "token")}`,
      result: (items, tokens) =>
        `${plural(items, "repeated result")}: about ${plural(tokens, "token")}`,
      write: (items, tokens) =>
        `${plural(items, "written file")} that changed later: about ${plural(tokens, "token")}`,
    } satisfies Record<GoneKind, (items: number, tokens: number) => string>,
    judging: "Comparing before and after…",
    noHistory:
      "This format is a record of what happened, not a history that is sent to a model again. Cline, Claude Code, Anthropic, OpenAI, Gemini and AI SDK histories can be repaired.",
    sizes: "Before and after",
    headline: ({ messages, messagesChanged, tokensSaved, before, after }: JudgedHistory) => {
      const saved = before.total - after.total;
      const share = before.total === 0 ? 0 : Math.round((100 * saved) / before.total);
      return `${plural(messages, "message")}, ${count(messagesChanged)} changed: ${plural(tokensSaved, "token")} less, ${share} % of the history.`;
    },
    order: "In order",
    orderPicture: ({ messages }: JudgedHistory) =>
      `The blocks of ${plural(messages, "message")} in their order; hatched ones give way`,
    before: "Before",
    after: "After",
    barPicture: (when: "before" | "after", tokens: number) => `${when}: ${plural(tokens, "token")}`,
    byKind: "Tokens by kind, estimated",
    kind: "Kind",
    total: "total",
    download: "Save the repaired file",
    blocks: "Blocks",
    list: (rows: number) => `Blocks of the history, ${plural(rows, "row")}`,
  },
  blockKinds: {
    system: "system",
    environment: "environment",
    user: "user",
    text: "assistant",
    reasoning: "reasoning",
    calls: "tool call",
    results: "tool result",
    images: "image",
  } satisfies Record<BlockKind, string>,
  fates: { kept: "kept", removed: "gives way", new: "instead" } satisfies Record<Fate, string>,
};
