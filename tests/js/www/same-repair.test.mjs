// The page and the command repair the same file alike.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { sampleFiles } from "../../../www/samples/make.mjs";
import { folder, run } from "../node/replay-command.mjs";

import { files, open } from "./same-files.mjs";
import { button, downloaded, onPage, pictured } from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

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
