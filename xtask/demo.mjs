// Plays sessions through the package, as an app that has it installed: node demo.mjs FILE…
// The last line is the names of the files in which a loop was found.

import { readFileSync } from "node:fs";

import { LoopDetector } from "turnkeeper";
import { readSession } from "turnkeeper/sessions";

const found = [];
for (const file of process.argv.slice(2)) {
  const { events } = await readSession(readFileSync(file), { name: file });
  const detector = new LoopDetector();
  detector.startPrompt("prompt-1");
  let prompts = 1;
  const stop = events
    .map((event, at) => {
      if (event.type === "user_message" && at > 0) detector.startPrompt(`prompt-${++prompts}`);
      return detector.observe(event);
    })
    .find(({ action }) => action === "stop");
  console.log(stop?.report.message ?? `No loop in ${events.length} events.`);
  if (stop) found.push(file);
}
console.log(JSON.stringify(found));
