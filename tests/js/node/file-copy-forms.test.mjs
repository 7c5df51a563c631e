// Every form in which releases of Cline, Roo Code and Kilo Code show a file, and what looks like it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";

const { dedupeHistory, restoreHistory } = turnkeeper;

const OLD = "export const answer = 42;\n".repeat(20);
const NEW = `${OLD}export const question = "?";\n`;
const text = (words) => ({ type: "text", text: words });
const user = (...content) => ({ role: "user", content });
const assistant = (...content) => ({ role: "assistant", content });

let calls = 0;
const native = (name, input, content) => {
  const id = `toolu_${(calls += 1)}`;
  return [
    assistant({ type: "tool_use", id, name, input }),
    user({ type: "tool_result", tool_use_id: id, content }),
  ];
};
const inText = (call, ...said) => [assistant(text(call)), user(...said.map(text))];

/** With numbers before its lines, as `1 | a`. */
const numbered = (content, first = 1) =>
  content
    .replace(/\n$/, "")
    .split("\n")
    .map((line, n) => `${first + n} | ${line}`)
    .join("\n");
const count = (content) => content.split("\n").length - 1;
const ADVICE =
  "Reading multiple files at once is more efficient for the LLM. If other files are relevant to your current task, please read them simultaneously.";
const readCall = (path) => `<read_file>\n<path>${path}</path>\n</read_file>`;
const readArgs = (...paths) =>
  `<read_file>\n<args>\n${paths.map((path) => `<file>\n<path>${path}</path>\n</file>`).join("\n")}\n</args>\n</read_file>`;
const edited = (path) =>
  `<replace_in_file>\n<path>${path}</path>\n<diff>\nx\n</diff>\n</replace_in_file>`;
const shown = (path, content) =>
  `<final_file_content path="${path}">\n${content}\n</final_file_content>`;
const listed = (path, content, more = "") =>
  `<file><path>${path}</path>\n<content lines="1-${count(content)}">\n${numbered(content)}</content>\n${more}</file>`;
const under = (path, content) => `File: ${path}\nLines 1-${count(content)}:\n${numbered(content)}`;

