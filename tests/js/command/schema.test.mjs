// The JSON of an audit and its schema.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";

import { CHANT, HEALTHY, PREVIEW_LOOP, file, run } from "../node/replay-command.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const SAVED = here("../../data/saved");
const schema = JSON.parse(readFileSync(here("../../../docs/audit.schema.json"), "utf8"));
// A field that the schema does not have would pass otherwise.
const strict = JSON.parse(
  JSON.stringify(schema).replaceAll('"additionalProperties":true,', ""),
  (key, value) =>
    value?.type === "object" && value.properties
      ? { ...value, additionalProperties: false }
      : value,
);

const ajv = new Ajv();
ajv.addSchema(strict, "audit");

function check(name, value) {
  const validate = ajv.getSchema(`audit${name}`);
  assert.ok(validate(value), JSON.stringify(validate.errors));
}

describe("the schema", () => {
  test("describes what --json and --jsonl write", async () => {
    const broken = file("broken.json", "[{");
    const inputs = [SAVED, CHANT, PREVIEW_LOOP, HEALTHY, broken];
    for (const profile of ["adaptive", "standard"]) {
      const whole = await run(["audit", "--json", "--profile", profile, ...inputs]);
      const report = JSON.parse(whole.stdout);
      check("", report);
      assert.ok(report.problems.length === 1 && report.total.stops > 0);
      const lines = (await run(["audit", "--jsonl", "--profile", profile, ...inputs])).stdout;
      for (const line of lines.trimEnd().split("\n")) {
        check("#/definitions/SessionReport", JSON.parse(line));
      }
    }
  });

  test("describes what --usage writes", async () => {
    const inputs = [SAVED, HEALTHY];
    const whole = await run(["audit", "--usage", "--by", "model", "--json", ...inputs]);
    check("#/definitions/UsageReport", JSON.parse(whole.stdout));
    const lines = (await run(["audit", "--usage", "--jsonl", ...inputs])).stdout;
    for (const line of lines.trimEnd().split("\n")) {
      check("#/definitions/SessionUsage", JSON.parse(line));
    }
  });

  test("refuses what is none", () => {
    const validate = ajv.getSchema("audit");
    for (const value of [{}, { sessions: [] }, []]) assert.equal(validate(value), false);
  });
});
