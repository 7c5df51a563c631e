// A conversation of twelve turns through an AgentSession in the real extension host, which is killed
// in the middle of a stream and again before a command.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";

import { visitConversation } from "./conversation-visit.mjs";

const fixture = new URL("../../data/agent-session/twelve-turns.txt", import.meta.url);

describe("a conversation in VS Code whose extension host is killed twice", () => {
  let seen, conversation;
  before(async () => {
    seen = await visitConversation();
    conversation = seen.inside.conversation?.value;
  });

  test("comes to its end", () => {
    const why = seen.failure?.stack ?? seen.inside.conversation?.error;
    assert.ok(conversation, `${why}\n${seen.traces}`);
  });

  test("sends the prompts of one that nobody interrupts", () => {
    assert.equal(conversation.transcript, readFileSync(fixture, "utf8"));
  });

  test("uses one terminal", () => {
    assert.equal(conversation.terminals, 1);
  });

  test("has a log of what the last process decided", () => {
    const decided = conversation.log.map(({ turn, machine, what }) => [turn, machine, what]);
    assert.deepEqual(decided.slice(0, 2), [
      [8, "terminal_selector", "reuse_with_cd"],
      [8, "terminal_selector", "reuse_with_cd"],
    ]);
  });
});
