// Settings files of agents, as `install` and `uninstall` change them: a file that cannot be read stays as it
// is; of any other, everything that is not ours stays, its comments included, and nothing of ours is left.

import { isDeepStrictEqual } from "node:util";
import { createRequire } from "node:module";

import { internal } from "../internal.mjs";
import { json, text } from "../texts.mjs";

const { HookEntries, UnreadableSettings, withoutOurs } = await internal(
  "cli/agents/hook-entries.ts",
  "cli/agents/file-change.ts",
  "cli/agents/ours.ts",
);
const { createScanner, parse } = createRequire(
  new URL("../../../js/package.json", import.meta.url),
)("jsonc-parser");

const OURS = '"/n/node" "/p/turnkeeper-hook.cjs" agent';
const PLAIN = { nested: true };
const EVENTS = ["PreToolUse", "PostToolUse", "SessionStart"];
const COMMENTS = ["// mine\n", "/* mine, too */", "// a, b: [\n", '/* "hooks": {} */'];

/** A value, written as a person or another program might. */
function written(dice, value, depth = 0) {
  const space = () => dice.weighted([[6, ""], [3, " "], [2, "\n"], [2, "\r\n"], [2, "\t"], [1, "\n    "], [1, dice.pick(COMMENTS)]]); // prettier-ignore
  const comma = (isLast) => (isLast ? (dice.chance(150) ? "," : "") : ",");
  const listed = (items, open, close) =>
    open +
    items.map((item, at) => space() + item + space() + comma(at === items.length - 1)).join("") +
    space() +
    close;
  if (Array.isArray(value)) {
    return listed(value.map((item) => written(dice, item, depth + 1)), "[", "]"); // prettier-ignore
  }
  if (typeof value === "object" && value !== null) {
    const items = Object.entries(value).map(
      ([name, item]) =>
        `${JSON.stringify(name)}${space()}:${space()}${written(dice, item, depth + 1)}`,
    );
    return listed(items, "{", "}");
  }
  return JSON.stringify(value);
}

const hook = (dice) =>
  dice.weighted([
    [3, { type: "command", command: "lint" }],
    [2, { type: "command", command: OURS }],
    [2, { matcher: "*", hooks: [{ type: "command", command: dice.pick(["lint", OURS]) }] }],
    [
      1,
      {
        hooks: [
          { type: "command", command: OURS },
          { type: "command", command: "lint" },
        ],
      },
    ],
    [1, json(dice)],
  ]);

/** What may stand in a file of settings. */
function content(dice) {
  const value = {
    ...dice.some({ model: () => "m", version: () => 1, 思: () => json(dice) }),
    ...dice.some(
      {
        hooks: () =>
          dice.chance(100)
            ? json(dice)
            : dice.some(
                Object.fromEntries(
                  [...EVENTS, "Other"].map((name) => [
                    name,
                    () => (dice.chance(60) ? json(dice) : dice.list(0, 3, () => hook(dice))),
                  ]),
                ),
                500,
              ),
      },
      700,
    ),
    ...dice.some({ permissions: () => json(dice), a: () => json(dice) }),
  };
  const whole = written(dice, value);
  return dice.weighted([
    [10, whole],
    [1, `\ufeff${whole}`],
    [1, whole.slice(0, dice.below(whole.length + 1))],
    [1, `${dice.pick(COMMENTS)}${whole}\n${dice.pick(COMMENTS)}`],
    [1, text(dice)],
    [1, ""],
  ]);
}

// Kinds of tokens that jsonc-parser's scanner tells.
const [LINE_COMMENT, BLOCK_COMMENT, END] = [12, 13, 17];

/** The comments of a text, in order. */
function commentsOf(content) {
  const scanner = createScanner(content, false);
  const found = [];
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) continue;
    found.push(content.slice(at, at + scanner.getTokenLength()).trim());
  }
  return found;
}

