// What went into loops after the model should have been told of them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { HEALTHY, file, folder, run } from "../node/replay-command.mjs";

const audit = (args) => run(["audit", ...args]);
const json = async (args) => JSON.parse((await audit(["--json", ...args])).stdout);

/** Requests that make one call each, and get one answer. */
function requests(name, count, answer = "Twelve beds, of which four are empty.") {
  const lines = [{ type: "user_message" }];
  for (let at = 0; at < count; at++) {
    lines.push({ type: "turn_started" });
    lines.push({ type: "tool_call", name: "read_file", args: { path: "garden.md" } });
    lines.push({ type: "tool_result", output: answer });
  }
  return file(name, lines);
}

describe("calls in loops after their first nudge", () => {
  test("are those from the nudge to the last verdict, with their requests and tokens", async () => {
    // A nudge at the third and a stop at the fifth; the sixth has no verdict any more.
    const { sessions, total } = await json([requests("stuck.jsonl", 6)]);
    const { afterNudge, loops, tokens, calls } = sessions[0];
    assert.deepEqual([calls, loops.length, loops[0].action], [6, 1, "stop"]);
    assert.deepEqual([afterNudge.calls, afterNudge.requests], [2, 2]);
    const ofCall = tokens.calls / 6;
    const ofResult = tokens.results / 6;
    const isNear = (got, expected, what) =>
      assert.ok(Math.abs(got - expected) <= 2, `${what}: ${got}, not about ${expected}`);
    isNear(afterNudge.tokensWritten, 2 * ofCall, "written");
    isNear(afterNudge.tokensSent, 2 * (ofCall + ofResult), "sent");
    // The fourth request sends again what the third had sent, two calls and their answers, and the fifth three.
    isNear(afterNudge.tokensSentAgain, 5 * (ofCall + ofResult), "sent again");
    assert.deepEqual(total.afterNudge, afterNudge);
  });

  test("are none where a nudge was heeded, and none without a loop", async () => {
    for (const name of [requests("heeded.jsonl", 3), HEALTHY]) {
      const { total } = await json([name]);
      assert.deepEqual(Object.values(total.afterNudge), [0, 0, 0, 0, 0, 0], name);
    }
  });

  test("are told in dollars, in the table and of sums", async () => {
    const inputs = [requests("one.jsonl", 6), requests("two.jsonl", 6)];
    const prices = path.join(folder, "prices.json");
    const asked = { input: 300, output: 1_500, cacheRead: 30, cacheWrite: 375 };
    writeFileSync(prices, JSON.stringify({ "*": asked }));
    const { sessions, total } = await json(["--prices", prices, ...inputs]);
    const cost = ({ tokensSent, tokensSentAgain, tokensWritten }) =>
      (tokensSent * 375 + tokensSentAgain * 30 + tokensWritten * 1_500) / 1e6;
    for (const { afterNudge } of [...sessions, total]) {
      assert.ok(afterNudge.dollars > 0);
      assert.ok(Math.abs(afterNudge.dollars - cost(afterNudge)) < 1e-5);
    }
    assert.equal(total.afterNudge.calls, 4);
    const { stdout } = await audit(["--prices", prices, ...inputs]);
    assert.match(stdout, /late +4 calls in loops after their first nudge, \d+ tokens sent/);
    assert.match(stdout.replace(/\s+/g, " "), /written, \$0\.\d\d/);
  });

  test("go with a line to another machine, which checks them", async () => {
    const lines = path.join(folder, "late-lines.jsonl");
    const { stdout } = await audit(["--jsonl", requests("sent.jsonl", 6)]);
    writeFileSync(lines, stdout);
    const { total } = await json(["--merge", lines]);
    assert.equal(total.afterNudge.calls, 2);
    writeFileSync(lines, stdout.replace(/"requests":2/, '"requests":"two"'));
    const { problems } = await json(["--merge", lines]);
    assert.match(problems[0].reason, /afterNudge\.requests is not a count/);
    writeFileSync(lines, stdout.replace(/"dollars":/, '"dollars":-'));
    const { problems: negative } = await json(["--merge", lines]);
    assert.match(negative[0].reason, /afterNudge\.dollars is no price/);
  });
});
