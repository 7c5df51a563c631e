// Runs the cases of tests/data/ghost-block/directives.json and conversations.json; see
// tests/data/README.md. Uses nothing but the package, so that Chromium runs the very same code.

/** Lines of a fixture as one text. */
const joined = (text) => (Array.isArray(text) ? text.join("\n") : text);

/** A host that has every file and no image. */
const everything = {
  readFile: async () => "x",
  runTool: async () => "x",
  listDirectory: async () => "x",
};

/** Runs one case; rejects with an error that names it. */
export async function runDirectives({ GhostBlockAssembler }, fixture) {
  const { name, options, before = [], prompt, text, diagnostics = [], items = [] } = fixture;
  const assembler = new GhostBlockAssembler({ root: "/work", ...options });
  try {
    for (const earlier of before) await assembler.assemble(joined(earlier), everything);
    const assembled = await assembler.assemble(joined(prompt), everything);
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
    for (const earlier of before) await inspected.assemble(joined(earlier), everything);
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

/** A host with files and tools, and what it is asked for. */
function hostOf({ files = {}, tools = {} }, asked) {
  return {
    async readFile({ path, startLine, endLine }) {
      const isRange = startLine !== undefined || endLine !== undefined;
      asked.push(isRange ? `${path}:${startLine}:${endLine}` : path);
      if (!(path in files)) return { missing: true };
      const lines = files[path].split("\n");
      return isRange ? lines.slice(startLine - 1, endLine).join("\n") : files[path];
    },
    async runTool({ name, args }) {
      asked.push(`${name}${JSON.stringify(args)}`);
      return tools[name];
    },
  };
}

/** Runs one case of conversations.json; rejects with an error that names it. */
export async function runConversation({ GhostBlockAssembler }, fixture) {
  const asked = [];
  const host = hostOf(fixture, asked);
  let assembler = new GhostBlockAssembler({ root: "/work", ...fixture.options });
  const items = (step, place) => {
    if (!step.items) return;
    same(
      assembler.items.map(({ key, from }) => ({ key, from: sorted(from) })),
      step.items.map(({ key, from }) => ({ key, from: sorted(from) })),
      `${place}: items`,
    );
  };
  try {
    for (const [at, step] of fixture.steps.entries()) {
      const place = `${fixture.name}, step ${at}`;
      if (step.prompt !== undefined) {
        asked.length = 0;
        const assembled = await assembler.assemble(step.prompt, host);
        const { text, block } = assembled;
        const user = block === "" ? text : text.slice(0, -block.length - 2);
        if (step.asks) same(asked, step.asks, `${place}: asks`);
        if (step.text !== undefined) same(user, step.text, `${place}: text`);
        const told = assembled.diagnostics.map(({ code, source }) =>
          source === undefined ? code : `${code} ${source}`,
        );
        if (step.diagnostics) same(told, step.diagnostics, `${place}: diagnostics`);
        if (step.block) same(block.includes(step.block), true, `${place}: ${block}`);
        if (step.lacks) same(block.includes(step.lacks), false, `${place}: ${block}`);
        if (step.again) same((await assembler.assemble(text, host)).text, text, `${place}: again`);
        items(step, place);
      } else if (step.inspect !== undefined) {
        const references = assembler.inspect(step.inspect).references.map((reference) => {
          const { path, startLine, endLine } = reference;
          return { path, startLine, endLine };
        });
        same(references, step.references, place);
      } else if (step.rules) {
        assembler.setRules(step.rules);
      } else if (step.scan) {
        assembler.scanHistory(step.scan.map((content) => ({ role: "user", content })));
        items(step, place);
      } else if (step.forget !== undefined) {
        same(assembler.forget(step.forget), step.gives, place);
      } else if (step.macros) {
        same(assembler.macros, step.macros, place);
      } else if (step.snapshot) {
        const snapshot = assembler.snapshot();
        assembler.dispose();
        assembler = GhostBlockAssembler.restore(snapshot);
        same(Array.from(assembler.snapshot()), Array.from(snapshot), place);
      } else {
        throw new Error(`${place}: unknown step`);
      }
    }
  } finally {
    assembler.dispose();
  }
}

/** The same with its keys in order. */
function sorted(value) {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function same(got, expected, place) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${place}: got ${left}, expected ${right}`);
}