const valueOf = (content) => {
  const errors = [];
  const value = parse(content.replace(/^\ufeff/, "").trim() || "{}", errors, {
    allowTrailingComma: true,
  });
  if (errors.length > 0) throw new Error(`no JSON: ${content}`);
  return value;
};
const isOurs = (value) => JSON.stringify(value)?.includes("turnkeeper-hook.cjs") ?? false;

/** A file's value without anything of ours, and without what is empty then. */
function foreign(value) {
  if (typeof value.hooks !== "object" || value.hooks === null || Array.isArray(value.hooks))
    return value;
  const hooks = {};
  for (const [event, entries] of Object.entries(value.hooks)) {
    if (!Array.isArray(entries)) {
      hooks[event] = entries;
      continue;
    }
    const left = entries.flatMap((entry) => {
      if (!isOurs(entry)) return [entry];
      const others = Array.isArray(entry.hooks) ? entry.hooks.filter((it) => !isOurs(it)) : [];
      return others.length > 0 ? [{ ...entry, hooks: others }] : [];
    });
    if (left.length > 0 || entries.length === 0) hooks[event] = left;
  }
  const { hooks: _, ...rest } = value;
  return Object.keys(hooks).length > 0 ? { ...value, hooks } : rest;
}

/** What does not depend on whether an empty list of hooks stands there. */
const settled = (value) => {
  const { hooks, ...rest } = value;
  if (typeof hooks !== "object" || hooks === null || Array.isArray(hooks)) return value;
  const full = Object.entries(hooks).filter(([, it]) => !Array.isArray(it) || it.length > 0);
  return full.length > 0 ? { ...rest, hooks: Object.fromEntries(full) } : rest;
};

const FILE = "settings.json";

/** Installed where it may be installed already. */
const install = (it, content) => it.added(withoutOurs(FILE, content));

function check(it, before) {
  const added = install(it, before);
  const was = valueOf(before);
  const now = valueOf(added);
  for (const event of EVENTS) {
    const ours = now.hooks[event].filter(isOurs);
    if (ours.length !== 1) throw new Error(`${ours.length} of ours at ${event}: ${added}`);
  }
  if (!isDeepStrictEqual(settled(foreign(now)), settled(foreign(was)))) {
    throw new Error(`added to ${before}: ${added}`);
  }
  if (!isDeepStrictEqual(valueOf(install(it, added)), now)) {
    throw new Error(`twice is not once: ${install(it, added)} ${added}`);
  }
  const removed = withoutOurs(FILE, added);
  const left = removed === undefined ? {} : valueOf(removed);
  if (isOurs(left.hooks)) throw new Error(`left: ${removed}`);
  if (!isDeepStrictEqual(settled(left), settled(foreign(was)))) {
    throw new Error(`taken out of ${added}: ${removed}`);
  }
  if (!isOurs(was)) {
    const [had, has] = [commentsOf(before), commentsOf(removed ?? before)];
    if (!isDeepStrictEqual(has, had))
      throw new Error(`comments ${JSON.stringify([had, has])} of ${before}: ${removed}`);
  }
  return [added, removed];
}

export const settingsFiles = {
  name: "settings files",
  rounds: 12,
  options: (dice) => ({ nested: dice.chance(700), ...dice.some({ timeout: () => 5, matcher: () => true }) }), // prettier-ignore
  plainOptions: PLAIN,
  // The style is the package's own: a spoiled one says nothing.
  make: (_, style) => {
    const { nested = true, timeout, matcher } = style ?? PLAIN;
    const plain = { nested: nested === true, timeout: timeout && 5, matcher: matcher && true };
    return new HookEntries(FILE, plain, EVENTS, OURS);
  },
  calls: {
    "install and uninstall": {
      args: (dice) => [content(dice)],
      run(it, [before]) {
        if (typeof before !== "string") return undefined;
        try {
          return check(it, before);
        } catch (error) {
          if (error instanceof UnreadableSettings) return "unreadable";
          throw error;
        }
      },
    },
  },
};
