import { parseArgs } from "node:util";

import type { LoopProfile } from "../index.js";
import { InputError } from "../replay/event-lines.js";
import { oneLine } from "../replay/plain-text.js";
import { Player, type PlayerOptions } from "../replay/player.js";

import { EXIT } from "./exit-code.js";
import { JsonView } from "./replay-json.js";
import { TableView } from "./replay-table.js";
import { summaryOnly, type ReplayView } from "./replay-view.js";
import { sessionLines } from "./session-lines.js";
import { Output } from "./terminal.js";

const HELP = `turnkeeper replay: plays recorded sessions through the loop detector

usage: turnkeeper replay [options] FILE…

FILE holds one event a line as JSON, in the shapes of the package's AgentEvent;
"-" is standard input. Each event is shown with its verdict: ok, nudge (tell
the model) or stop. Deltas of text are joined in one row, and turn_started,
finished and other events have a row only if something was found at them. What
comes after a stop in the same prompt is counted as saved.

A user_message starts a new prompt, as hosts do (several in a row start one),
unless the file says itself where its prompts start, with lines that are not
events: {"type":"prompt_started","promptId":"p1","model":"…","userPrompt":"…"}

options:
  --model NAME      the model, where the file does not name it
  --prompt-id ID    the first prompt's id (the file's name)
  --profile NAME    the rules to judge by (standard)
  --continue        after a stop, clear the detector and go on, counting strikes
  -q, --quiet       only what came of each file
  --json            one JSON object a line instead of a table:
                      {file, line, index, event, verdict, saved?}  an event
                      {file, line, prompt: {promptId, model?}}     a prompt
                      {summary: {files, exitCode}}                 at the end;
                    line counts from 1, index counts events from 0, and a file
                    of the summary has {file, events, calls, prompts, nudges,
                    stops: [{line, index, report}], saved: {events, calls,
                    characters}, blind, problem?}
  -h, --help        this text

exit code: 0 if nothing was stopped, 1 if a loop was, 2 if any input was bad
`;

/** `turnkeeper replay`: the exit code. */
export async function replay(args: string[]): Promise<number> {
  const options = parse(args);
  if (typeof options === "number") return options;

  const output = new Output();
  const full = options.json ? new JsonView(output) : new TableView(output);
  const view = options.quiet ? summaryOnly(full) : full;
  let worst: number = EXIT.ok;
  for (const file of options.files) {
    worst = Math.max(worst, await replayFile(file, options, view, output));
    process.exitCode = worst;
  }
  view.close(worst);
  await output.ready();
  return worst;
}

interface Options extends PlayerOptions {
  files: string[];
  json: boolean;
  quiet: boolean;
}

/** The options, or the exit code if there is nothing to play. */
function parse(args: string[]): Options | number {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) {
      process.stdout.write(HELP);
      return EXIT.ok;
    }
    if (positionals.length === 0) return complain("name a file, or - for standard input");
    const options: Options = {
      files: positionals,
      settings: { profile: (values.profile ?? "standard") as LoopProfile },
      model: values.model,
      promptId: values["prompt-id"],
      continue: values.continue ?? false,
      json: values.json ?? false,
      quiet: values.quiet ?? false,
    };
    // What the detector does not accept is told once, and before any file is opened.
    new Player("", options).end();
    return options;
  } catch (error) {
    return complain((error as Error).message);
  }
}

const OPTIONS = {
  model: { type: "string" },
  "prompt-id": { type: "string" },
  profile: { type: "string" },
  continue: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

async function replayFile(
  file: string,
  options: Options,
  view: ReplayView,
  output: Output,
): Promise<number> {
  const player = new Player(file, options);
  let problem: string | undefined;
  let begun = false;
  try {
    for await (const line of sessionLines(file)) {
      const step = player.play(line);
      if (!begun) view.begin(file);
      begun = true;
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

function describe({ file, line, message }: InputError): string {
  const name = file === "-" ? "standard input" : file;
  return line === undefined ? `${name} ${message}` : `${name}, line ${line}: ${message}`;
}

/** One line on standard error, whatever the message quotes. */
function complain(message: string): number {
  process.stderr.write(`turnkeeper: ${oneLine(message, 2_000)}\n`);
  return EXIT.badInput;
}
