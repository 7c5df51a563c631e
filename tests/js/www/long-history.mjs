// A session of 20 MB, for the tests and for `cargo xtask bench page`.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** How many calls it has, and how many messages. */
export const CALLS = 3_600;
export const MESSAGES = 2 * CALLS + 1;

/** A Cline history: calls that read files, and what the tool said to them. */
function history() {
  const messages = [
    { role: "user", content: [{ type: "text", text: "<task>\nTidy up.\n</task>" }] },
  ];
  const source = Array.from(
    { length: 60 },
    (_, n) =>
      `  const value${n} = compute(${n}, "some words of a line"); // a comment that says why`,
  ).join("\n");
  for (let n = 0; n < CALLS; n += 1) {
    const id = `call_${n}`;
    const input = { path: `src/module-${n % 700}/file-${n}.ts` };
    messages.push({
      role: "assistant",
      content: [
        { type: "text", text: `I read the file number ${n}.` },
        { type: "tool_use", id, name: "read_file", input },
      ],
    });
    messages.push({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: `// ${n}\n${source}` },
        {
          type: "text",
          text: `<environment_details>\n# Current Time\n${n}\n\n# Open Tabs\n${"src/file.ts\n".repeat(12)}</environment_details>`,
        },
      ],
    });
  }
  return JSON.stringify(messages);
}

/** Writes it to a folder that goes with the process. */
export function longHistoryFile() {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-page-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "api_conversation_history.json");
  writeFileSync(file, history());
  return file;
}
