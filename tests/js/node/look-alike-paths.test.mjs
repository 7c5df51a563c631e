// Every character of Unicode that compatibility normalisation (NFKC) turns into ASCII, in the places of paths in
// which the ASCII one leads elsewhere: the host is asked for none of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;

/** Paths by what is denied in them, with nothing in them but ASCII. */
const HOSTILE = [
  "/etc/passwd",
  "../secret.md",
  "a/../../secret.md",
  "\\\\srv\\share\\x",
  "C:\\Windows\\win.ini",
  "C:/x",
  "file:///etc/passwd",
  "~/.ssh/id_rsa",
  "$HOME/x",
  "%USERPROFILE%\\x",
  "%2e%2e/x",
  "CON",
  "PRN.txt",
  "aux",
  "nul.tar.gz",
  "conin$",
  "CONOUT$",
  "clock$",
  "COM1",
  "lpt9.x",
  "a.ts::$DATA",
];

/** Characters by the ASCII text that they turn into, the longest text first. */
const LOOK_ALIKES = new Map();
for (let code = 0x80; code < 0x110000; code++) {
  if (code >= 0xd800 && code < 0xe000) continue;
  const character = String.fromCodePoint(code);
  const plain = character.normalize("NFKC");
  if (!/^[!-~]+$/.test(plain)) continue;
  if (!LOOK_ALIKES.has(plain)) LOOK_ALIKES.set(plain, []);
  LOOK_ALIKES.get(plain).push(character);
}

/** Each path with one place in disguise, once for each character that serves. */
function* disguised(path) {
  for (const [plain, characters] of LOOK_ALIKES) {
    // A shell's variable is one in this case alone.
    const wanted = path.startsWith("$")
      ? [plain]
      : [plain, plain.toLowerCase(), plain.toUpperCase()];
    for (const of of new Set(wanted)) {
      for (let at = path.indexOf(of); at >= 0; at = path.indexOf(of, at + 1)) {
        for (const character of characters) {
          yield path.slice(0, at) + character + path.slice(at + of.length);
        }
      }
    }
  }
}

/** Each path as a whole in one style, such as full-width. */
function* styled(path) {
  for (let style = 0; style < 40; style++) {
    yield Array.from(
      path,
      (one) => LOOK_ALIKES.get(one)?.at(style % LOOK_ALIKES.get(one).length) ?? one,
    ).join("");
  }
}

/** The paths of which the host is asked. */
async function asked(platform, paths) {
  const root = platform === "win32" ? "C:\\work" : "/work";
  const assembler = new GhostBlockAssembler({ root, platform, maxItems: 10_000 });
  const seen = [];
  const note = async ({ path }) => (seen.push(path), "x");
  for (let from = 0; from < paths.length; from += 200) {
    const some = paths.slice(from, from + 200);
    // What a bracket or a brace would end is no path.
    const prompt = some.map((path) => `@[${path}]`).join("\n");
    await assembler.expandDocument(prompt, { readFile: note, listDirectory: note, runTool: note });
  }
  assembler.dispose();
  return seen;
}

describe("look-alikes", () => {
  test("there are many", () => {
    const count = [...LOOK_ALIKES.values()].flat().length;
    assert.ok(count > 1_300, `${count}`);
  });

  for (const platform of ["posix", "win32"]) {
    for (const path of HOSTILE) {
      test(`do not lead to ${path} on ${platform}`, async () => {
        const paths = [...disguised(path), ...styled(path)].filter((it) => !/[[\]{}]/.test(it));
        assert.ok(paths.length > 10, `${paths.length} paths`);
        // On posix, `a::$DATA` in ASCII is the name of a file.
        const isName = (it) => platform === "posix" && it.includes("::$");
        const odd = paths.filter((it) => /[^\0-\x7f]/.test(it) && !isName(it));
        assert.deepEqual(await asked(platform, odd), []);
      });
    }

    test(`are denied with the item's error, and honest names are asked for, on ${platform}`, async () => {
      const assembler = new GhostBlockAssembler({
        root: platform === "win32" ? "C:\\work" : "/work",
        platform,
      });
      const prompt =
        "@[／etc／passwd] @[第一章：開始.md] @[読み／書き.md] @[Ｑ＆Ａ.md] @[～まで.md]";
      const { items } = await assembler.assemble(prompt, { readFile: async () => "x" });
      assert.match(items[0].error, /^denied: look-alikes/);
      assert.deepEqual(
        items.slice(1).map(({ key, content }) => [key, content]),
        [
          ["第一章：開始.md", "x"],
          ["読み／書き.md", "x"],
          ["Ｑ＆Ａ.md", "x"],
          ["～まで.md", "x"],
        ],
      );
      assembler.dispose();
    });
  }
});
