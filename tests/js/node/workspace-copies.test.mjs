// Copies of files in a workspace of several folders, as Cline names them: `@web:src/a.ts` in calls, headings
// and answers, and the folder beside the path in a mention.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { HistoryDeduper, dedupeHistory, restoreHistory } = turnkeeper;

const OLD = "export const answer = 42;\n".repeat(20);
const NEW = `${OLD}export const question = "?";\n`;
const text = (words) => ({ type: "text", text: words });
const user = (...words) => ({ role: "user", content: words.map(text) });
const assistant = (words) => ({ role: "assistant", content: [text(words)] });

const environment = (...roots) =>
  `<environment_details>\n# Workspace Roots\n${roots.map((root) => `- ${root}`).join("\n")}\n\nPrimary workspace: web\n\n# Current Working Directory (Primary: web) Files\na.ts\n</environment_details>`;
const POSIX = environment("web: /work/web (Git)", "server: /work/server (Git)");
const WINDOWS = environment("web: C:\\work\\web (Git)", "server: D:\\srv (x86)");
const NO_ROOTS = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>";

const read = (path, file) => [
  assistant(`<read_file>\n<path>${path}</path>\n</read_file>`),
  user(`[read_file for '${path}'] Result:`, file),
];
const edit = (path, file) => [
  assistant(`<replace_in_file>\n<path>${path}</path>\n<diff>\nx\n</diff>\n</replace_in_file>`),
  user(
    `[replace_in_file for '${path}'] Result:\nThe content was successfully saved to ${path}.\n\n<final_file_content path="${path}">\n${file}\n</final_file_content>`,
  ),
];
const mention = (path, folder, file) => [
  assistant("?"),
  user(
    `<user_message>\n'${folder}:${path}' (see below for file content)\n</user_message>\n\n<file_content path="${path}" workspace="${folder}">\n${file}\n</file_content>`,
  ),
];

/** The copies that are taken out of a history that begins with the environment. */
function gone(details, ...messages) {
  const history = [user("<task>\nGo.\n</task>", details), ...messages.flat()];
  const { messages: shortened, report } = dedupeHistory(history, { files: "newest" });
  assert.deepEqual(restoreHistory(shortened, report), history);
  assert.deepEqual(dedupeHistory(shortened, { files: "newest" }).messages, shortened);
  const deduper = new HistoryDeduper({ files: "newest", cache: { idleMs: 0 } });
  for (const message of history) deduper.push(message);
  assert.equal(deduper.report.waiting.files, report.files.length, "message by message");
  deduper.dispose();
  return report.files.map(({ path, index, newest }) => [path, index, newest]);
}

describe("a file of one folder", () => {
  for (const [name, details] of Object.entries({ known: POSIX, unknown: NO_ROOTS })) {
    test(`is one file in reads, edits and mentions, if the folder is ${name}`, () => {
      assert.deepEqual(
        gone(
          details,
          read("@server:src/a.ts", OLD),
          mention("src/a.ts", "server", OLD),
          edit("@server:./src/a.ts", OLD),
          read("@server:src/x/../a.ts", NEW),
        ),
        [
          ["@server:src/a.ts", 2, 8],
          ["@server:src/a.ts", 4, 8],
          ["@server:./src/a.ts", 6, 8],
        ],
      );
    });
  }

  test("is the file at its absolute path", () => {
    assert.deepEqual(gone(POSIX, read("@server:a.ts", OLD), read("/work/server/a.ts", NEW)), [
      ["@server:a.ts", 2, 4],
    ]);
    assert.deepEqual(gone(WINDOWS, read("@server:a.ts", OLD), read("d:/SRV (x86)/A.ts", NEW)), [
      ["@server:a.ts", 2, 4],
    ]);
  });

  test("is found without the folder's name in the primary one", () => {
    assert.deepEqual(gone(POSIX, read("a.ts", OLD), read("@web:a.ts", NEW)), [["a.ts", 2, 4]]);
    assert.deepEqual(gone(POSIX, read("/work/web/a.ts", OLD), edit("a.ts", NEW)), [
      ["/work/web/a.ts", 2, 4],
    ]);
  });
});

describe("what is no copy of that file", () => {
  const cases = {
    "a file of the same path in another folder": [
      read("@server:a.ts", OLD),
      read("@web:a.ts", NEW),
    ],
    "a file of the same path in the primary folder": [read("@server:a.ts", OLD), edit("a.ts", NEW)],
    "a mention of the same path in another folder": [
      read("a.ts", OLD),
      mention("a.ts", "server", NEW),
    ],
    "a file in a folder whose name begins alike": [
      read("@server:a.ts", OLD),
      read("@server2:a.ts", NEW),
    ],
    "a path without the sign before the folder": [
      read("@server:a.ts", OLD),
      read("server:a.ts", NEW),
    ],
    "a file of a package whose name begins with the sign": [
      read("@server/a.ts", OLD),
      read("@server:a.ts", NEW),
    ],
  };
  for (const [name, messages] of Object.entries(cases)) {
    for (const [roots, details] of Object.entries({ known: POSIX, unknown: NO_ROOTS })) {
      test(`${name}, if the folders are ${roots}`, () => {
        assert.deepEqual(gone(details, ...messages), []);
      });
    }
  }

  test("two folders of one name are told by their paths alone", () => {
    const details = environment("web: /work/web", "app: /one/app", "app: /two/app");
    assert.deepEqual(gone(details, read("/two/app/a.ts", OLD), read("@app:a.ts", NEW)), []);
    assert.deepEqual(gone(details, read("@app:a.ts", OLD), read("@app:a.ts", NEW)), [
      ["@app:a.ts", 2, 4],
    ]);
  });
});
