// Millions of events, and what is in use after each tenth of them:
//
//     node --expose-gc soak.mjs [--short] [--turns]
//
// With `--short` each is a hundredth as long; with `--turns` it is only the turns. Prints a table, and ends with 1 if something grows.

import { parseArgs } from "node:util";

import { load, turnkeeper } from "../node/installed-package.mjs";
import { KEPT_OF_A_TURN, MB, MOST_GROWTH, SoakedSession, eventAt } from "./soaked.mjs";
import { PEERS, PROFILES } from "../profiles.mjs";

const { LoopDetector } = turnkeeper;
const peers = load("turnkeeper/peers");

/** Bytes in use, Wasm memory included, and everything that keeps a process alive. */
async function inUse() {
  // Finalisers run between two collections.
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    bytes: heapUsed + external + arrayBuffers,
    handles:
      process.getActiveResourcesInfo?.().filter((name) => !/Pipe|TTY|FSReq/.test(name)).length ?? 0,
  };
}

/** Does `count` pieces of work, and looks after each tenth of them. */
async function watched(name, count, work) {
  const looks = [];
  for (let tenth = 0; tenth < 10; tenth++) {
    await work((tenth * count) / 10, ((tenth + 1) * count) / 10);
    looks.push(await inUse());
  }
  const [first, last] = [looks[0], looks.at(-1)];
  return {
    name,
    count,
    first: first.bytes,
    last: last.bytes,
    most: Math.max(...looks.map(({ bytes }) => bytes)),
    handles: Math.max(...looks.map(({ handles }) => handles)),
  };
}

/** Events through one detector, of whatever profile. */
export function soakProfile(profile, count) {
  const Detector = PEERS.includes(profile) ? peers.LoopDetector : LoopDetector;
  const detector = new Detector({ profile });
  const work = (from, to) => {
    for (let n = from; n < to; n++) {
      if (n % 5_000 === 0) detector.startPrompt(`p${n}`, { model: "m" });
      detector.observe(eventAt(n));
    }
  };
  return watched(profile, count, work).finally(() => detector.dispose());
}

/** Turns of one session, each saved, and restored now and then. */
export function soakSession(count) {
  const session = new SoakedSession(turnkeeper);
  const work = async (from, to) => {
    for (let n = from; n < to; n++) await session.turn(n);
  };
  return watched("AgentSession, turns", count, work)
    .then((row) => ({ ...row, longest: session.longest, kept: 0.9 * count * KEPT_OF_A_TURN }))
    .finally(() => session.dispose());
}

/** Why a row is not flat, if it is not. */
export function growth({ name, first, last, handles, kept = 0 }) {
  if (last - first > MOST_GROWTH + kept) return `${name} has grown by ${last - first} bytes`;
  return handles > 0 ? `${name} keeps ${handles} handles or timers` : undefined;
}

async function main() {
  const flag = { type: "boolean" };
  const { values } = parseArgs({ options: { short: flag, turns: flag } });
  const share = values.short ? 100 : 1;
  const problems = [];
  const show = (row) => {
    const mb = (bytes) => (bytes / MB).toFixed(2).padStart(8);
    const { name, count, first, last, most, handles } = row;
    console.log(
      `${name.padEnd(20)} ${String(count).padStart(9)} ${mb(first)} ${mb(last)} ${mb(most)} ${handles}`,
    );
    const problem = growth(row);
    if (problem) problems.push(problem);
  };
  console.log("                       events  first MB  last MB  most MB  handles and timers");
  for (const profile of values.turns ? [] : [...PROFILES, ...PEERS])
    show(await soakProfile(profile, 10_000_000 / share));
  const session = await soakSession(100_000 / share);
  show(session);
  console.log(`longest snapshot of a session: ${session.longest} bytes`);
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1]?.endsWith("soak.mjs")) await main();
