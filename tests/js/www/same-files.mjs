// Files that the page and the command both read, and how the page is given one.

import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { sampleFiles } from "../../../www/samples/make.mjs";
import { folder } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved/", import.meta.url));

/** Every sample of the page, and a session of every format that is read. */
export const files = [
  ...Object.values(sampleFiles()).map(({ name, text }) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }),
  ...readdirSync(SAVED).map((name) => path.join(SAVED, name)),
];

export const open = async (page, file) => {
  await page.locator("input[accept]").setInputFiles(file);
  await page.locator(".session-name").getByText(path.basename(file), { exact: true }).waitFor();
};
