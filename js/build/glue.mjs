// The glue is what wasm-bindgen writes, made short: it thinks of older engines, and says of each
// class and each function anew what one can say of all.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PARTS = fileURLToPath(new URL("glue-parts.js", import.meta.url));

/** What is found in the glue, and what stands in its place. */
const REPLACED = [
  // Classes have in common how an object is owned and freed.
  [/^export class (\w+) \{$/gm, "export class $1 extends Owned {"],
  [/ {4}static __wrap\(ptr\) \{\n[^}]*\}\n/g, ""],
  [/ {4}__destroy_into_raw\(\) \{\n[^}]*\}\n/g, ""],
  [/ {4}free\(\) \{\n[^}]*\}\n/g, ""],
  [
    /const ret = (.*);\n\s*if \(ret\[2\]\) \{\n.*\n\s*\}\n\s*this\.__wbg_ptr = .*\n\s*(\w+)Finalization\..*\n\s*return this;/g,
    (_, call, name) => `super(${call}, wasm.${freeing(name)});`,
  ],
  [
    /const ret = (.*);\n\s*if \(ret\[2\]\) \{\n.*\n\s*\}\n\s*return (\w+)\.__wrap\(ret\[0\]\);/g,
    (_, call, name) => `return Reflect.construct(Owned, [${call}, wasm.${freeing(name)}], this);`,
  ],
  [/^if \(Symbol\.dispose\) .*\n/gm, ""],
  [/^const \w+Finalization = .*\n.*\n.*\n/gm, ""],

  // Functions have in common how they take arguments and hand out results.
  [/\b(passArray8ToWasm0|passStringToWasm0)\((\w+), wasm.*\);/g, "$1($2);"],
  [
    // Who has used up the memory has nothing to free.
    /let ptr0, .*;\n\s*try \{\n([^}]*)\} catch \(e\) \{\n(?:.*\n)*?\s*throw e;\n\s*\}/g,
    (_, assignments) => assignments.replace(/\w+ =/g, "const $&"),
  ],
  [
    /var (\w+) = getArray(U8|U32)FromWasm0\(ret\[0\], ret\[1\]\)\.slice\(\);\n.*\n\s*return \1;/g,
    "return takeArray$2(ret);",
  ],
  [
    /if \(ret\[2\]\) \{\n.*\n\s*\}\n\s*return takeFromExternrefTable0\(ret\[0\]\);/g,
    "return takeResult(ret);",
  ],
  [/const ret = (.*);\n\s*return (\w+)\(ret\);/g, "return $2($1);"],

  // So have imports.
  [/^ *__proto__: null,\n/gm, ""],
  [
    /const (obj|val|v) = (arg\d);\n((?:.*\n)*? {8}\})/g,
    (_, name, argument, rest) => rest.replaceAll(new RegExp(`\\b${name}\\b`, "g"), argument),
  ],
  [
    /const ret = (.*);\n.*passStringToWasm0\(ret\);\n.*WASM_VECTOR_LEN;\n(?:.*getDataViewMemory0.*\n){2}/g,
    "const ret = putString(arg0, $1);\nreturn ret;\n",
  ],
  [
    /function\(\) \{ return handleError\(function \((.*)\) \{\n\s*const ret = (.*);\n.*\n\s*\}, arguments\); \}/g,
    "caught(($1) => $2)",
  ],
  [
    /function\((.*)\) \{\n(?:\s*\/\/.*\n)?\s*const ret = (.*);\n\s*return ret;\n\s*\}/g,
    "($1) => $2",
  ],

  // Engines have all this.
  [/^if \(!\('encodeInto' in .*\n(?:.*\n)*?\}\n/gm, ""],
  [/^cachedTextDecoder\.decode\(\);\n/gm, ""],
];

/** What is left of a class or an import that is like none of those above. */
const LEFT_OVER = /Finalization\b|__wrap|handleError\(function|wasm\.undefined/;

function freeing(className) {
  return `__wbg_${className.toLowerCase()}_free`;
}

/** The script of the folder `glue`, made short. Throws if it is other than it was. */
export function shortened(glue) {
  let code = readFileSync(path.join(glue, "turnkeeper.js"), "utf8");
  for (const [found, instead] of REPLACED) {
    if (code.search(found) < 0) throw new Error(`wasm-bindgen writes nothing like ${found}`);
    code = code.replaceAll(found, instead);
  }
  const parts = readFileSync(PARTS, "utf8");
  for (const [, name] of parts.matchAll(/^function (\w+)\(/gm)) {
    code = code.replace(new RegExp(`^function ${name}\\(.*\\{\\n(?:.*\\n)*?\\}\\n`, "m"), "");
  }
  code = withShortNames(parts + code, glue);
  const leftOver = LEFT_OVER.exec(code);
  if (leftOver) throw new Error(`the glue cannot be made short because of its ${leftOver[0]}`);
  return code;
}

/** What crosses has the names that it has in the module. */
function withShortNames(code, glue) {
  const { imports, exports } = JSON.parse(readFileSync(path.join(glue, "names.json"), "utf8"));
  const exported = new Map(exports);
  let short = code.replace(/\bwasm\.(\w+)/g, (_, name) => `wasm.${exported.get(name)}`);
  for (const [file, name, instead] of imports) {
    short = short.replace(`${name}: `, `${instead}: `).replace(`"${file}": `, "a: ");
  }
  return short;
}
