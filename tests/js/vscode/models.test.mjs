// The adapter for VS Code's language models, in a real VS Code with a model that is scripted.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { temporaryFolder } from "../packaging/app.mjs";
import { buildExtension } from "./extension-build.mjs";
import { endsWell, leaveTraces, observations, withLimit } from "./visit.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

describe("language models in VS Code", () => {
  const seen = { failure: undefined, inside: {}, traces: "" };
  before(async () => {
    let server, workbench;
    try {
      const extension = await buildExtension();
      server = await VsCodeServer.start(temporaryFolder());
      workbench = await Workbench.open(server, extension);
      await withLimit(() => endsWell(workbench.run("node", "tests/models.js")));
    } catch (error) {
      seen.failure = error;
    }
    if (server) seen.inside = observations(server.workspace);
    seen.traces = await leaveTraces("models", server, workbench);
    await workbench?.close();
    await server?.stop();
  });

  function inside(name) {
    const noted = seen.inside[`models-${name}`];
    if (noted && "value" in noted) return noted.value;
    throw new Error(`${noted?.error ?? `"${name}" was not reached`}\n${seen.traces}`);
  }

  test("VS Code starts, and the tests inside it end well", () => {
    assert.equal(seen.failure, undefined, `${seen.failure?.stack}\n${seen.traces}`);
  });

  test("a call that comes again without end is stopped, and the request cancelled", () => {
    assert.deepEqual(inside("same-call"), {
      parts: 9,
      type: "consecutive_identical_tool_calls",
      aborted: true,
      wasCancelled: true,
    });
  });

  test("a sentence that comes again without end is stopped, and the request cancelled", () => {
    const { type, aborted, wasCancelled } = inside("sentence");
    assert.deepEqual([type, aborted, wasCancelled], ["chanting_identical_sentences", true, true]);
  });

  test("each kind of part is known on the other side of VS Code", () => {
    assert.deepEqual(inside("parts"), [
      { type: "turn_started" },
      { type: "reasoning", text: "I should look." },
      { type: "text", text: "I look." },
      { type: "tool_call", id: "c1", name: "ls", args: { path: "." } },
    ]);
  });

  test("a host that aborts ends the stream without an error", () => {
    assert.deepEqual(inside("host-aborts"), { parts: 3, aborted: true, wasCancelled: true });
  });

  test("an error of the model reaches the host, and nothing is aborted", () => {
    const { error, aborted } = inside("error");
    assert.equal(aborted, false);
    assert.match(error, /the model is gone/);
  });

  test("a repaired history is made of VS Code's own objects, and is sent", () => {
    const { same, classes, received } = inside("history");
    assert.deepEqual(same, [false, true, false]);
    assert.ok(classes);
    const text = JSON.stringify(received);
    assert.ok(!text.includes("09:00"));
    for (const kept of ["Go on.", "10:05", "a.ts", "10:06", "c1"]) assert.ok(text.includes(kept));
  });
});
