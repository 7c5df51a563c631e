import { Player, type PlayerOptions } from "../../analysis/player.js";
import { InputError } from "../../saved/event-lines.js";
import { complain, describe } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";

import { JsonView } from "./json.js";
import { TableView } from "./table.js";
import { summaryOnly, type ReplayView } from "./view.js";

/** Plays sessions event by event: the exit code. */
export async function replay(
  files: readonly string[],
  options: PlayerOptions,
  { json, quiet }: { json: boolean; quiet: boolean },
): Promise<number> {
  const output = new Output();
  const full = json ? new JsonView(output) : new TableView(output);
  const view = quiet ? summaryOnly(full) : full;
  let worst: number = EXIT.ok;
  for (const file of files) {
    worst = Math.max(worst, await replayFile(file, options, view, output));
    process.exitCode = worst;
  }
  view.close(worst);
  await output.ready();
  return worst;
}

async function replayFile(
  file: string,
  options: PlayerOptions,
  view: ReplayView,
  output: Output,
): Promise<number> {
  const player = new Player(file, options);
  let problem: string | undefined;
  let hasBegun = false;
  try {
    for await (const line of sessionLines({ file })) {
      const step = player.play(line);
      if (!hasBegun) view.begin(file);
      hasBegun = true;
      view.step(file, step);
      await output.ready();
    }
    if (player.tally.events === 0) throw new InputError(file, "has no events");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = describe(error);
  } finally {
    player.end();
  }
  view.end(file, player.tally, problem);
  if (problem !== undefined) return complain(problem);
  return player.tally.stops.length > 0 ? EXIT.loop : EXIT.ok;
}
