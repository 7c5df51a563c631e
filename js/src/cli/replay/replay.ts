import { Player, type PlayerOptions } from "../../analysis/player.js";
import { InputError } from "../../saved/event-lines.js";
import { Complaints, complain, describe } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { findInputs, type Input } from "../files/inputs.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";

import { JsonView } from "./json.js";
import { TableView } from "./table.js";
import { summaryOnly, type ReplayView } from "./view.js";

/** Plays sessions event by event: the exit code. */
export async function replay(
  names: readonly string[],
  options: PlayerOptions,
  { json, quiet, failOnLoop }: { json: boolean; quiet: boolean; failOnLoop: boolean },
): Promise<number> {
  const output = new Output();
  const full = json ? new JsonView(output) : new TableView(output);
  const view = quiet ? summaryOnly(full) : full;
  const complaints = new Complaints();
  const inputs = findInputs(names, (file) => SESSION.test(file), complaints.add);
  let worst: number = EXIT.ok;
  const worsen = (code: number): void => {
    worst = Math.max(worst, code);
    process.exitCode = worst;
  };
  let played = 0;
  for (const input of inputs) {
    const outcome = await replayFile(input, options, view, output);
    if (outcome === "no session") continue;
    played += 1;
    if (outcome === "bad") worsen(EXIT.badInput);
    if (outcome === "stopped" && failOnLoop) worsen(EXIT.loop);
  }
  if (complaints.count > 0) worsen(EXIT.badInput);
  if (played === 0 && complaints.count === 0) {
    for (const name of names) worsen(complain(`${name} has no sessions`));
  }
  view.close(worst);
  await output.ready();
  return worst;
}

/** What of a folder is played. */
const SESSION = /\.(jsonl?|ndjson|traj|md)$/;

type Outcome = "played" | "stopped" | "bad" | "no session";

async function replayFile(
  input: Input,
  options: PlayerOptions,
  view: ReplayView,
  output: Output,
): Promise<Outcome> {
  const { file, folder } = input;
  const player = new Player(file, options);
  let problem: string | undefined;
  let hasBegun = false;
  try {
    for await (const line of sessionLines(input)) {
      const step = player.play(line);
      if (!hasBegun) view.begin(file);
      hasBegun = true;
      view.step(file, step);
      await output.ready();
    }
    if (player.tally.events === 0) throw new InputError(file, "has no events");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (folder !== undefined && error.isUnknown && !hasBegun) return "no session";
    problem = describe(error);
  } finally {
    player.end();
  }
  view.end(file, player.tally, problem);
  if (problem !== undefined) {
    complain(problem);
    return "bad";
  }
  return player.tally.stops.length > 0 ? "stopped" : "played";
}
