import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { ask } from "../ask.js";
import { FIRST_SAMPLE, SAMPLES, type SampleName } from "../samples.js";
import type { OpenedSession } from "../worker/session-tasks.js";

import { fetchSession } from "./asked-session.js";

type Source = Blob | URL;

/** The session that the views show. */
export type SessionState =
  | { state: "reading"; name: string; part: number }
  | { state: "open"; session: OpenedSession; sample: SampleName | undefined }
  | { state: "broken"; name: string; problem: string };

export interface SessionHolder {
  current: SessionState;
  openFile(name: string, file: Blob): void;
  openSample(name: SampleName): void;
  /** Opens the session that is served at an address. */
  openAddress(url: URL): void;
}

/** Holds one session; a new one takes its place, also while it is being read. */
export function useSession(): SessionHolder {
  const [current, set] = useState<SessionState>({
    state: "reading",
    name: SAMPLES[FIRST_SAMPLE].name,
    part: 0,
  });
  const work = useRef<AbortController | undefined>(undefined);
  const open = useCallback((name: string, source: Source, sample?: SampleName) => {
    work.current?.abort();
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    set({ state: "reading", name, part: 0 });
    let shown = 0;
    const onNews = (part: unknown): void => {
      // Not each of many thousand parts.
      if (signal.aborted || (part as number) < shown + 0.01) return;
      shown = part as number;
      set({ state: "reading", name, part: shown });
    };
    const read = async (): Promise<OpenedSession> => {
      const blob = source instanceof URL ? await fetchSession(source, signal) : source;
      return ask("openSession", { name, blob }, signal, onNews);
    };
    read().then(
      (session) => set({ state: "open", session, sample }),
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        set({ state: "broken", name, problem });
      },
    );
  }, []);
  useEffect(() => () => work.current?.abort(), []);
  const openFile = useCallback((name: string, file: Blob) => open(name, file), [open]);
  const openSample = useCallback(
    (sample: SampleName) => {
      const { name, text } = SAMPLES[sample];
      open(name, new Blob([text]), sample);
    },
    [open],
  );
  const openAddress = useCallback(
    (url: URL) => open(url.pathname.replace(/^.*\//, "") || url.host, url),
    [open],
  );
  return { current, openFile, openSample, openAddress };
}
