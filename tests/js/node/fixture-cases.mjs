// The data that every language and every runtime runs, as it lies in tests/data.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../../data", import.meta.url));
const text = (file) => readFileSync(path.join(fixtures, file), "utf8");
const json = (file) => JSON.parse(text(file));
const files = (folder) => readdirSync(path.join(fixtures, folder)).sort();

/** The file of the traces. */
export const TRACES = path.join(fixtures, "traces.json");

/** The traces that every language comes to, by their names. */
const traces = json("traces.json");

/**
 * What is wrong with traces, in one line: after a change of what a machine saves they are many, and none of
 * them says anything that the next does not. Nothing, if they are those that were recorded.
 */
export function otherThanRecorded(found) {
  const names = Object.keys({ ...traces, ...found });
  const others = names.filter((name) => found[name] !== traces[name]);
  if (others.length === 0) return undefined;
  return (
    `${others.length} of ${names.length} traces are not those that were recorded, the first is ` +
    `"${others[0]}"; after a change that is meant to alter them, \`cargo xtask traces\``
  );
}

const MACHINES = ["loop-detector", "history-deduper", "summary-injector", "terminal-selector"];

/** The cases of all machines, each under the name of its file and its own. */
export const cases = MACHINES.flatMap((machine) =>
  files(machine).flatMap((file) =>
    json(`${machine}/${file}`).map((fixture) => {
      return { ...fixture, name: `${machine}/${path.parse(file).name}: ${fixture.name}` };
    }),
  ),
);

/** The cases of other agents' detectors, for `turnkeeper/peers`. */
export const peerCases = files("peers").flatMap((file) =>
  json(`peers/${file}`).map((fixture) => {
    return { ...fixture, name: `peers/${path.parse(file).name}: ${fixture.name}` };
  }),
);

/** The recorded sessions, each an array of events. */
export const sessions = files("sessions").map((file) => ({
  name: path.parse(file).name,
  lines: text(`sessions/${file}`).trimEnd().split("\n").map(JSON.parse),
}));

/** The directives of prompts, case by case. */
export const directives = json("ghost-block/directives.json");

/** A conversation of ten turns. */
export const tenTurns = json("ghost-block/ten-turns.json");
