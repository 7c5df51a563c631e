// Runs the cases of tests/fixtures/ghost-block/directives.json; see tests/fixtures/README.md. Uses
// nothing but the package, so that Chromium runs the very same code.

/** Lines of a fixture as one text. */
const joined = (text) => (Array.isArray(text) ? text.join("\n") : text);

/** A host that has nothing. */
const nothing = { readFile: async () => ({ missing: true }) };

/** Runs one case; rejects with an error that names it. */
export async function runDirectives({ GhostBlockAssembler }, fixture) {
  const { name, options, before = [], prompt, text, diagnostics = [], items = [] } = fixture;
  const assembler = new GhostBlockAssembler({ root: "/work", ...options });
  try {
    for (const earlier of before) await assembler.assemble(joined(earlier), nothing);
    const assembled = await assembler.assemble(joined(prompt), nothing);
    const { block } = assembled;
    const user = block === "" ? assembled.text : assembled.text.slice(0, -block.length - 2);
    same(user, joined(text), `${name}: text`);
    const told = assembled.diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
    same(told, diagnostics, `${name}: diagnostics`);
    same(
      assembled.items.map(({ key }) => key),
      items,
      `${name}: items`,
    );
    const inspected = new GhostBlockAssembler({ root: "/work", ...options });
    for (const earlier of before) await inspected.assemble(joined(earlier), nothing);
    same(
      inspected.inspect(joined(prompt)).diagnostics,
      assembled.diagnostics,
      `${name}: what inspect tells`,
    );
    inspected.dispose();
  } finally {
    assembler.dispose();
  }
}

function same(got, expected, place) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${place}: got ${left}, expected ${right}`);
}
