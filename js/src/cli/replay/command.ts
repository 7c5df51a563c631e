import { Command, Option } from "commander";

import type { PlayerOptions } from "../../analysis/player.js";
import { type AnyProfile, DEFAULT_PROFILE, PROFILES } from "../../analysis/profiles.js";
import { compare } from "../compare/compare.js";
import { complain } from "../complain.js";
import { modelOption, oneOrMore } from "../options.js";

import { replay } from "./replay.js";

/** The values of the options. */
interface Options {
  compare?: true;
  profile?: AnyProfile[];
  model?: string;
  promptId?: string;
  prompts?: "user" | "session";
  continue?: true;
  failOnLoop?: true;
  json?: true;
  quiet?: true;
}

const DETAILS = `
A file is a session that an agent has saved, or has one event on each line as
JSON, in the shapes of the package's AgentEvent. "-" is standard input.
docs/command-line.md in the repository lists the formats and the JSON's fields.

A prompt starts at each message of the user (a run of them starts one), unless
the file says itself where its prompts start, with lines that are no events:
{"type":"prompt_started","promptId":"p1","model":"…","userPrompt":"…"}

A folder stands for the sessions in it. With --compare, a session is one prompt,
and its calls count from 0.

Exit code: 0; 1 with --fail-on-loop if a loop was stopped; 2 if any input was
bad.`;

/** `turnkeeper replay` */
export function replayCommand(): Command {
  return new Command("replay")
    .summary("play sessions through the loop detector, event by event")
    .description(
      "Play sessions through the loop detector: a row and a verdict for each event, or with " +
        "--compare a column for each profile.",
    )
    .argument("<path...>", "sessions, and folders of sessions")
    .option("--compare", "show several profiles side by side")
    .addOption(
      new Option(
        "--profile <name>",
        `the rules to judge by (default: ${DEFAULT_PROFILE}); with --compare, may be given ` +
          `several times (default: all). Profiles: ${PROFILES.join(", ")}`,
      ).argParser(oneOrMore(PROFILES)),
    )
    .addOption(modelOption())
    .option("--prompt-id <id>", "the first prompt's id (default: the file's name)")
    .addOption(
      new Option(
        "--prompts <where>",
        "where a prompt starts: at each message of the user, or only at the beginning of the " +
          "session (default: user; session with --compare)",
      ).choices(["user", "session"]),
    )
    .addOption(
      new Option(
        "--continue",
        "after a stop, clear the detector and go on, counting strikes",
      ).conflicts("compare"),
    )
    .option("--fail-on-loop", "exit with 1 if a session was stopped; a nudge does not count")
    .option("--json", "one JSON object a line instead of a table")
    .option("-q, --quiet", "only the outcome of each file")
    .addHelpText("after", DETAILS)
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  const { model, promptId, profile, failOnLoop = false, json = false, quiet = false } = options;
  const prompts = options.prompts ?? (options.compare ? "session" : "user");
  const play: Omit<PlayerOptions, "settings" | "continue"> = { model, promptId, prompts };
  if (options.compare) {
    await compare({ names, profiles: profile ?? PROFILES, play, json, quiet });
  } else if (profile && profile.length > 1) {
    complain("several profiles need --compare");
  } else {
    const settings = { profile: profile?.[0] ?? DEFAULT_PROFILE };
    const how = { ...play, settings, continue: options.continue ?? false };
    await replay(names, how, { json, quiet, failOnLoop });
  }
}
