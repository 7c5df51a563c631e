// The saved sessions of the fixtures, as texts and as the objects within them: what an adapter or a reader
// meets, put together anew.

import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../data/saved/", import.meta.url);

export const files = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

/** The messages, lines or events of each file, in lists. */
export const lists = files.flatMap(({ text }) => {
  const values = parsed(text);
  const found = values.length > 1 ? [values] : [];
  for (const value of values) collectLists(value, found);
  return found.filter((list) => list.length > 0);
});

/** Every object in a file that stands in a list. */
export const objects = lists.flat();

function parsed(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  }
}

function collectLists(value, found) {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null)) {
    found.push(value);
  }
  for (const inside of Object.values(value)) collectLists(inside, found);
}