/** How a host shows the file `a.ts`, whatever is in it. */
const FORMS = {
  "Cline: a heading, and the file in the next part": (file) =>
    inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", file),
  "Cline: a heading and the file in one part": (file) =>
    inText(readCall("a.ts"), `[read_file for 'a.ts'] Result:\n${file}`),
  "Cline: a native result with its heading": (file) =>
    native("read_file", { path: "a.ts" }, `[read_file for 'a.ts'] Result:\n${file}`),
  "Cline: a native result of the absolute path": (file) =>
    native("read_file", { absolutePath: "a.ts" }, `[read_file for 'a.ts'] Result:\n${file}`),
  "Cline: numbered lines, and how many there are": (file) =>
    native(
      "read_file",
      { path: "a.ts" },
      `[read_file for 'a.ts'] Result:\n${numbered(file)}\n\n(File has ${count(file)} lines total.)`,
    ),
  "Cline: the answer to an edit": (file) =>
    inText(
      edited("a.ts"),
      "[replace_in_file for 'a.ts'] Result:",
      `The content was successfully saved to a.ts.\n\nHere is the full, updated content of the file that was saved:\n\n${shown("a.ts", file)}\n\nIMPORTANT: For any future changes to this file, use the final_file_content shown above.`,
    ),
  "Cline: the answer to an edit whose call was cut": (file) =>
    inText(
      edited("a.ts").replace(/<path>[^]*?\n<diff>/, "\n[… cut …]"),
      "[replace_in_file for 'a.ts'] Result:",
      `The content was successfully saved to a.ts.\n\n${shown("a.ts", file)}`,
    ),
  "Cline: the answer to an edit that the user changed": (file) =>
    inText(
      edited("a.ts"),
      `[replace_in_file for 'a.ts'] Result:\nThe user made the following updates to your content:\n\n@@ -1 +1 @@\n-a\n+b\n\nThe updated content has been successfully saved to a.ts. Here is the full, updated content of the file that was saved:\n\n${shown("a.ts", file)}\n\nPlease note:\n1. You do not need to re-write the file.\n\nNew problems detected after saving the file:\na.ts\n- [ts Error] Line 1: no`,
    ),
  "Cline: the answer to a native edit": (file) =>
    native(
      "replace_in_file",
      { absolutePath: "a.ts", diff: "x" },
      `[replace_in_file for 'a.ts'] Result:\nThe content was successfully saved to a.ts.\n\n${shown("a.ts", file)}`,
    ),
  "Cline: the answer to an edit that failed": (file) =>
    inText(
      edited("a.ts"),
      "[replace_in_file for 'a.ts'] Result:",
      `The tool execution failed with the following error:\n<error>\nThe SEARCH block does not match anything in the file.\n\nThe file was reverted to its original state:\n\n<file_content path="a.ts">\n${file}\n</file_content>\n\nTry again.\n</error>`,
    ),
  "Cline: the answer to a patch of several files": (file) =>
    native(
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n*** End Patch" },
      `[apply_patch for patch application] Result:\nSuccessfully applied patch to the following files:\n\n<final_file_content path="b.ts">\nb();\n\n\n</final_file_content>\n\n<final_file_content path="a.ts">\n${file}\n\n</final_file_content>`,
    ),
  "Cline and Roo Code: a mention": (file) =>
    inText(
      "?",
      `<task>\nSee 'a.ts' (see below for file content)\n</task>\n\n<file_content path="a.ts">\n${file}\n</file_content>`,
    ),
  "Cline and Roo Code: a mention of a folder": (file) =>
    inText(
      "?",
      `<folder_content path="./">\n├── a.ts\n└── b.ts\n\n<file_content path="a.ts">\n${file}\n</file_content>\n\n<file_content path="b.ts">\nb();\n</file_content>\n</folder_content>`,
    ),
  "Cline: a file that the user attaches": (file) =>
    inText(
      "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>",
      "[attempt_completion] Result:",
      `The user has provided feedback on the results.\n<feedback>\nNo.\n</feedback>\n\nFiles attached by the user:\n\n<file_content path="a.ts">\n${file}\n</file_content>`,
    ),
  "Roo Code: numbered lines under a heading": (file) =>
    inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", numbered(file)),
  "Roo Code: a list of one file": (file) =>
    inText(
      readArgs("a.ts"),
      `[read_file for 'a.ts'. ${ADVICE}] Result:`,
      `<files>\n${listed("a.ts", file)}\n</files>`,
    ),
  "Roo Code: a list after the old form of a call": (file) =>
    inText(
      readCall("a.ts"),
      `[read_file for 'a.ts'. ${ADVICE}] Result:`,
      `<files>\n${listed("a.ts", file)}\n</files>`,
    ),
  "Roo Code: a file without a list": (file) =>
    inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", listed("a.ts", file)),
  "Roo Code: a list of several files": (file) =>
    inText(
      readArgs("b.ts", "a.ts", "c.ts"),
      "[read_file for 'b.ts', 'a.ts', 'c.ts'] Result:",
      `<files>\n${listed("b.ts", "b();\n")}\n${listed("a.ts", file)}\n<file><path>c.ts</path><error>Error reading file: gone</error></file>\n</files>`,
    ),
  "Roo Code: a list of many files": (file) =>
    inText(
      readArgs("b.ts", "c.ts", "d.ts", "a.ts"),
      `[read_file for 4 files] Result:\n<files>\n${["b", "c", "d"].map((name) => listed(`${name}.ts`, `${name}();\n`)).join("\n")}\n${listed("a.ts", file)}\n</files>`,
    ),
  "Roo Code: a list that the user approved in words": (file) =>
    inText(
      readArgs("a.ts"),
      `[read_file for 'a.ts'. ${ADVICE}] Result:`,
      `The user approved this operation and provided the following context:\n<feedback>\nMind the tests.\n</feedback>\n<files>\n${listed("a.ts", file)}\n</files>`,
    ),
  "Roo Code: a native result of one file": (file) =>
    native("read_file", { files: [{ path: "a.ts" }] }, under("a.ts", file)),
  "Roo Code: a native result of several files": (file) =>
    native(
      "read_file",
      { files: [{ path: "b.ts", line_ranges: [] }, { path: "a.ts" }, { path: "c.ts" }] },
      `${under("b.ts", "b();\n")}\n\n---\n\n${under("a.ts", file)}\n\n---\n\nFile: c.ts\nError: Error reading file: gone`,
    ),
  "Roo Code: a native result that the user approved in words": (file) =>
    native(
      "read_file",
      { files: [{ path: "a.ts" }] },
      `{"status":"approved","feedback":"Mind the tests."}\n${under("a.ts", file)}`,
    ),
  "Roo Code: a native result with the path alone": (file) =>
    native("read_file", { path: "a.ts", mode: "slice" }, `File: a.ts\n${numbered(file)}`),
  "Roo Code: a mention that looks like a result": (file) =>
    inText(
      "?",
      "<user_message>\nSee 'a.ts'\n</user_message>",
      `[read_file for 'a.ts']\nFile: a.ts\n${numbered(file)}`,
    ),
  "Roo Code: a mention of a folder that looks like results": (file) =>
    inText(
      "?",
      "<user_message>\nSee './'\n</user_message>",
      `[read_file for folder './']\nFolder listing:\n├── a.ts\n└── b.ts\n\n\n--- File Contents ---\n\n[read_file for 'a.ts']\nFile: a.ts\n${numbered(file)}\n\n[read_file for 'b.ts']\nFile: b.ts\nb();`,
    ),
};

