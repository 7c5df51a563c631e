// The fixtures that every runtime runs, as data that can be bundled.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
const text = (file) => readFileSync(path.join(fixtures, file), "utf8");
const json = (file) => JSON.parse(text(file));
const files = (folder) => readdirSync(path.join(fixtures, folder)).sort();

const MACHINES = ["loop-detector", "history-deduper", "summary-injector", "terminal-selector"];

/** What `runTraces` takes. */
export const traceData = {
  cases: MACHINES.flatMap((machine) =>
    files(machine).flatMap((file) => json(`${machine}/${file}`)),
  ),
  sessions: files("sessions").map((file) =>
    text(`sessions/${file}`).trimEnd().split("\n").map(JSON.parse),
  ),
  tables: json("ghost-block/directives.json"),
  session: json("ghost-block/ten-turns.json"),
};
