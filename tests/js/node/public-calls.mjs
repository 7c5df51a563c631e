// Every call of the package, read off the report of its public types.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const API = fileURLToPath(new URL("../../../js/api", import.meta.url));
const ts = createRequire(new URL("../../../js/package.json", import.meta.url))("typescript");

/**
 * The calls of each entry, such as `LoopDetector.observe`, `new LoopDetector` and `dedupeHistory`, under
 * its import specifier. A value that is no function, such as an adapter, stands for itself.
 */
export function publicCalls() {
  const files = readdirSync(API, { recursive: true }).map(String);
  const reports = files.length > 2 ? files : nested();
  return new Map(
    reports
      .filter((file) => file.endsWith(".d.ts"))
      .sort()
      .map((file) => [specifierOf(file), callsIn(path.join(API, file))]),
  );
}

/** Node 18.0 to 18.16 do not look into folders. */
function nested() {
  return readdirSync(API, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(path.join(API, entry.name)).map((name) => path.join(entry.name, name))
      : [entry.name],
  );
}

function specifierOf(file) {
  const name = file.replaceAll(path.sep, "/").replace(/\.d\.ts$/, "");
  return name === "index" ? "turnkeeper" : `turnkeeper/${name}`;
}

function callsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const declared = new Map();
  const exported = new Set();
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) declared.set(name.text, name);
    } else if (ts.isExportDeclaration(statement)) {
      for (const { name } of statement.exportClause.elements) exported.add(name.text);
    } else if (ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement)) {
      declared.set(statement.name.text, statement);
    }
  }
  const calls = [];
  for (const name of exported) {
    const declaration = declared.get(name);
    if (!declaration) continue;
    if (!ts.isClassDeclaration(declaration)) calls.push(name);
    else calls.push(`new ${name}`, ...membersOf(declaration, declared).map((m) => `${name}.${m}`));
  }
  return [...new Set(calls)].sort();
}

/** The methods and getters of a class, and of those that it extends. */
function membersOf(declaration, declared) {
  const members = declaration.members.flatMap((member) => {
    const isCall = ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member);
    const isHidden = member.modifiers?.some(({ kind }) =>
      [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword].includes(kind),
    );
    return isCall && !isHidden && ts.isIdentifier(member.name) ? [member.name.text] : [];
  });
  const base = declaration.heritageClauses?.[0]?.types[0]?.expression.text;
  const inherited = declared.get(base);
  return inherited && ts.isClassDeclaration(inherited)
    ? [...members, ...membersOf(inherited, declared)]
    : members;
}
