// One subject's rounds, for `fuzz.mjs`.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

import { turnkeeper } from "../../js/node/installed-package.mjs";
import { campaign } from "./campaign.mjs";
import { mixed } from "./dice.mjs";
import { SUBJECTS } from "./subjects/index.mjs";

const { name, seed, rounds, seconds, kinds, progress } = workerData;
const subject = SUBJECTS.find((each) => each.name === name);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const used = async () => {
  // Finalisers run after a collection, and free what it leaves in Wasm memory.
  collect();
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024;
};

const announce = (roundSeed) => {
  progress[0] = roundSeed;
  progress[1]++;
};

const start = Date.now();
const isAfter = (seconds) => (round) =>
  rounds === undefined ? Date.now() - start > seconds * 1000 : round >= rounds;

if (rounds !== undefined) {
  parentPort.postMessage(
    await campaign(subject, turnkeeper, seed, { isOver: isAfter(seconds), kinds, announce }),
  );
} else {
  // After a fifth of the time the heap has what it needs.
  const warm = await campaign(subject, turnkeeper, seed, {
    isOver: isAfter(seconds / 5),
    kinds,
    announce,
  });
  const before = await used();
  const rest = await campaign(subject, turnkeeper, mixed(seed, 1), {
    isOver: isAfter(seconds),
    kinds,
    announce,
  });
  parentPort.postMessage({
    calls: warm.calls + rest.calls,
    failures: [...warm.failures, ...rest.failures],
    grown: Math.round((await used()) - before),
  });
}
