import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import { SAMPLES, type SampleName } from "../samples.js";
import type { OpenedSession } from "../worker/session-tasks.js";

/** The session that the views show. */
export type SessionState =
  | { state: "reading"; name: string; part: number }
  | { state: "open"; session: OpenedSession; sample: SampleName | undefined }
  | { state: "broken"; name: string; problem: string };

export interface SessionHolder {
  current: SessionState;
  openFile(name: string, file: Blob): void;
  openSample(name: SampleName): void;
}

/** Holds one session; a new one takes its place, also while it is being read. */
export function useSession(): SessionHolder {
  const [current, set] = useState<SessionState>({ state: "reading", name: "", part: 0 });
  const work = useRef<AbortController | undefined>(undefined);
  const open = useCallback((name: string, blob: Blob, sample: SampleName | undefined) => {
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
    ask("openSession", { name, blob }, signal, onNews).then(
      (session) => set({ state: "open", session, sample }),
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof NoAnswer ? error.message : String(error);
        set({ state: "broken", name, problem });
      },
    );
  }, []);
  useEffect(() => () => work.current?.abort(), []);
  const openFile = useCallback((name: string, file: Blob) => open(name, file, undefined), [open]);
  const openSample = useCallback(
    (sample: SampleName) => {
      const { name, text } = SAMPLES[sample];
      open(name, new Blob([text]), sample);
    },
    [open],
  );
  return { current, openFile, openSample };
}
