// What a tool says in place of a file, in whatever words, makes no complete copy give way.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { PROVIDERS, inShapeOf } from "./provider-shapes.mjs";

const { dedupeHistory } = turnkeeper;

const values = (count) =>
  Array.from({ length: count }, (_, at) => `const value${at} = ${at * 7};`).join("\n");
const repeated = (count, make) => Array.from({ length: count }, (_, at) => make(at)).join("\n");
const FILES = {
  "of five lines": repeated(5, (at) => `const aRatherLongNameForTheValue${at} = ${at * 7};`),
  "of sixty lines": values(60),
  "with blank lines": `import os\n\n${repeated(20, (at) => `def f${at}(x):\n    return x + ${at}\n`)}`,
  "of data": JSON.stringify({ list: Array.from({ length: 40 }, (_, at) => ({ at })) }, null, 2),
};

const first = (file, share) => {
  const lines = file.split("\n");
  return lines.slice(0, Math.max(1, Math.floor(lines.length * share))).join("\n");
};
const part = (file) => first(file, 1 / 3);
const most = (file) => first(file, 0.9);
const numbered = (text, from = 1) => text.replace(/^/gm, () => `${from++}\t`);
const eachLine = (make) => (file) => file.split("\n").map(make).join("\n");
const midst = (put) => (file) => {
  const lines = file.split("\n");
  const at = Math.floor(lines.length / 2);
  return [...lines.slice(0, at - 1), put, ...lines.slice(at + 2)].join("\n");
};

const WORDINGS = {
  // Errors.
  "a traceback": () => "Traceback (most recent call last):\n  File 'x.py', line 3\nKeyError: 'a'",
  "a long traceback": () =>
    `Traceback (most recent call last):\n${repeated(80, (at) => `  File "m${at}.py", line ${at}`)}\nValueError`,
  "a stack of Node": () => `Error: no\n${repeated(90, (at) => `    at f${at} (file.js:${at}:1)`)}`,
  "a stack of Java": () =>
    `java.io.IOException: no\n${repeated(90, (at) => `\tat com.x.Y(Y.java:${at})`)}`,
  "an error as JSON": () => '{\n  "message": "gone",\n  "code": 17\n}',
  "an error in one line of JSON": () => '{"error":"gone"}',
  "a long error as JSON": () =>
    JSON.stringify(
      { error: { details: Array.from({ length: 70 }, (_, at) => `d${at}`) } },
      null,
      2,
    ),
  "a status that is not ok": () => '{"ok":false,"reason":"locked"}',
  "an error as XML": () => "<error>\n<code>NoSuchKey</code>\n<message>gone</message>\n</error>",
  "an error as YAML": () => "error:\n  code: 12\n  message: gone\n  hint: none\n  more: x",
  "an error of a protocol": () => "MCP error -32603: Internal error\nat call",
  "a lock": () => "EBUSY: resource busy or locked\nopen 'a.ts'",
  "a kill": () => "Killed\n",
  "a limit of requests": () => "429 Too Many Requests\nRetry-After: 30",
  "a time-out": () => "Timed out after 30 seconds\nwaiting for the file system",
  "a time-out in one line": () => "Request timed out.",
  "a refusal": () => "The user denied this operation.\nReason: not now",
  "words of the user": () => "<user_feedback>\nDo it another way.\n</user_feedback>",
  // Pages of servers.
  "a page of a gateway": () => "<html>\n<body>\n<h1>502 Bad Gateway</h1>\n</body>\n</html>",
  "the same with carriage returns": () =>
    "<html>\r\n<body>\r\n<h1>502 Bad Gateway</h1>\r\n</body>\r\n</html>",
  "a long page": () => `<html>\n${"<p>x</p>\n".repeat(300)}</html>`,
  "a page of a guard": () =>
    `<!DOCTYPE html>\n${repeated(400, (at) => `<div id="c${at}">${at}</div>`)}`,
  // Other languages.
  Chinese: () => "读取失败。\n请稍后再试。",
  "Chinese in one line": () => "文件不存在",
  Japanese: () => "ファイルが見つかりません。\nもう一度お試しください。",
  German: () => "Die Datei konnte nicht gelesen werden.\nBitte später noch einmal.",
  Spanish: () => "No se pudo leer el archivo.\nInténtelo de nuevo.",
  French: () => "Fichier introuvable :\n a.ts",
  Russian: () => "Файл не найден\nПопробуйте позже",
  Arabic: () => "الملف غير موجود\nحاول مرة أخرى",
  // A part of the file.
  "a preview": (file) =>
    `<persisted-output>\nOutput too large. Preview (first 2KB):\n${part(file)}\n...\n</persisted-output>`,
  "a preview of most of it": (file) =>
    `<persisted-output>\nPreview:\n${most(file)}\n...\n</persisted-output>`,
  "a number of lines": (file) => `Lines 1 to 40 (400 lines total)\n${part(file)}`,
  "a number of lines, numbered": (file) =>
    `Lines 1 to 40 (400 lines total)\n${numbered(part(file))}`,
  "a number of most lines": (file) => `Lines 1 to 40 (400 lines total)\n${most(file)}`,
  "numbered lines without a word": (file) => numbered(part(file)),
  "most of the lines, numbered": (file) => numbered(most(file)),
  "numbered lines from its midst": (file) => numbered(part(file), 20),
  "lines with arrows": (file) => numbered(part(file)).replace(/\t/g, "→"),
  "a clip": (file) => `${part(file)}\n<response clipped>`,
  "a clip with a note": (file) =>
    `${most(file)}\n<response clipped><NOTE>Only part of this file is shown.</NOTE>`,
  "a clip that is told first": (file) => `<response clipped>\n${most(file)}`,
  "a part without a word": part,
  "most of it without a word": most,
  "a part with carriage returns": (file) => part(file).replace(/\n/g, "\r\n"),
  "a note after most of it": (file) =>
    `${most(file)}\n\n(Results are truncated. Use offset to read more.)`,
  "a number of pages": (file) => `${most(file)}\n\n--- page 1 of 3 ---`,
  "a note before most of it": (file) =>
    `Status: The file content has been truncated.\n--- FILE CONTENT ---\n${most(file)}`,
  "a midst that is left out": midst("... [200 lines truncated] ..."),
  "three points in its midst": midst("[...]"),
  "words in its midst": midst("(some lines left out)"),
  "a comment for the rest": midst("// ... existing code ..."),
  "another line in its midst": midst("<<<"),
  "cut lines": eachLine((line) => (line.length > 14 ? `${line.slice(0, 14)}…` : line)),
  // Something made of the file.
  "an outline": (file) =>
    file
      .split("\n")
      .filter((_, at) => at % 3 === 0)
      .map((line) => `  ${line.slice(0, 8)}`)
      .join("\n"),
  "every other line": (file) =>
    file
      .split("\n")
      .filter((_, at) => at % 2 === 0)
      .join("\n"),
  "symbols with their lines": () =>
    repeated(70, (at) => `${at * 3 + 1}--${at * 3 + 3} | function f${at}()`),
  definitions: () =>
    `Code Definitions:\n${repeated(20, (at) => `${at}--${at + 5} | class C${at}`)}`,
  "a summary": () =>
    "This file defines several constants.\nIt is used by main.\nNothing else is notable.",
  "a long summary": () => repeated(400, (at) => `Statement ${at} of the file sets something.`),
  "a difference": (file) =>
    `--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n${part(file).replace(/^/gm, " ")}`,
  "all of it as a difference": (file) =>
    `--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n${file.replace(/^/gm, " ")}`,
  "hits of a search": (file) =>
    file
      .split("\n")
      .map((line, at) => `a.ts:${at + 1}:${line}`)
      .join("\n"),
  colours: eachLine((line) => `\u001b[32m${line}\u001b[0m`),
  "wrapped lines": (file) => file.replace(/(.{12})/g, "$1\n"),
  "no spaces at the start of lines, and other values": (file) =>
    file.replace(/^ +/gm, "").replace(/\d/g, "#"),
  entities: (file) => file.replace(/[=:]/g, "&#61;"),
  "all in base64": (file) => Buffer.from(file).toString("base64"),
  "lines in another order": (file) => file.split("\n").reverse().join("\n"),
  "sorted lines": (file) =>
    file
      .split("\n")
      .sort((a, b) => (b < a ? -1 : 1))
      .join("\n"),
  "no blank lines": (file) => file.replace(/\n\n+/g, "\n").replace(/^const/gm, " const"),
  // Something else.
  "what was read before": () =>
    "File unchanged since last read.\nThe content from the earlier result is still current.",
  "a note on a binary file": () => "[binary file, 3 KB]",
  "the bytes of a binary file": () => "\u0000\u0001PNG\n\u0002\u0003",
  nothing: () => "",
  "the word for nothing": () => "(empty file)",
  "a list of a folder": () => repeated(80, (at) => `file${at}.ts`),
  progress: () => "Reading... 10%\nReading... 20%\nReading... 30%",
};

