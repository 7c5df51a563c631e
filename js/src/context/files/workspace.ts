// Where a workspace is, as the environment of Cline, Roo Code and Kilo Code says it.

/** The folders that an environment names. */
export interface Workspace {
  /** What relative paths start from. */
  readonly root: string | undefined;
  /** The folders of a workspace that has several; a path names its own as `@name:src/a.ts`. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

const WORKING_DIRECTORY = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/;
const FOLDERS = /# Workspace Roots\n((?:- [^\n]+(?:\n|$))+)\s*Primary workspace: ([^\n]+)/;
const FOLDER = /^- ([^:\n]+): (.+?)(?: \((?:git|mercurial|none)\))?$/gim;

/** The folders that a text names, if it is an environment that does. */
export function workspaceOf(text: string): Workspace {
  const several = FOLDERS.exec(text);
  if (several === null) return { root: WORKING_DIRECTORY.exec(text)?.[1], folders: [] };
  const [, lines, primary] = several;
  const folders = Array.from(lines!.matchAll(FOLDER), ([, name, path]) => ({
    name: name!.trim(),
    path: path!.trim(),
  }));
  return { root: folders.find(({ name }) => name === primary!.trim())?.path, folders };
}
