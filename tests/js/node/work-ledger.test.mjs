import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { WorkLedger } = turnkeeper;

function worked() {
  const ledger = new WorkLedger();
  ledger.prompt("Mend the build.");
  ledger.observe({ type: "tool_call", id: "1", name: "bash", args: { command: "make test" } });
  ledger.observe({ type: "text", text: "I run it." });
  const output = [{ type: "text", text: "one\ntwo" }];
  ledger.observe({ type: "tool_result", id: "1", output, exitCode: 2 });
  return ledger;
}

test("a ledger tells what was done, and goes on from a snapshot", () => {
  const ledger = worked();
  const told = "- make test (once): failed with exit code 2; its last line: two";
  assert.ok(ledger.text().endsWith(told), ledger.text());
  assert.equal(WorkLedger.restore(ledger.snapshot()).text(), ledger.text());
  assert.equal(new WorkLedger().text(), "");
  ledger.dispose();
  assert.throws(() => ledger.text(), { code: "disposed" });
});

test("its text is as short as it is asked for", () => {
  const ledger = worked();
  for (const maxCharacters of [0, 60, 200]) {
    assert.ok(ledger.text({ maxCharacters }).length <= maxCharacters);
  }
  for (const maxCharacters of [-1, 0.5, 1e9, "7"]) {
    const about = { code: "invalid_argument", detail: { field: "options.maxCharacters" } };
    assert.throws(() => ledger.text({ maxCharacters }), about);
  }
});

test("half of a surrogate pair is taken, wherever it stands", () => {
  const cut = "all tests passed \u{1f389}".slice(0, -1);
  for (const [args, told] of [
    [{ path: `${cut}.md`, content: cut }, "all tests passed \ufffd.md: once"],
    [JSON.stringify({ path: "a.md", content: cut }), "- a.md: once"],
    [`{"path":"a.md","content":"${cut}"}`, "- a.md: once"],
  ]) {
    const ledger = new WorkLedger();
    ledger.observe({ type: "tool_call", id: cut, name: "write_file", args });
    ledger.observe({ type: "tool_result", id: cut, output: [{ type: "text", text: cut }] });
    assert.ok(ledger.text().includes(told), ledger.text());
  }
  const ledger = new WorkLedger();
  ledger.observe({ type: "tool_call", name: cut });
  ledger.observe({ type: "tool_result", output: cut, isError: true });
  assert.ok(ledger.text().includes("- all tests passed \ufffd {}: all tests passed \ufffd"));
});

test("arguments may be nested as deep as they like", () => {
  let deep = 1;
  for (let depth = 0; depth < 1_000; depth++) deep = [deep];
  const ledger = new WorkLedger();
  ledger.observe({ type: "tool_call", name: "draw", args: { deep } });
  ledger.observe({ type: "tool_result", output: "no", isError: true });
  assert.match(ledger.text(), /- draw \{"deep":\[+…/);
});

test("what is no event is named, and changes nothing", () => {
  const ledger = worked();
  const before = ledger.text();
  const circle = {};
  circle.circle = circle;
  for (const [event, field] of [
    [undefined, "event"],
    [{ type: "tool_call" }, "event.name"],
    [{ type: "tool_call", name: "x", id: 7 }, "event.id"],
    [{ type: "tool_call", name: "x", args: circle }, "event.args"],
    [{ type: "tool_result", output: 7 }, "event.output"],
  ]) {
    assert.throws(() => ledger.observe(event), { code: "invalid_argument", detail: { field } });
  }
  assert.throws(() => ledger.prompt(7), { code: "invalid_argument" });
  assert.throws(() => WorkLedger.restore(new Uint8Array(9)), { code: "snapshot_corrupt" });
  const other = new turnkeeper.SummaryInjector().snapshot();
  assert.throws(() => WorkLedger.restore(other), { code: "wrong_machine" });
  assert.equal(ledger.text(), before);
});
