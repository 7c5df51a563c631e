// PowerShell does not run here. A grammar of it, which somebody else wrote, reads its lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createRequire } from "node:module";

import { random, seed } from "../node/random.mjs";
import { lineFor } from "./lines.mjs";
import { names } from "./names.mjs";

const require = createRequire(import.meta.url);
const { Language, Parser } = require("web-tree-sitter");

await Parser.init();
const grammar = await Language.load(
  require.resolve("tree-sitter-powershell/tree-sitter-powershell.wasm"),
);
const parser = new Parser();
parser.setLanguage(grammar);

const ROUNDS = 3_000;

const pieces = [
  ..."'\"`$#&|;<>()[]{}*?~^=%,:@+-_. ax1",
  "touch canary",
  "''",
  '""',
  "; ",
  " { ",
  " } ",
  "}; touch canary; {",
  " && ",
  " || ",
  " # ",
  "$(",
  "${",
  "@{",
  "@(",
  "@'",
  '@"',
  "<#",
  "#>",
  "if ($x) { a }",
  " else { b }",
  "--%",
  "$x = ",
  "function f { a }",
  "\u2019",
  "\u201d",
  "目",
];

function pieced(most) {
  let text = "";
  for (let count = 1 + random(most); count > 0; count--) text += pieces[random(pieces.length)];
  return text;
}

/** What the line's one statement names as the directory, and what it holds back. */
function read(line) {
  const { rootNode } = parser.parse(line);
  if (rootNode.hasError) return undefined;
  const statements = rootNode.namedChild(0);
  assert.equal(statements.namedChildCount, 1, line);
  const statement = statements.namedChild(0);
  assert.equal(statement.type, "if_statement", line);
  assert.equal(statement.endIndex, line.length, line);
  const condition = statement.childForFieldName("condition");
  const [string, ...others] = condition.descendantsOfType("string_literal");
  assert.equal(others.length, 0, line);
  const directory = string.text.slice(1, -1).replace(/(['\u2018-\u201b])\1/g, "$1");
  return { directory, command: line.slice(statement.namedChild(1).startIndex + 2, -2) };
}

for (const shell of ["pwsh", "powershell"]) {
  test(`${shell}: each name is one string`, () => {
    const taken = names.filter((name) => !/[\p{Cc}\\:]/u.test(name));
    for (const name of taken) {
      const directory = `/a/${name}`;
      const line = lineFor(shell, directory, "touch canary");
      assert.deepEqual(read(line), { directory, command: "touch canary" }, line);
    }
    for (const name of names.filter((name) => !taken.includes(name))) {
      assert.equal(lineFor(shell, `/a/${name}`, "touch canary"), undefined, name);
    }
  });

  test(`${shell}: a random command stays within the braces (seed ${seed})`, () => {
    let held = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const command = `a${pieced(9)}`;
      const line = lineFor(shell, "C:\\it's", command, "win32");
      if (line === undefined) continue;
      const seen = read(line);
      if (seen === undefined) continue;
      held++;
      assert.deepEqual(seen, { directory: "C:\\it's", command }, line);
    }
    assert.ok(held > ROUNDS / 20, `${held} were held`);
  });
}
