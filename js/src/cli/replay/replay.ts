import { Player, type PlayerOptions, type Step, type Tally } from "../../analysis/player.js";
import { InputError } from "../../saved/event-lines.js";
import { describe } from "../complain.js";
import { eachFile } from "../each-file.js";
import { EXIT, endWith, exitCode } from "../exit-code.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";

import { TableView } from "./table.js";

/** How a replay is shown: as a table for people or as JSON for programs. */
export interface ReplayView {
  begin?(file: string): void;
  step(file: string, step: Step): void;
  /** @param problem why the rest of the file could not be played */
  end(file: string, tally: Tally, problem: string | undefined): void;
  close?(): void;
}

/** Plays sessions event by event. */
export async function replay(
  names: readonly string[],
  options: PlayerOptions,
  { json, quiet, failOnLoop }: { json: boolean; quiet: boolean; failOnLoop: boolean },
): Promise<void> {
  const output = new Output();
  const view: ReplayView = json ? jsonView(output) : new TableView(output);
  await eachFile({
    names,
    extension: /\.(jsonl?|ndjson|traj|md)$/,
    what: "sessions",
    hasBar: false,
    async work(input) {
      const { file, folder } = input;
      const player = new Player(file, options);
      const { tally } = player;
      let hasBegun = false;
      let problem: InputError | undefined;
      try {
        for await (const line of sessionLines(input)) {
          const step = player.play(line);
          if (!quiet && !hasBegun) view.begin?.(file);
          hasBegun = true;
          if (!quiet) view.step(file, step);
          await output.ready();
        }
        if (tally.events === 0) throw new InputError(file, "has no events");
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        problem = error;
      } finally {
        player.end();
      }
      const isOther = folder !== undefined && !hasBegun && problem?.isUnknown;
      if (!isOther) view.end(file, tally, problem && describe(problem));
      if (problem) throw problem;
      if (failOnLoop && tally.stops.length > 0) endWith(EXIT.loop);
    },
  });
  view.close?.();
  await output.ready();
}

/** One JSON object a line; `turnkeeper replay --help` documents them. */
function jsonView(output: Output): ReplayView {
  const files: object[] = [];
  return {
    step(file, step) {
      if (step.kind === "prompt") {
        const { line, promptId, model } = step;
        output.json({ file, line, prompt: { promptId, model } });
        return;
      }
      const { line, index, event, verdict, saved } = step;
      output.json({ file, line, index, event, verdict, ...(saved && { saved }) });
    },
    end(file, tally, problem) {
      files.push({ file, ...tally, problem });
    },
    close() {
      output.json({ summary: { files, exitCode: exitCode() } });
    },
  };
}
