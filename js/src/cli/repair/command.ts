import { Command, Option } from "commander";

import { complain } from "../complain.js";
import { oneOrMore, wholeNumber } from "../options.js";

import { repair } from "./repair.js";

/** The values of the options. */
interface Options {
  output?: string;
  inPlace?: true;
  tag?: string[];
  keep?: "last" | "first";
  embedded?: true;
  economy?: "resume" | "compact";
  targetTokens?: number;
  json?: true;
}

const DETAILS = `
In each message of the user one block stays, at its end. Nothing else changes:
not a character of any other part, nor how the file is written, so the agent
that saved it can load it again. Without -o and --in-place nothing is written,
and what would be done is shown. A file is replaced in one step, when it is
whole.

With --economy older messages are shortened as well. "resume" leaves out what
newer messages say better: environment, and copies of files of which a newer one
follows. "compact" also takes older files that the model wrote and results that
come again, with --target-tokens only until that many tokens are left. Neither
takes the newest copy of a file. The agent has to read such a history anew, at
the full price, so do it when its prompt cache is cold.

Histories of Cline, Roo Code and Kilo Code, Anthropic, OpenAI, AI SDK and Gemini
messages, Claude Code, and mini-swe-agent can be repaired. "-" is standard input.

Exit code: 0, or 2 if any input was bad or could not be repaired.`;

/** `turnkeeper repair` */
export function repairCommand(): Command {
  return new Command("repair")
    .summary(
      "remove duplicate blocks of environment, and with --economy more, from saved histories",
    )
    .description(
      "Remove duplicate blocks of environment, and with --economy more, from saved histories.",
    )
    .argument("<path...>", "histories, and folders of histories")
    .addOption(
      new Option(
        "-o, --output <path>",
        "where the repaired copy goes; for a folder, a folder",
      ).conflicts("inPlace"),
    )
    .option("--in-place", "replace the file, which is kept as <name>.bak")
    .addOption(
      new Option(
        "--tag <name>",
        "the tag of a block; may be given several times (default: environment_details)",
      ).argParser(oneOrMore()),
    )
    .addOption(
      new Option("--keep <which>", "the block that stays (default: last)").choices([
        "last",
        "first",
      ]),
    )
    .option("--embedded", "also blocks at the end of other texts and of tool results")
    .addOption(
      new Option(
        "--economy <how>",
        "shorten older messages as well: what newer ones say better goes",
      ).choices(["resume", "compact"]),
    )
    .addOption(
      new Option(
        "--target-tokens <n>",
        "with --economy compact: the size to reach, in estimated tokens",
      ).argParser(wholeNumber(1, 999_999_999)),
    )
    .option("--json", "one JSON object a file")
    .addHelpText("after", DETAILS)
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  const { output, inPlace = false, json = false, tag: tags, ...others } = options;
  if (output !== undefined && names.length > 1) {
    complain("option '-o, --output <path>' takes one file or folder at a time");
  } else if (others.targetTokens !== undefined && others.economy !== "compact") {
    complain("option '--target-tokens <n>' needs '--economy compact'");
  } else {
    await repair({ names, output, inPlace, json, options: { ...(tags && { tags }), ...others } });
  }
}
