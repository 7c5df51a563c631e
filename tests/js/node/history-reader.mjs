// What somebody who reads a history from its beginning to its end knows of the files in it. It shares
// nothing with the deduper: it knows the simulated agent's tools, and follows edits and renames.

import { ROOT } from "./simulated-agent.mjs";

const NOTICE = /^\[An older copy of /;

/** What is known of the files: `{ whole }`, or `{ lines }`, by their numbers. */
export function knownFiles(messages) {
  const known = new Map();
  const at = (name) => canonical(name);
  const whole = (name, content) => {
    if (!NOTICE.test(content)) known.set(at(name), { whole: content });
  };
  for (const { tool, input, said } of stepsOf(messages)) {
    if (tool === "mention") {
      for (const [, name, content] of said.matchAll(
        /<file_content path="([^"]+)">\n([^]*?)\n<\/file_content>/g,
      )) {
        whole(name, content);
      }
      continue;
    }
    const shown = /<(final_file_content|file_content) path="([^"]+)">\n([^]*)\n<\/\1>/.exec(said);
    const failed = /^The (?:tool execution failed|user denied)/.test(said);
    if (tool === "execute_command") {
      const [, from, to] = /^mv (\S+) (\S+)$/.exec(input.command);
      known.delete(at(to));
      if (known.has(at(from))) known.set(at(to), known.get(at(from)));
      known.delete(at(from));
    } else if (tool === "read_file" && !failed && input.start_line === undefined) {
      whole(input.path, said);
    } else if (tool === "read_file" && !failed) {
      if (!NOTICE.test(said)) readLines(known, at(input.path), Number(input.start_line), said);
    } else if (tool === "write_to_file" && !failed) {
      if (NOTICE.test(input.content.trim())) known.delete(at(input.path));
      else known.set(at(input.path), { whole: input.content });
    } else if (tool === "insert_content" && !failed) {
      insert(known.get(at(input.path)), Number(input.line), input.content);
    }
    if (shown) whole(shown[2], shown[3]);
  }
  return known;
}

function canonical(name) {
  return new URL(name, `file://${ROOT}/`).pathname;
}

const linesOf = (content) => content.split(/(?<=\n)/);

function readLines(known, path, first, content) {
  const file = known.get(path) ?? { lines: new Map() };
  if (file.whole !== undefined) return;
  linesOf(content).forEach((line, n) => file.lines.set(first + n, line));
  known.set(path, file);
}

function insert(file, first, content) {
  if (file === undefined) return;
  const added = linesOf(content);
  if (file.whole !== undefined) {
    const lines = linesOf(file.whole);
    lines.splice(first - 1, 0, ...added);
    file.whole = lines.join("");
    return;
  }
  const moved = Array.from(file.lines, ([number, line]) => [
    number >= first ? number + added.length : number,
    line,
  ]);
  file.lines = new Map(moved);
  added.forEach((line, n) => file.lines.set(first + n, line));
}

/** The calls of a history with their results, and what the user mentions, in order. */
function* stepsOf(messages) {
  let call;
  for (const { role, content } of messages) {
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
    for (const part of parts) {
      if (role === "assistant") {
        if (part.type === "tool_use") call = { tool: part.name, input: part.input };
        else call = clineCall(part.text) ?? call;
      } else if (part.type === "tool_result") {
        yield { ...call, said: part.content };
        call = undefined;
      } else if (part.text.startsWith("<environment_details>") || /\] Result:$/.test(part.text)) {
        continue;
      } else if (call !== undefined) {
        yield { ...call, said: part.text };
        call = undefined;
      } else {
        yield { tool: "mention", said: part.text };
      }
    }
  }
}

function clineCall(text) {
  const [, tool, inside] = /<(\w+)>\n([^]*)\n<\/\1>$/.exec(text) ?? [];
  if (tool === undefined) return undefined;
  const found = inside.matchAll(/<(\w+)>([^]*?)<\/\1>(?=\n<|$)/g);
  const input = Object.fromEntries(Array.from(found, ([, name, value]) => [name, value]));
  if (input.content !== undefined) input.content = input.content.slice(1, -1);
  return { tool, input };
}
