// A process that calls one function ten times, and says how much of the processor's time the first call took, and the
// median of the others:
//   node own-process.mjs FUNCTION [FILE-OF-A-SESSION] [ADDRESS-OF-ITS-ENTRY]

import { readFileSync } from "node:fs";

import { contender as historyBaseline } from "./contenders/history-baseline.mjs";
import { history } from "./histories.mjs";
import { median, now } from "./stopwatch.mjs";

const CALLS = 10;
const MESSAGES = 2_000;

const [name, file, address] = process.argv.slice(2);

const functions = {
  async readSession() {
    const { readSession } = await import(address);
    const text = readFileSync(file, "utf8");
    return () => readSession(text);
  },
  "JSON.parse"() {
    const text = readFileSync(file, "utf8");
    return () => text.split("\n").map((line) => line && JSON.parse(line));
  },
  async dedupeHistory() {
    const { dedupeHistory } = await import(address);
    const messages = history(MESSAGES);
    return () => dedupeHistory(messages, { economy: "resume" });
  },
  "filter, includes"() {
    const { take } = historyBaseline("shortened");
    const messages = history(MESSAGES);
    return () => take(messages);
  },
};

const call = await functions[name]();
const times = [];
for (let at = 0; at < CALLS; at++) {
  const begin = now();
  await call();
  times.push(now() - begin);
}
console.log(JSON.stringify({ first: times[0], later: median(times.slice(1)) }));
