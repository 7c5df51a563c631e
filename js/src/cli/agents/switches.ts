/** Settings of agents that keep hooks from running. */

import { attempt } from "../files/file-questions.js";

import path from "node:path";

import { isInside } from "../files/write-target.js";

import { JsonText } from "./json-text.js";
import { ours } from "./ours.js";
import { contentOf } from "./text-file.js";

/** Why hooks do not run; undefined if this setting does not keep them from it. */
export type Switch = () => string | undefined;

export function isTrue(file: string, at: readonly string[]): Switch {
  return () => (valueOf(file, at) === true ? `"${at.join(".")}" is true in ${file}` : undefined);
}

export function isFalse(file: string, at: readonly string[]): Switch {
  return () => (valueOf(file, at) === false ? `"${at.join(".")}" is false in ${file}` : undefined);
}

export function isListed(file: string, at: readonly string[], name: string): Switch {
  return () => {
    const list = valueOf(file, at);
    const isThere = Array.isArray(list) && list.includes(name);
    return isThere ? `"${at.join(".")}" has "${name}" in ${file}` : undefined;
  };
}

/** Codex's `features.hooks = false`, as a line of its table or with a dotted key. */
export function isFeatureOff(file: string): Switch {
  return () => {
    const text = attempt(() => contentOf(file)) ?? "";
    const table = /^\s*\[features\][^\n]*\n(?:(?!\s*\[).*\n)*?\s*(?:codex_)?hooks\s*=\s*false/m;
    const dotted = /^\s*features\.(?:codex_)?hooks\s*=\s*false/m;
    const isOff = table.test(text) || dotted.test(text);
    return isOff ? `"features.hooks" is false in ${file}` : undefined;
  };
}

/** Codex reads nothing of a project that it does not trust. */
export function isUntrustedByCodex(config: string, hooks: string): Switch {
  return () => {
    if (!isProjects(hooks, path.dirname(config))) return undefined;
    const text = attempt(() => contentOf(config)) ?? "";
    const table =
      /^\s*\[projects\.(["'])(.*)\1\][^\n]*\n(?:(?!\s*\[).*\n)*?\s*trust_level\s*=\s*"trusted"/gm;
    const trusted = [...text.matchAll(table)].map(([, , folder]) => folder!);
    if (trusted.some((folder) => isInside(hooks, folder))) return undefined;
    return `Codex does not trust this project: start \`codex\` in it, which asks`;
  };
}

/** gemini-cli and Qwen Code run no hooks of a folder that they were told not to trust, or have not asked about. */
export function isUntrustedFolder(folder: string, hooks: string): Switch {
  return () => {
    if (!isProjects(hooks, folder)) return undefined;
    const isAsked = valueOf(path.join(folder, "settings.json"), ASKS);
    const told = valueOf(path.join(folder, "trustedFolders.json"), []) ?? {};
    const rules = Object.entries(told).filter(([name]) => isInside(hooks, name));
    const isDenied = rules.some(([, rule]) => rule === "DO_NOT_TRUST");
    if (!isDenied && (isAsked !== true || rules.length > 0)) return undefined;
    return `this folder is not trusted: ${path.join(folder, "trustedFolders.json")}`;
  };
}

const ASKS = ["security", "folderTrust", "enabled"];

/** Whether hooks of ours are a project's, and not the user's own, as in the home folder. */
function isProjects(hooks: string, users: string): boolean {
  return path.dirname(hooks) !== users && (attempt(() => ours(hooks)) ?? []).length > 0;
}

/** A value in a settings file, if that can be read. */
function valueOf(file: string, at: readonly string[]): unknown {
  return attempt(() => new JsonText(file, contentOf(file) ?? "").get([...at]));
}
