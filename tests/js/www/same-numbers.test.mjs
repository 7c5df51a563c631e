// The page and the command say the same of the same file.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";

import { run } from "../node/replay-command.mjs";

import { files, open } from "./same-files.mjs";
import { button, compared, downloaded, onPage, pictured } from "./site-page.mjs";

test("every session has the same numbers as by the command", { timeout: 900_000 }, async (t) => {
  const parsed = ({ stdout }) =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  // Lines come as sessions are judged, in any order.
  const lines = parsed(await run(["audit", "--jsonl", ...files]));
  const audited = new Map(lines.map((session) => [session.file, session]));
  const all = parsed(await run(["replay", "--compare", "--json", ...files]));
  await onPage({}, async (page) => {
    for (const [at, file] of files.entries()) {
      await t.test(path.basename(file), async () => {
        await open(page, file);
        await pictured(page);
        const { bytes } = await downloaded(page, () =>
          button(page, "Save the numbers (JSON)").click(),
        );
        const { file: name, ...numbers } = JSON.parse(bytes);
        assert.deepEqual({ ...numbers, file }, audited.get(file));
        assert.equal(name, path.basename(file));

        const profiles = Object.entries(all[at].profiles);
        await compared(page, profiles.length);
        const shown = await page.locator(".lanes tbody tr").evaluateAll((lanes) =>
          lanes.map((lane) => ({
            profile: lane.querySelector("th").firstChild.textContent,
            told: lane.cells[2].textContent,
            stopped: lane.cells[3].textContent,
            saved: Number(lane.cells[4].textContent.replace(",", "")),
          })),
        );
        const where = (finding) =>
          !finding ? "–" : finding.call === null ? "the beginning" : `call ${finding.call + 1}`;
        const expected = profiles.map(([profile, { nudge, stop, saved }]) => ({
          profile,
          told: where(nudge),
          stopped: where(stop),
          saved: saved.calls,
        }));
        const byName = (a, b) => (a.profile < b.profile ? -1 : 1);
        assert.deepEqual(shown.sort(byName), expected.sort(byName));
      });
    }
  });
});
