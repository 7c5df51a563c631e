/** `turnkeeper.json`, as `install` writes it and `status` reads it. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { InvalidArgumentError, Option } from "commander";

import { LoopDetector } from "turnkeeper";

import { SETTINGS_FILE, isThreshold, settingsFor } from "../../agents/settings.js";
import { detectorWith } from "../../agents/thresholds.js";
import { writeWhole } from "../files/atomic-file.js";
import { oneOrMore } from "../options.js";

import { JsonText } from "./json-text.js";

type Threshold = [name: string, count: number | false];

/** What the options of `install` give. */
export interface GivenSettings {
  threshold?: Threshold[];
  exempt?: string[];
  off?: true;
}

export function thresholdOption(): Option {
  return new Option(
    "--threshold <name=count>",
    `the count at which a rule speaks, or "false", in ${SETTINGS_FILE}; again for another`,
  ).argParser((text, before: Threshold[] = []) => [...before, thresholdIn(text)]);
}

export function exemptOption(): Option {
  return new Option(
    "--exempt <tool>",
    `a tool that is left out, in ${SETTINGS_FILE}; again for another`,
  ).argParser(oneOrMore());
}

export function offOption(): Option {
  return new Option("--off", `watch nothing here, in ${SETTINGS_FILE}, and install nothing`);
}

function thresholdIn(text: string): Threshold {
  const [name = "", given = ""] = text.split(/=(.*)/s);
  const count = given === "false" ? false : /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  if (!isThreshold(count)) {
    throw new InvalidArgumentError("It is a name, =, and a whole number of at least 1 or false.");
  }
  const [mistake] = mistakesIn({ [name]: count });
  if (mistake !== undefined) throw new InvalidArgumentError(mistake);
  return [name, count];
}

/** The file of a folder with what was given, before it is written; undefined if nothing was. */
export function changedSettings(
  { threshold = [], exempt = [], off }: GivenSettings,
  folder: string,
): { file: string; summary: string; write: () => boolean } | undefined {
  const given = [
    ...threshold.map(([name, count]) => `${name} ${count || "off"}`),
    ...exempt.map((tool) => `${tool} exempt`),
    ...(off ? ["off"] : []),
  ];
  if (given.length === 0) return undefined;
  const file = path.join(folder, SETTINGS_FILE);
  const write = (): boolean => {
    const text = new JsonText(file, existsSync(file) ? readFileSync(file, "utf8") : "");
    if (off) text.set(["off"], true);
    for (const [name, count] of threshold) text.set(["thresholds", name], count);
    if (exempt.length > 0) {
      text.set(["exempt"], [...new Set([...text.array(["exempt"]), ...exempt])]);
    }
    writeWhole(file, [text.toString()]);
    return true;
  };
  return { file, summary: given.join(", "), write };
}

/** What holds in this folder, and what is wrong in a file. */
export function settingsHere(): string[] {
  const { files, off, exempt, thresholds, mistakes } = settingsFor(process.cwd());
  const told = [
    ...(off ? ["nothing is watched here"] : []),
    ...Object.entries(thresholds).map(([name, count]) => `${name} ${count || "off"}`),
    ...exempt.map((tool) => `${tool} exempt`),
  ];
  return [
    ...(files.length > 0
      ? [`Settings of ${files.join(" and ")}: ${told.join(", ") || "none"}`]
      : []),
    ...[...mistakes, ...mistakesIn(thresholds)].map((it) => `  a mistake, which is ignored: ${it}`),
  ];
}

function mistakesIn(thresholds: Readonly<Record<string, number | false>>): string[] {
  const { detector, mistakes } = detectorWith(LoopDetector, {}, thresholds);
  detector.dispose();
  return mistakes;
}
