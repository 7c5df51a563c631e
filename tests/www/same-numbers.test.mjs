// The page and the command say the same of the same file.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { sampleFiles } from "../../www/samples/make.mjs";
import { folder, run } from "../node/replay-command.mjs";

import { button, compared, downloaded, onPage, pictured } from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

const SAVED = fileURLToPath(new URL("../fixtures/saved/", import.meta.url));

/** Every sample of the page, and a session of every format that is read. */
const files = [
  ...Object.values(sampleFiles()).map(({ name, text }) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }),
  ...readdirSync(SAVED).map((name) => path.join(SAVED, name)),
];

const open = async (page, file) => {
  await page.locator("input[accept]").setInputFiles(file);
  await page.locator(".session-name").getByText(path.basename(file), { exact: true }).waitFor();
};

test("every session has the same numbers as by the command", { timeout: 900_000 }, async (t) => {
  const parsed = ({ stdout }) =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const audited = parsed(await run(["audit", "--jsonl", ...files]));
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
        assert.deepEqual({ ...numbers, file }, audited[at]);
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
          !finding ? "–" : finding.call === null ? "the beginning" : `call ${finding.call}`;
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

describe("the repaired file", () => {
  const histories = files.filter((file) =>
    /api_conversation|cline-history|anthropic|openai-messages|ai-sdk-messages|gemini-contents|stuck-tests/.test(
      file,
    ),
  );
  for (const file of histories) {
    test(`${path.basename(file)} is byte for byte that of the command`, () =>
      onPage({ at: "#view=context" }, async (page) => {
        const out = path.join(folder, `repaired-${path.basename(file)}`);
        const done = await run(["repair", file, "-o", out]);
        assert.equal(done.code, 0, done.stderr);
        await open(page, file);
        await pictured(page);
        const { name, bytes } = await downloaded(page, () =>
          button(page, "Save the repaired file").click(),
        );
        assert.equal(name, path.basename(file));
        assert.ok(bytes.equals(readFileSync(out)), "the same bytes");
      }));
  }

  test("of every other preset is a history that can be read again, and smaller", () =>
    onPage({ at: "#view=context" }, async (page) => {
      await pictured(page);
      const sizes = [];
      for (const preset of [
        "Unchanged sections",
        "All but the newest environment",
        "Files read again",
        "To resume a task",
        "When the context is nearly full",
      ]) {
        await page.getByLabel("What to remove").selectOption(preset);
        await page.locator(".headline", { hasText: "less" }).waitFor();
        await settled(page);
        const { bytes } = await downloaded(page, () =>
          button(page, "Save the repaired file").click(),
        );
        const messages = JSON.parse(bytes);
        assert.equal(messages.length, 27);
        sizes.push(bytes.length);
      }
      const whole = sampleFiles().resumedTask.text.length;
      for (const size of sizes) assert.ok(size < whole, `${size} of ${whole}`);
      assert.ok(sizes[3] < Math.min(sizes[1], sizes[2]));
    }));
});
