// Texts that agents, their files and their attackers write.

const PIECES = [
  "word ",
  "I will look at the file again. ",
  "再看一次。",
  "思考",
  "😀",
  "\n",
  "\r\n",
  "\t",
  "\0",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ud800",
  "\udfff",
  "a",
  "```\n",
  "~~~",
  "`",
  "| a | b |\n",
  "- item\n",
  "<environment_details>",
  "</environment_details>",
  "<environment_details>\n# Time\nnow\n</environment_details>",
  "<content_reference>",
  "\n</content_reference>",
  '{"items": [',
  "@[a.md]",
  "@[a.md:1:2]",
  "@[../x]",
  "@[src/]",
  '@[tool{"a": 1}]',
  "@[",
  "]",
  "![x](i.png)",
  '@{define X, "1"}',
  "@{X}",
  "@{ifdef X}",
  '@{if X == "1"}',
  '@{if X MATCHES "(a+)+$"}',
  "@{else}",
  "@{endif}",
  "@{",
  "\\",
  '"',
  "'",
  "$(rm -rf ~)",
  "<user>",
  "</user>",
  "[Turn 1]",
  "=== Summaries ===",
  "<read_file><path>a.ts</path></read_file>",
  "constructor",
  "__proto__",
  "0",
  "-1",
  "1e400",
];

/** A text of a few pieces, or now and then of many. */
export function text(dice) {
  const count = dice.chance(15) ? 400 + dice.below(4000) : dice.below(7);
  let made = "";
  for (let at = 0; at < count; at++) {
    const piece = dice.pick(PIECES);
    made += dice.chance(40) ? piece.repeat(2 + dice.below(30)) : piece;
  }
  return made;
}

/** One of few, so that things meet again. */
export const word = (dice) =>
  dice.pick(["a", "b", "read_file", "run_command", "edit", "思", "", "x y"]);

const FOLDERS = [
  "/work",
  "/work/app",
  "/work/app/src",
  "/",
  "/other",
  "/work/思 考",
  "C:\\Work",
  "c:\\work\\app",
];

export const folder = (dice) => (dice.chance(60) ? text(dice) : dice.pick(FOLDERS));

/** A value as JSON has it. */
export function json(dice, depth = 3) {
  const kind = dice.below(depth > 0 ? 9 : 6);
  if (kind === 0) return null;
  if (kind === 1) return dice.chance(500);
  if (kind === 2) return dice.pick([0, 1, -1, 2.5, 1e21, 2 ** 53, -0, 5e-324]);
  if (kind < 6) return dice.chance(300) ? text(dice) : word(dice);
  if (kind === 6) return dice.list(0, 4, () => json(dice, depth - 1));
  const object = {};
  for (let count = dice.below(4); count > 0; count--) {
    object[dice.pick(["path", "a", "b", "思", "10", "2", "type", "text"])] = json(dice, depth - 1);
  }
  return object;
}

/** Like {@link json}, but an object. */
export function args(dice) {
  const made = json(dice);
  return typeof made === "object" && made !== null ? made : { path: made };
}
