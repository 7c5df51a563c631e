// Random calls on the packed package: node fuzz.mjs [SUBJECT…] [--seconds N] [--seed N] [--rounds N]
// [--kinds all|quiet]
//
// Each subject runs in a worker, which is ended if a round does not end by itself. A failure is printed with
// the seed that replays it and the calls that lead to it.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

import { SUBJECTS } from "./subjects/index.mjs";

/** A round that takes longer than this many milliseconds hangs; it usually takes two. */
const LONGEST_ROUND = 20_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    rounds: { type: "string" },
    kinds: { type: "string", default: "all" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const seconds = Number(values.seconds);
const names = positionals.length > 0 ? positionals : SUBJECTS.map(({ name }) => name);
for (const name of names) {
  if (!SUBJECTS.some((subject) => subject.name === name)) throw new Error(`there is no ${name}`);
}

console.log(`seed ${seed}, Node ${process.versions.node}, ${availableParallelism()} cores`);
let count = 0;
for (const name of names) {
  const { calls = 0, grown, failures } = await run(name);
  console.log(`${name}: ${calls} calls${grown === undefined ? "" : `, memory ${grown} KB more`}`);
  for (const { what, seed, trace } of failures) {
    count++;
    console.log(`  FAILED: ${what.slice(0, 1_500)}`);
    const again = `${name} --seed ${seed} --rounds 1 --kinds ${values.kinds}`;
    console.log(`  again: node tests/fuzz/js/fuzz.mjs ${again}`);
    for (const line of trace.slice(-40)) console.log(`    ${line.slice(0, 600)}`);
  }
}
process.exitCode = count > 0 ? 1 : 0;

function run(name) {
  // The seed of the round under way, and how many began.
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL("worker.mjs", import.meta.url), {
    workerData: { name, seed, rounds, seconds, kinds: values.kinds, progress },
  });
  return new Promise((resolve) => {
    let seen = -1;
    const watch = setInterval(() => {
      const [round, began] = progress;
      if (seen === began) {
        const what = `a round does not end`;
        end({ failures: [{ what, seed: round >>> 0, trace: [] }] });
        void worker.terminate();
      }
      seen = began;
    }, LONGEST_ROUND);
    const end = (outcome) => {
      clearInterval(watch);
      resolve(outcome);
    };
    worker.once("message", end);
    worker.once("error", (error) => {
      const what = `the worker ended: ${error?.stack ?? error}`;
      end({ failures: [{ what, seed: progress[0] >>> 0, trace: [] }] });
    });
  });
}
