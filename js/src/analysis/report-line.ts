import { FORMAT_TITLES } from "../saved/saved-session.js";

import { AFTER_NUDGE } from "./after-nudge.js";
import type { SessionReport } from "./audit-report.js";
import { ECONOMY_KINDS } from "./economy.js";
import type { Loop } from "./loops.js";
import { PROFILES } from "./profiles.js";
import { SUMMED, TOKEN_KINDS } from "./total.js";

/** A line is not a session's report; the message says what is wrong with it. */
export class NotAReport extends Error {}

/**
 * The report that a line of `--jsonl` holds. It comes from another machine, perhaps of another
 * version, so every field that is used later is checked.
 *
 * @throws {@link NotAReport}
 */
export function readReport(line: string): SessionReport {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new NotAReport("is not JSON");
  }
  const report = objectAt(value, "it");
  oneOf(report.format, Object.keys(FORMAT_TITLES), "format");
  oneOf(report.profile, PROFILES, "profile");
  stringAt(report.file, "file");
  for (const field of ["title", "model"] as const) {
    if (report[field] !== undefined) stringAt(report[field], field);
  }
  for (const field of SUMMED) countAt(report[field], field);
  const afterNudge = objectAt(report.afterNudge, "afterNudge");
  for (const field of AFTER_NUDGE) countAt(afterNudge[field], `afterNudge.${field}`);
  if (afterNudge.dollars !== undefined) dollarsAt(afterNudge.dollars, "afterNudge.dollars");
  const tokens = objectAt(report.tokens, "tokens");
  for (const kind of [...TOKEN_KINDS, "total"]) countAt(tokens[kind], `tokens.${kind}`);
  if (report.economy !== undefined) checkEconomy(report.economy);
  const blind = arrayAt(report.blind, "blind");
  for (const each of blind) oneOf(each, ["arguments", "results"], "blind");
  arrayAt(report.loops, "loops").forEach((loop, at) => checkLoop(loop, `loops[${at}]`));
  return report as unknown as SessionReport;
}

function checkEconomy(value: unknown): void {
  const economy = objectAt(value, "economy");
  for (const field of ["characters", "requestCharacters"]) {
    countAt(economy[field], `economy.${field}`);
  }
  const kinds = objectAt(economy.kinds, "economy.kinds");
  for (const name of ECONOMY_KINDS) {
    const kind = objectAt(kinds[name], `economy.kinds.${name}`);
    for (const field of ["items", "characters", "tokens", "requestCharacters"]) {
      countAt(kind[field], `economy.kinds.${name}.${field}`);
    }
    dollarsAt(kind.dollars, `economy.kinds.${name}.dollars`);
  }
}

function dollarsAt(value: unknown, name: string): void {
  if (typeof value !== "number" || !(value >= 0) || value === Infinity) {
    throw new NotAReport(`is not a session's report: ${name} is no price`);
  }
}

function checkLoop(value: unknown, name: string): void {
  const loop = objectAt(value, name) as Record<keyof Loop, unknown>;
  oneOf(loop.action, ["nudge", "stop"], `${name}.action`);
  for (const field of ["type", "rule", "message", "evidence"] as const) {
    stringAt(loop[field], `${name}.${field}`);
  }
  if (loop.tool !== undefined) stringAt(loop.tool, `${name}.tool`);
  if (loop.channel !== undefined) oneOf(loop.channel, ["text", "reasoning"], `${name}.channel`);
  for (const field of ["place", "count"] as const) countAt(loop[field], `${name}.${field}`);
  for (const field of ["firstCall", "lastCall"] as const) {
    if (loop[field] !== null) countAt(loop[field], `${name}.${field}`);
  }
}

function objectAt(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new NotAReport(`is not a session's report: ${name} is not an object`);
}

function arrayAt(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new NotAReport(`is not a session's report: ${name} is not an array`);
}

function stringAt(value: unknown, name: string): void {
  if (typeof value === "string") return;
  throw new NotAReport(`is not a session's report: ${name} is not a string`);
}

function countAt(value: unknown, name: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw new NotAReport(`is not a session's report: ${name} is not a count`);
}

function oneOf(value: unknown, choices: readonly string[], name: string): void {
  if (typeof value === "string" && choices.includes(value)) return;
  throw new NotAReport(`is not a session's report: ${name} is none that this version knows`);
}
