import { useEffect, useMemo, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import type { Address } from "../frame/address.js";
import type { SessionState } from "../frame/use-session.js";
import { DEFAULT_PROFILE, isOwn, isProfile } from "../profiles.js";
import type { Rules } from "../worker/session-tasks.js";
import type { JudgedSession, ProfilePlay } from "../worker/shapes.js";

/** What has been found out about the open session so far. */
export interface Judgement {
  judged: JudgedSession | undefined;
  /** The session that it is of. */
  session: number | undefined;
  /** What each profile says, as it comes. */
  plays: ProfilePlay[];
  /** The part that has been judged, while it is. */
  part: number | undefined;
  /** Why the settings are not accepted. */
  problem: NoAnswer | undefined;
}

/** The rules that an address names. */
export function rulesOf({ profile, model, calls, passages }: Address): Rules {
  const named = isProfile(profile) ? profile : DEFAULT_PROFILE;
  return {
    profile: named,
    ...(model.trim() !== "" && { model: model.trim() }),
    ...(isOwn(named) && calls !== "" && { identicalCalls: Number(calls) }),
    ...(isOwn(named) && passages !== "" && { repeatedPassages: Number(passages) }),
  };
}

/** Judges the open session, and again whenever the rules change. */
export function useJudgement(current: SessionState, rules: Rules): Judgement {
  const id = current.state === "open" ? current.session.id : undefined;
  const [judged, setJudged] = useState<{ session: number; result: JudgedSession }>();
  const [part, setPart] = useState<number>();
  const [problem, setProblem] = useState<NoAnswer>();
  const [plays, setPlays] = useState<{ session: number; all: ProfilePlay[] }>();
  const asked = JSON.stringify(rules);

  useEffect(() => {
    if (id === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    let shown = 0;
    const onNews = (news: unknown): void => {
      if ((news as number) < shown + 0.02) return;
      shown = news as number;
      setPart(shown);
    };
    setPart(0);
    ask("judgeSession", { id, rules }, signal, onNews)
      .then((result) => {
        setJudged({ session: id, result });
        setProblem(undefined);
      })
      .catch((error: unknown) => {
        if (!signal.aborted && error instanceof NoAnswer) setProblem(error);
      })
      .finally(() => {
        if (!signal.aborted) setPart(undefined);
      });
    return () => controller.abort();
  }, [id, asked]);

  // The other profiles come after the picture, so that nobody waits for them.
  const isJudged = judged?.session === id;
  useEffect(() => {
    if (id === undefined || !isJudged || plays?.session === id) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onNews = (play: unknown): void => {
      if (signal.aborted) return;
      setPlays((before) => ({
        session: id,
        all: [...(before?.session === id ? before.all : []), play as ProfilePlay],
      }));
    };
    ask("compareProfiles", { id }, signal, onNews).catch(() => {
      // Somebody has opened another session.
    });
    return () => controller.abort();
  }, [id, isJudged]);

  return useMemo(
    () => ({
      judged: isJudged ? judged?.result : undefined,
      session: id,
      plays: plays !== undefined && plays.session === id ? plays.all : [],
      part,
      problem,
    }),
    [judged, isJudged, id, plays, part, problem],
  );
}
