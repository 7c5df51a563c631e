// A short soak; `cargo xtask soak` has the long one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";
import { growth } from "./soak.mjs";

const MB = 1024 * 1024;

test("a hundred thousand events of each profile and a thousand turns keep nothing", () => {
  const script = fileURLToPath(new URL("soak.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", script, "--short"],
    {
      encoding: "utf8",
      env: { ...process.env, TURNKEEPER_APP: app },
      timeout: 300_000,
    },
  );
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^AgentSession, turns +1000 /m);
});

test("growth and a timer that stays are seen", () => {
  const flat = { name: "x", first: 10 * MB, last: 10.5 * MB, handles: 0 };
  assert.equal(growth(flat), undefined);
  assert.match(growth({ ...flat, last: 12 * MB }), /grown/);
  assert.match(growth({ ...flat, handles: 1 }), /handles/);
});
