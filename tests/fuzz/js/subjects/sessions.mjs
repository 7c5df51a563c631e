// Saved sessions: the fixtures cut, spliced and with bytes changed.

import { load } from "../../../js/node/installed-package.mjs";
import { json, text } from "../texts.mjs";
import { files, lists, objects } from "../saved-samples.mjs";

const { detectFormat, eventsOf, readSession } = load("turnkeeper/sessions");

/** A file of the fixtures, with something done to it. */
function content(dice) {
  let { text: made } = dice.pick(files);
  for (let count = dice.below(4); count > 0; count--) {
    const at = dice.below(made.length + 1);
    const other = dice.pick(files).text;
    made = dice.weighted([
      [3, made.slice(0, at)],
      [2, made.slice(at)],
      [2, made.slice(0, at) + text(dice) + made.slice(at)],
      [2, made.slice(0, at) + made.slice(at + dice.below(40))],
      [1, made.slice(0, at) + other.slice(dice.below(other.length))],
      [1, made.split("\n").reverse().join("\n")],
      [1, made.replaceAll("\n", "\r\n")],
      [1, `\ufeff${made}`],
      [1, JSON.stringify(json(dice))],
      [
        1,
        made.replace(/"[^"]{0,20}"/g, (found) =>
          dice.chance(20) ? JSON.stringify(json(dice)) : found,
        ),
      ],
    ]);
  }
  return made;
}

async function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const sessions = {
  name: "sessions",
  options: () => undefined,
  plainOptions: undefined,
  make: () => ({}),
  calls: {
    readSession: {
      args: (dice) => [content(dice), { name: "x.json" }],
      run: (it, given) => readSession(...given),
    },
    "readSession, cut anywhere": {
      args: (dice) => [content(dice)],
      async run(it, [content], dice) {
        if (typeof content !== "string") return undefined;
        const bytes = new TextEncoder().encode(content);
        const [whole, cut] = await Promise.all(
          [bytes, pieces(bytes, 1 + dice.below(300))].map((source) =>
            readSession(source).then(
              (read) => JSON.stringify(read),
              (error) => (error.machine ? `${error.code} ${error.message}` : Promise.reject(error)),
            ),
          ),
        );
        if (whole !== cut)
          throw new Error(`cut: ${cut.slice(0, 300)}, whole: ${whole.slice(0, 300)}`);
        return whole;
      },
    },
    detectFormat: {
      args: (dice) => [content(dice).slice(0, 2_000), "x.json"],
      run: (it, given) => detectFormat(...given),
    },
    eventsOf: {
      args: (dice) => [
        dice.chance(700)
          ? structuredClone(dice.pick(lists)).slice(0, 30)
          : dice.list(0, 5, () => structuredClone(dice.pick(objects))),
      ],
      run: (it, given) => eventsOf(...given),
    },
  },
};
