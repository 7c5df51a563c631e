// Every call of the history deduper with values of the wrong type: a typed error that names the
// field, and objects that go on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertTyped, cyclic } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { HistoryDeduper, dedupeHistory, stripEnvironment, withEnvironment } = turnkeeper;

const refuses = (call, code, field) => assertTyped(call, code, field, "history_deduper");
const env = (inside) => `<environment_details>\n${inside}\n</environment_details>`;
const text = (value) => ({ type: "text", text: value });
const twice = () => ({ role: "user", content: [text(env(1)), text("x"), text(env(2))] });

describe("options", () => {
  const wrong = [
    [null, "options"],
    [7, "options"],
    ["tags", "options"],
    [[], "options"],
    [{ tag: "a" }, "tag"],
    [{ tags: "a" }, "tags"],
    [{ tags: [] }, "tags"],
    [{ tags: [7] }, "tags[0]"],
    [{ tags: ["a", "<b>"] }, "tags[1]"],
    [{ tags: ["a", "a"] }, "tags[1]"],
    [{ tags: [""] }, "tags[0]"],
    [{ embedded: "yes" }, "embedded"],
    [{ keep: "none" }, "keep"],
    [{ recent: 0 }, "recent"],
    [{ recent: Number.NaN }, "recent"],
    [{ sections: true }, "sections"],
    [{ repeatedFileReads: 1 }, "repeatedFileReads"],
    [{ readTools: "read_file" }, "readTools"],
    [{ readTools: ["read_file"] }, "readTools"],
    [{ readTools: { read_file: "a[0]" } }, "readTools.read_file"],
    [{ cache: 1 }, "cache"],
    [{ cache: { lifetimeMs: 1 } }, "cache.idleMs"],
    [{ cache: { idleMs: Number.NaN } }, "cache.idleMs"],
    [{ cache: { idleMs: 1, lifetimeMs: -1 } }, "cache.lifetimeMs"],
  ];
  for (const [options, field] of wrong) {
    test(`dedupeHistory and HistoryDeduper refuse ${JSON.stringify(options)}`, () => {
      refuses(() => dedupeHistory([], options), "invalid_config", field);
      refuses(() => new HistoryDeduper(options), "invalid_config", field);
    });
  }

  for (const [options, field] of wrong.slice(0, 11)) {
    test(`the functions of a turn refuse ${JSON.stringify(options)}`, () => {
      refuses(() => withEnvironment("x", "y", options), "invalid_config", field);
      refuses(() => stripEnvironment("x", options), "invalid_config", field);
    });
  }

  test("withEnvironment refuses another way to treat what exists", () => {
    for (const onExisting of ["drop", 7, {}]) {
      refuses(() => withEnvironment("x", "y", { onExisting }), "invalid_config", "onExisting");
    }
    refuses(() => stripEnvironment("x", { onExisting: "keep" }), "invalid_config", "onExisting");
    for (const separator of ["--", 7, null]) {
      refuses(() => withEnvironment("x", "y", { separator }), "invalid_config", "separator");
    }
    refuses(() => withEnvironment("x", "y", { onChange: 7 }), "invalid_config", "onChange");
  });
});

describe("values", () => {
  test("dedupeHistory takes an array of objects", () => {
    for (const messages of [undefined, null, "x", 7, {}, new Set()]) {
      refuses(() => dedupeHistory(messages), "invalid_argument", "messages");
    }
    for (const message of [undefined, null, "x", 7]) {
      const call = () => dedupeHistory([twice(), message]);
      refuses(call, "invalid_argument", "messages[1]");
    }
  });

  test("withEnvironment and stripEnvironment take a string or an array, and a string", () => {
    for (const content of [undefined, null, 7, {}, text("x")]) {
      refuses(() => withEnvironment(content, "x"), "invalid_argument", "content");
      refuses(() => stripEnvironment(content), "invalid_argument", "content");
    }
    for (const details of [undefined, null, 7, text("x")]) {
      refuses(() => withEnvironment([], details), "invalid_argument", "details");
    }
  });

  test("contents of any kind pass through", () => {
    const contents = [undefined, null, 7, {}, cyclic, [cyclic, null, 7, [], undefined, , "x"]];
    for (const content of contents) {
      for (const embedded of [false, true]) {
        const options = { embedded, sections: "changed", files: "newest" };
        const message = { role: "user", content };
        assert.equal(dedupeHistory([message], options).messages[0], message);
      }
    }
  });

  test("HistoryDeduper.push takes an object", () => {
    const deduper = new HistoryDeduper();
    for (const message of [undefined, null, "x", 7]) {
      refuses(() => deduper.push(message), "invalid_argument", "message");
    }
    deduper.dispose();
  });
});

describe("after dispose", () => {
  test("every call of a deduper says so", () => {
    const deduper = new HistoryDeduper();
    deduper.dispose();
    deduper.dispose();
    refuses(() => deduper.push({}), "disposed");
    refuses(() => deduper.report, "disposed");
  });

  test("`using` disposes of it", () => {
    const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
    const deduper = new HistoryDeduper();
    deduper[dispose]();
    refuses(() => deduper.push({}), "disposed");
  });
});
