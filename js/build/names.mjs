// esbuild shortens all names of a bundle or none.

import ts from "typescript";

const FILE = "bundle.mjs";

/** The module with everything that it exports under the name of the export, inside, too. */
export function nameExports(code) {
  const service = languageService(code);
  const edits = [];
  for (const statement of service.getProgram().getSourceFile(FILE).statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    for (const { propertyName, name } of statement.exportClause.elements) {
      if (propertyName === undefined) continue;
      for (const { textSpan } of service.findRenameLocations(
        FILE,
        propertyName.end,
        false,
        false,
      )) {
        edits.push({ ...textSpan, name: name.text });
      }
    }
  }
  edits.sort((a, b) => b.start - a.start);
  let named = code;
  for (const { start, length, name } of edits) {
    named = named.slice(0, start) + name + named.slice(start + length);
  }
  return named;
}

function languageService(code) {
  return ts.createLanguageService({
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => "",
    getScriptSnapshot: (name) => (name === FILE ? ts.ScriptSnapshot.fromString(code) : undefined),
    getCurrentDirectory: () => "",
    getCompilationSettings: () => ({ allowJs: true, noLib: true, noResolve: true }),
    getDefaultLibFileName: () => "",
    fileExists: (name) => name === FILE,
    readFile: (name) => (name === FILE ? code : undefined),
  });
}
