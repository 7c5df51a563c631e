// Hosts for the assembler's tests, and ways to look at a block.

/**
 * A host with files (path to content) and tools (name to a function of the arguments). It notes
 * what it is asked in `asked`, as `path`, `path:from:to`, `name{…}`, `path/` or `image uri`.
 */
export function makeHost(files = {}, tools = {}) {
  const asked = [];
  return {
    files,
    asked,
    /** What was asked since the last look. */
    news: () => asked.splice(0),
    async readFile({ path, startLine, endLine }) {
      const lastLine = endLine === startLine ? undefined : endLine;
      const range = [startLine, lastLine].filter((line) => line !== undefined);
      asked.push([path, ...range].join(":"));
      if (!Object.hasOwn(files, path)) return { missing: true };
      if (startLine === undefined) return files[path];
      return lines(files[path], startLine, endLine);
    },
    async runTool({ name, args }) {
      asked.push(`${name}${JSON.stringify(args)}`);
      return tools[name](args);
    },
    async readImage({ uri }) {
      asked.push(`image ${uri}`);
      return { mediaType: "image/png", data: Buffer.from(uri).toString("base64") };
    },
    async listDirectory({ path }) {
      asked.push(`${path}/`);
      const inside = (file) => path === "." || file.startsWith(`${path}/`);
      return Object.keys(files).filter(inside).join("\n");
    },
  };
}

/** Lines of a text from 1, the last one included, without the line end behind them. */
export function lines(text, start, end) {
  return text
    .split("\n")
    .slice(start - 1, end)
    .join("\n");
}

/** The object that a block holds; the block must be written as it has to be. */
export function read(block) {
  const [, json] = /^<content_reference>\n([^]*)\n<\/content_reference>$/.exec(block) ?? [];
  if (json === undefined) throw new Error(`no block: ${block}`);
  return JSON.parse(json);
}

/** The keys of items. */
export const keys = (items) => items.map(({ key }) => key);

/** A promise with what settles it. */
export function deferred() {
  let resolve, reject;
  const promise = new Promise((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** Waits until nothing is left that only waits for its turn. */
export const idle = () => new Promise((resolve) => setImmediate(resolve));