/** The copies of `a.ts` that went. */
function gone(messages) {
  frozen(messages);
  const { messages: shortened, report } = dedupeHistory(messages, { files: "newest" });
  assert.deepEqual(restoreHistory(shortened, JSON.parse(JSON.stringify(report))), messages);
  assert.deepEqual(dedupeHistory(shortened, { files: "newest" }).messages, shortened, "at rest");
  const paths = report.files.map(({ path }) => path);
  return {
    shortened,
    report,
    indexes: report.files.filter((one) => one.path === "a.ts").map(({ index }) => index),
    paths,
  };
}

/** Calls as parts are not mixed with calls in texts: a model does one or the other. */
const isNative = (messages) => JSON.stringify(messages).includes("tool_use");

for (const [name, older] of Object.entries(FORMS)) {
  describe(name, () => {
    for (const [other, newer] of Object.entries(FORMS)) {
      const messages = [...older(OLD), ...newer(NEW)];
      if (isNative(older(OLD)) !== isNative(newer(NEW)) && !/mention|attach/.test(name + other))
        continue;
      test(`gives way to: ${other}`, () => {
        const { shortened, indexes } = gone(messages);
        assert.deepEqual(indexes, [1]);
        const was = JSON.stringify(messages[1]);
        const now = JSON.stringify(shortened[1]);
        const [notice] = now.match(/\[An older copy of a\.ts, \d+ characters, [^\]]*\]/);
        // Only the file went: around its line nothing is new, and nothing of it is left.
        const [before, after] = now.split(notice);
        assert.ok(was.startsWith(before) && was.endsWith(after), now);
        assert.ok(!now.includes("answer = 42"));
        assert.equal(shortened[3], messages[3]);
      });
    }

    const read = isNative(older(OLD))
      ? (path) => native("read_file", { path }, NEW)
      : (path) => inText(readCall(path), `[read_file for '${path}'] Result:`, NEW);
    test("is of that file and no other", () => {
      assert.deepEqual(gone([...older(OLD), ...read("z.ts")]).paths, []);
      assert.deepEqual(gone([...read("z.ts"), ...older(NEW)]).paths, []);
    });
  });
}

