// The public surface of each entry, without its documentation, as files that a review can read:
//   node js/build/api-report.mjs [--check]
// Each declaration stands in the order of names, so that moving code changes nothing.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import prettier from "prettier";
import ts from "typescript";

import { entries, js } from "./entries.mjs";
import { declarations, writeTypes } from "./types.mjs";

const FOLDER = path.join(js, "api");
const COMMAND = "cargo xtask api";

// The compiler makes the declarations once; what each entry needs of them is looked up in them.
const dist = mkdtempSync(path.join(tmpdir(), "turnkeeper-types-"));
await writeTypes(dist);
const reports = await makeReports();
rmSync(dist, { recursive: true });
const onDisk = new Map(
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path: folder, name }) => path.join(parentPath ?? folder, name))
    .map((file) => [path.relative(FOLDER, file), readFileSync(file, "utf8")]),
);

if (process.argv.includes("--check")) {
  const problems = compare(onDisk, reports);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(
      "The public types have changed. If that is meant, note it in CHANGELOG.md and run " +
        `\`${COMMAND}\`, which writes js/api.`,
    );
    process.exitCode = 1;
  }
} else {
  for (const name of onDisk.keys()) if (!reports.has(name)) rmSync(path.join(FOLDER, name));
  for (const [name, text] of reports) {
    const file = path.join(FOLDER, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The text of each report, by its file's name. */
async function makeReports() {
  mkdirSync(FOLDER, { recursive: true });
  const reports = new Map();
  const main = statementsOf(await declarations(dist, "index"));
  for (const { name } of entries) {
    const all = name === "index" ? main : statementsOf(await declarations(dist, name));
    // The main entries differ in a few functions alone.
    const isMain = name === "slim";
    const missing = isMain ? main.filter((statement) => !all.includes(statement)) : [];
    if (missing.length > 0) throw new Error(`${name} lacks what index has:\n${missing[0]}`);
    const own = isMain ? all.filter((statement) => !main.includes(statement)) : all;
    const title = isMain
      ? `// What turnkeeper/${name} has beside all of index.d.ts.`
      : `// What turnkeeper${name === "index" ? "" : `/${name}`} exports, and the types that this needs.`;
    const head = `${title}\n// Written by \`${COMMAND}\`. Do not edit.\n\n`;
    const options = { parser: "typescript", printWidth: 100 };
    reports.set(`${name}.d.ts`, await prettier.format(head + own.join("\n\n"), options));
  }
  return reports;
}

/** The declarations of a file without comments, and what it exports, in the order of their names. */
function statementsOf(text) {
  const file = ts.createSourceFile("entry.d.ts", text, ts.ScriptTarget.Latest, true);
  const printer = ts.createPrinter({ removeComments: true });
  const exported = new Set();
  const printed = [];
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && !statement.moduleSpecifier) {
      for (const { propertyName, name } of statement.exportClause.elements) {
        exported.add(propertyName ? `${propertyName.text} as ${name.text}` : name.text);
      }
    } else {
      const code = printer.printNode(ts.EmitHint.Unspecified, statement, file);
      printed.push([nameOf(statement), code]);
    }
  }
  const sorted = printed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const exports = [...exported].sort().map((name) => `export { ${name} };`);
  return [...sorted.map(([, code]) => code), ...exports];
}

function nameOf(statement) {
  const named = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]
    : statement;
  return named.name?.text ?? "";
}

/** What differs, with the first lines that do. */
function compare(old, reports) {
  const problems = [];
  for (const name of new Set([...old.keys(), ...reports.keys()])) {
    const before = old.get(name)?.split("\n");
    const now = reports.get(name)?.split("\n");
    if (!before || !now) {
      problems.push(`js/api/${name} ${before ? "is of no entry" : "is missing"}`);
      continue;
    }
    const at = now.findIndex((line, index) => line !== before[index]);
    if (at < 0 && before.length === now.length) continue;
    const line = at < 0 ? now.length : at;
    problems.push(
      `js/api/${name}, line ${line + 1}:`,
      `  - ${before[line] ?? "(ends)"}`,
      `  + ${now[line] ?? "(ends)"}`,
    );
  }
  return problems;
}
