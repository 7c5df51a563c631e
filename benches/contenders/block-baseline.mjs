// What a few lines of TypeScript do: the files read, the block by `JSON.stringify`, one regular
// expression over the prompt.

/** Asks for all files at once and appends them. */
export const assembleContender = () => ({
  name: "JSON.stringify",
  async take({ prompt, all, host }) {
    const paths = [...all.keys()];
    const contents = await Promise.all(paths.map((path) => host.readFile({ path })));
    const block = { files: Object.fromEntries(paths.map((path, at) => [path, contents[at]])) };
    const json = JSON.stringify(block, null, 2);
    return `${prompt}\n\n<content_reference>\n${json}\n</content_reference>`;
  },
});

const REFERENCE = /@\[([^\]\n]*)\]|@\{([^}\n]*)\}|!\[([^\]\n]*)\]\(([^)\n]*)\)/g;

/** The references of a prompt with their places. */
export const inspectContender = () => ({
  name: "one regex",
  take(prompt) {
    const references = [];
    for (const match of prompt.matchAll(REFERENCE)) {
      references.push({ start: match.index, end: match.index + match[0].length, name: match[2] });
    }
    return references;
  },
});
