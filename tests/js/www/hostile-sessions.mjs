// Sessions that somebody wrote to harm whoever looks at them.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { call } from "./session-lines.mjs";

/** Markup that would run if it were taken for markup. */
export const HTML = `<img src=x onerror="window.owned=1"><script>window.owned=1</script></pre></details>`;
const CONTROLS = "\u001b[2J\u0007\u009b31m\u007f\u202e\u2066\u200b\ufeff\ud800\u{e0041}\u2028";
/** Markup, control characters and what else a field may hold. */
export const bad = `${HTML}${CONTROLS}\r\n\t{{owned}}\${owned}javascript:window.owned=1`;
/** What must not be seen as it is. */
export const SEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u;

/** Events with it in every field. */
export const hostileEvents = [
  { type: "prompt_started", promptId: bad, model: `${bad}preview`, userPrompt: bad },
  { type: "text", text: bad },
  { type: "reasoning", text: bad.repeat(30) },
  { type: "tool_result", output: bad.repeat(30), isError: true },
  ...[1, 1, 1, 1, 1, 1, 1, 1, 1, 1].flatMap((n) => [
    call(`t${bad}`, { [bad]: bad, n, __proto__: bad }),
    { type: "tool_result", output: bad },
  ]),
];
/** A history with it. */
export const hostileMessages = [
  { role: "user", content: `${bad}<environment_details>${bad}</environment_details>` },
  ...Array.from({ length: 8 }, (_, n) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `${bad}${n}`, name: bad, input: { [bad]: bad } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `${bad}${n}`, content: bad }] },
  ]).flat(),
];

/** Megabyte strings, deep nesting and broken Unicode, as event lines. */
export function extremeText() {
  const long = "x".repeat(1_000_000);
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  const events = [
    { type: "text", text: long },
    ...Array.from({ length: 6 }, () => call(long.slice(0, 500_000), { [long]: "\ud800" })),
    { type: "tool_result", output: `${"\udc00\ud800".repeat(250_000)}` },
  ];
  return `${events.map((event) => JSON.stringify(event)).join("\n")}\n{"type":"tool_call","name":"deep","args":${deep}}\n`;
}

/**
 * The path of a file with half a million calls, which goes with the process. At their full height they would be higher
 * than what Firefox can show.
 */
export function halfAMillionCalls() {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-page-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "many.jsonl");
  const out = openSync(file, "w");
  for (let part = 0; part < 50; part += 1) {
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `{"type":"tool_call","name":"read","args":${part * 10_000 + n}}\n`,
    );
    writeSync(out, lines.join(""));
  }
  closeSync(out);
  return file;
}