let ids = 0;
const step = (name, input, text) => {
  const id = `call-${++ids}`;
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
  ];
};
const read = (text) => step("read_file", { path: "a.ts" }, text);
const readInText = (text) => [
  { role: "assistant", content: "<read_file>\n<path>a.ts</path>\n</read_file>" },
  { role: "user", content: `[read_file for 'a.ts'] Result:\n${text}` },
];
const edit = step("Edit", { path: "a.ts", old_string: "q", new_string: "r" }, "Updated.");
const go = { role: "user", content: "Go." };

/** A text as it stands in JSON within JSON, in which arguments and outputs may be. */
const holds = (messages, text) => {
  const once = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const all = JSON.stringify(messages);
  return all.includes(once) || all.includes(twice);
};
const ECONOMIES = [
  { files: "newest", writes: true, repeatedResults: true },
  { economy: "resume" },
  { economy: "compact" },
];

describe("no complete copy gives way to", () => {
  for (const [name, wording] of Object.entries(WORDINGS)) {
    test(name, () => {
      for (const [kind, file] of Object.entries(FILES)) {
        const text = wording(file);
        // It is the same where there is nothing to leave out.
        if (text === file) continue;
        for (const made of [read, readInText]) {
          for (const between of [[], edit]) {
            const history = [go, ...made(file), ...between, ...made(text), go];
            for (const provider of made === read ? PROVIDERS : ["anthropic"]) {
              for (const options of ECONOMIES) {
                const given = inShapeOf(provider, history);
                const { messages } = dedupeHistory(given, options);
                assert.ok(
                  holds(messages, file),
                  `a file ${kind}, ${provider}, ${JSON.stringify(options)}`,
                );
              }
            }
          }
        }
      }
    });
  }
});
