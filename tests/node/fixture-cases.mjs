// The data that every language and every runtime runs, as it lies in tests/fixtures.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
const text = (file) => readFileSync(path.join(fixtures, file), "utf8");
const json = (file) => JSON.parse(text(file));
const files = (folder) => readdirSync(path.join(fixtures, folder)).sort();

/** The file of the traces. */
export const TRACES = path.join(fixtures, "traces.json");

/** The traces that every language comes to, by their names. */
export const traces = json("traces.json");

const MACHINES = ["loop-detector", "history-deduper", "summary-injector", "terminal-selector"];

/** The cases of all machines, each under the name of its file and its own, with its trace. */
export const cases = MACHINES.flatMap((machine) =>
  files(machine).flatMap((file) =>
    json(`${machine}/${file}`).map((fixture) => {
      const name = `${machine}/${path.parse(file).name}: ${fixture.name}`;
      return { ...fixture, name, trace: traces[name] };
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