describe("what looks like a newer copy and is none", () => {
  const lines = numbered(NEW);
  const files = [{ path: "a.ts" }];
  const nearly = {
    "a native refusal with its heading": native(
      "read_file",
      { path: "a.ts" },
      "[read_file for 'a.ts'] Result:\nThe user denied this operation.",
    ),
    "a native error with its heading": native(
      "read_file",
      { path: "a.ts" },
      `[read_file for 'a.ts'] Result:\nThe tool execution failed with the following error:\n<error>\n${NEW}\n</error>`,
    ),
    "a refusal as JSON": native(
      "read_file",
      { files },
      `{"status":"denied","feedback":"no"}\n\n${NEW}`,
    ),
    "an error of a native read": native(
      "read_file",
      { files },
      `File: a.ts\nError: File not found: a.ts\n${NEW}`,
    ),
    "a file that the user denied": native(
      "read_file",
      { files },
      "File: a.ts\nStatus: Denied by user",
    ),
    "a range of a native read": native(
      "read_file",
      { files: [{ path: "a.ts", line_ranges: ["2-9"] }] },
      `File: a.ts\nLines 2-9:\n${numbered(NEW, 2)}`,
    ),
    "several ranges": native(
      "read_file",
      {
        files: [
          {
            path: "a.ts",
            lineRanges: [
              { start: 1, end: 9 },
              { start: 30, end: 40 },
            ],
          },
        ],
      },
      `File: a.ts\nLines 1-9:\n${lines}\n\nLines 30-40:\n${lines}`,
    ),
    "a native read that was cut": native(
      "read_file",
      { files },
      `File: a.ts\nLines 1-21:\n${lines}\n\nNote: Showing only 21 of 400 total lines. Use line_range if you need to read more lines`,
    ),
    "a native read with a limit": native(
      "read_file",
      { path: "a.ts" },
      `File: a.ts\nIMPORTANT: File content truncated.\n\tStatus: Showing lines 1-21 of 400 total lines.\n\tTo read more: Use the read_file tool with offset=22 and limit=21.\n\t\n\t${lines}`,
    ),
    "blocks picked by their indentation": native(
      "read_file",
      { path: "a.ts", mode: "indentation", offset: 3 },
      `File: a.ts\n${lines}\n\nIncluded ranges: 1-21 (total: 400 lines)`,
    ),
    "a read that goes on": native(
      "read_file",
      { path: "a.ts" },
      `[read_file for 'a.ts'] Result:\n${lines}\n\n(Showing lines 1-21 of 400 total. Use start_line=22 to continue reading.)`,
    ),
    "a read of a tool that says there is more": native(
      "read",
      { filePath: "a.ts" },
      `<file>\n${lines}\n\n(File has more lines. Use 'offset' parameter to read beyond line 21)\n</file>`,
    ),
    "a list with a notice": inText(
      readArgs("a.ts"),
      `[read_file for 'a.ts'. ${ADVICE}] Result:`,
      `<files>\n${listed("a.ts", NEW, "<notice>Showing only 21 of 400 total lines.</notice>\n")}\n</files>`,
    ),
    "a list of ranges": inText(
      readArgs("a.ts").replace("</path>", "</path>\n<line_range>1-21</line_range>"),
      `[read_file for 'a.ts'. ${ADVICE}] Result:`,
      `<files>\n${listed("a.ts", NEW)}\n</files>`,
    ),
    "a mention that was cut": inText(
      "?",
      `[read_file for 'a.ts']\nIMPORTANT: File content truncated.\nStatus: Showing lines 1-21 of 400 total lines.\nTo read more: Use the read_file tool with offset=22 and limit=21.\n\nFile: a.ts\n${lines}`,
    ),
    "a mention that failed": inText("?", `[read_file for 'a.ts']\nError: gone\n\n${NEW}`),
    "a file that quotes a mention": inText(
      "?",
      `[read_file for 'z.md']\nFile: z.md\nIt says\n\n[read_file for 'a.ts']\nFile: a.ts\n${lines}`,
    ),
    "a file of a folder that quotes a mention": inText(
      "?",
      `[read_file for folder 'docs/']\nFolder listing:\n└── z.md\n\n\n--- File Contents ---\n\n[read_file for 'docs/z.md']\nFile: docs/z.md\nIt says\n\n[read_file for 'a.ts']\nFile: a.ts\n${lines}`,
    ),
    "a file that quotes a native result": native(
      "read_file",
      { files: [{ path: "z.md" }] },
      `${under("z.md", "It says\n")}\n\n---\n\n${under("a.ts", NEW)}`,
    ),
    "a file that quotes a list": inText(
      readCall("z.xml"),
      "[read_file for 'z.xml'] Result:",
      `<files>\n${listed("a.ts", NEW)}\n</files>`,
    ),
    "an edit that does not show the file": inText(
      "<apply_diff>\n<path>a.ts</path>\n<diff>\nx\n</diff>\n</apply_diff>",
      "[apply_diff for 'a.ts'] Result:",
      "<file_write_result>\n<path>a.ts</path>\n<operation>modified</operation>\n<notice>\n<i>You do not need to re-read the file, as you have seen all changes</i>\n</notice>\n</file_write_result>",
    ),
    "a patch that the user denied": native(
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: a.ts\n*** End Patch" },
      "[apply_patch for patch application] Result:\nThe user denied this patch operation.",
    ),
    "a read whose call was cut": inText(
      "<read_file>\n[… cut …]\n<line>10</line>\n</read_file>",
      "[read_file for 'a.ts'] Result:",
      NEW,
    ),
    "a write whose argument was cut": inText(
      `<write_to_file>\n<path>a.ts</path>\n<content>\n${NEW.slice(0, 250)}\n[… cut …]\n${NEW.slice(-250)}</content>\n</write_to_file>`,
      "[write_to_file for 'a.ts'] Result:",
      "The content was successfully saved to a.ts.",
    ),
    "a native write whose argument was cut": native(
      "write_to_file",
      { path: "a.ts", content: `${NEW}[... 812 characters omitted ...]\n${NEW}` },
      "[write_to_file for 'a.ts'] Result:\nThe content was successfully saved to a.ts.",
    ),
    "an answer to an edit whose file was cut": inText(
      edited("a.ts"),
      "[replace_in_file for 'a.ts'] Result:",
      `The content was successfully saved to a.ts.\n\n${shown("a.ts", `${NEW.repeat(3)}[… 27627 characters cut …]\n${NEW.repeat(3)}`)}`,
    ),
    "a read that was cut far from its ends": inText(
      readCall("a.ts"),
      "[read_file for 'a.ts'] Result:",
      `${NEW.repeat(3)}\n... [4210 characters truncated] ...\n${NEW.repeat(5)}`,
    ),
    "a command's output that was cut in its middle": native(
      "shell",
      { command: ["bash", "-lc", "cat a.ts"] },
      `Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 412\nOutput:\n${NEW.repeat(3)}\n…812 tokens truncated…\n${NEW.repeat(4)}`,
    ),
    "a command's output of which lines were left out": native(
      "shell",
      { command: ["bash", "-lc", "cat a.ts"] },
      `Total output lines: 412\n\n${NEW.repeat(3)}\n[... omitted 156 of 412 lines ...]\n\n${NEW.repeat(3)}`,
    ),
    "a command that failed, as a newer Codex says it": native(
      "exec_command",
      { cmd: "cat a.ts" },
      `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n${NEW}`,
    ),
    "a command that still runs": native(
      "exec_command",
      { cmd: "cat a.ts" },
      `Chunk ID: 1\nWall time: 0.1 seconds\nProcess running with session ID 7\nOutput:\n${NEW}`,
    ),
    "Cline's own line in the place of a file": inText(
      edited("a.ts"),
      "[replace_in_file for 'a.ts'] Result:",
      `${shown("a.ts", "[[NOTE] This file read has been removed to save space in the context window. Refer to the latest file read for the most up to date version of this file.]")}`,
    ),
  };
  for (const [name, after] of Object.entries(nearly)) {
    test(name, () => {
      const before = isNative(after)
        ? native("read_file", { path: "a.ts" }, OLD)
        : inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", OLD);
      assert.deepEqual(gone([...before, ...after]).indexes, []);
    });
  }
});

test("a file is whole whose code looks like a note that it was cut", () => {
  const code =
    'const kept = [...items].filter((one) => !omitted.has(one)); // Loading… until it is cut\nlabel("Cut…", ...[omitted, cut(all)]);\n';
  const file = OLD + code + NEW;
  const messages = [
    ...inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", OLD + code + OLD),
    ...inText(readCall("a.ts"), "[read_file for 'a.ts'] Result:", file),
  ];
  assert.deepEqual(gone(messages).indexes, [1]);
});
