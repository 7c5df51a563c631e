import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import type { FolderFile } from "../worker/folder-tasks.js";
import type { AuditedFolder } from "../worker/shapes.js";

/** The folder that was opened, if one was. */
export type FolderState =
  | { state: "none" }
  | { state: "reading"; name: string; part: number }
  | { state: "open"; name: string; audited: AuditedFolder }
  | { state: "broken"; name: string; problem: string };

export interface FolderHolder {
  current: FolderState;
  /** Whether nothing was opened since: the folder stands in place of a session. */
  isAlone: boolean;
  open(name: string, files: readonly FolderFile[]): void;
  /** The file at a path below the folder. */
  fileAt(path: string): Blob | undefined;
  /** A session has been opened. */
  leave(): void;
}

/** Files that may be sessions; a folder has many others. */
const SESSION = /\.(jsonl?|ndjson|traj)(\.bak)?$/i;

/** Holds one folder; a new one takes its place. */
export function useFolder(): FolderHolder {
  const [current, set] = useState<FolderState>({ state: "none" });
  const [isAlone, setAlone] = useState(false);
  const work = useRef<AbortController | undefined>(undefined);
  const held = useRef(new Map<string, Blob>());
  const open = useCallback((name: string, all: readonly FolderFile[]) => {
    work.current?.abort();
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    const files = all.filter(({ path }) => SESSION.test(path));
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    held.current = new Map(files.map(({ path, blob }) => [path, blob]));
    set({ state: "reading", name, part: 0 });
    setAlone(true);
    let shown = 0;
    const onNews = (part: unknown): void => {
      if (signal.aborted || (part as number) < shown + 0.01) return;
      shown = part as number;
      set({ state: "reading", name, part: shown });
    };
    ask("auditFolder", { files }, signal, onNews).then(
      (audited) => set({ state: "open", name, audited }),
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof NoAnswer ? error.message : String(error);
        set({ state: "broken", name, problem });
      },
    );
  }, []);
  useEffect(() => () => work.current?.abort(), []);
  const fileAt = useCallback((path: string) => held.current.get(path), []);
  const leave = useCallback(() => setAlone(false), []);
  return { current, isAlone, open, fileAt, leave };
}

/** Lets the user pick a folder where the browser can; undefined where a field has to do it. */
export async function pickFolder(): Promise<
  { name: string; files: FolderFile[] } | "none" | undefined
> {
  const { showDirectoryPicker } = globalThis as { showDirectoryPicker?: () => Promise<Directory> };
  if (showDirectoryPicker === undefined) return undefined;
  let folder: Directory;
  try {
    folder = await showDirectoryPicker();
  } catch (error) {
    // Nothing was picked; or the page may not ask, and a field may.
    return (error as Error).name === "AbortError" ? "none" : undefined;
  }
  const files: FolderFile[] = [];
  await collect(folder, "", files);
  return { name: folder.name, files };
}

interface Directory {
  readonly kind: "directory";
  readonly name: string;
  values(): AsyncIterable<Directory | { kind: "file"; name: string; getFile(): Promise<Blob> }>;
}

async function collect(folder: Directory, below: string, files: FolderFile[]): Promise<void> {
  for await (const entry of folder.values()) {
    const path = `${below}${entry.name}`;
    if (entry.kind === "directory") await collect(entry, `${path}/`, files);
    else if (SESSION.test(path)) files.push({ path, blob: await entry.getFile() });
  }
}
