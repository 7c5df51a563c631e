// The files around the code in the package: package.json from its template, documents and licence.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { writeDocuments } from "./documents.mjs";
import { APART, CLINE, CLINE_PLUGIN, INTERNAL, entries, machineEntries, root } from "./entries.mjs";

const template = path.join(root, "pkg-template");

export function writeManifest(out) {
  const manifest = JSON.parse(readFileSync(path.join(template, "package.json"), "utf8"));
  manifest.version = crateVersion();
  // The program is of the same version, to the letter.
  for (const name of Object.keys(manifest.optionalDependencies)) {
    manifest.optionalDependencies[name] = manifest.version;
  }
  addSubpaths(manifest);
  Object.assign(manifest, addresses(process.env.TURNKEEPER_REPOSITORY));
  writeFileSync(path.join(out, "package.json"), JSON.stringify(manifest, undefined, 2) + "\n");
  copyFileSync(path.join(template, "LICENSE"), path.join(out, "LICENSE"));
  writeDocuments(out);
}

/**
 * The address of the project, if that is known: the workflow of a release is in the repository that it names. npm leads
 * the links of the README there.
 */
export function addresses(repository) {
  if (!repository) return {};
  return {
    homepage: `${repository}#readme`,
    repository: { type: "git", url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
  };
}

/** The crate and the package are one thing, so they have one version. */
function crateVersion() {
  const cargo = readFileSync(path.join(root, "Cargo.toml"), "utf8");
  const version = /^\[workspace\.package\][^[]*?^version = "([^"]+)"$/ms.exec(cargo)?.[1];
  if (!version) throw new Error("Cargo.toml names no version");
  return version;
}

/**
 * Each entry is exported by its name, those in a folder by one pattern. One that has a module in it has the condition
 * `workerd`, besides: there the machines among all share the file of all.
 */
function addSubpaths(manifest) {
  const subpaths = entries.map(({ name, subpath }) => {
    const hasModule = name === "index" || machineEntries.includes(name);
    const shared = APART.includes(name) ? name : "index";
    const workerd = hasModule && { workerd: `./dist/${shared}.workerd.mjs` };
    const file = name.replace(/\/.*/, "/*");
    const types = { types: `./dist/${file}.d.mts` };
    return [
      subpath.replace(/^(\.\/[^/]+\/).*/, "$1*"),
      { ...types, ...workerd, default: fileOf(file) },
    ];
  });
  manifest.exports = { ...Object.fromEntries(subpaths), ...manifest.exports };
  manifest.imports = {
    [`#${INTERNAL}`]: {
      workerd: `./dist/${INTERNAL}.workerd.mjs`,
      default: `./dist/${INTERNAL}.mjs`,
    },
  };
}

function fileOf(entry) {
  return `./dist/${entry === CLINE ? CLINE_PLUGIN : `${entry}.mjs`}`;
}
