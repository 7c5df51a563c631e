import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

import { ask } from "../ask.js";
import type { Address, ChangeAddress } from "../frame/address.js";
import { Source, Progress } from "../frame/source.js";
import type { FolderHolder } from "../frame/use-folder.js";
import type { SessionHolder } from "../frame/use-session.js";
import { useWide } from "../frame/use-wide.js";
import { DEFAULT_PROFILE } from "../profiles.js";
import { FIRST_SAMPLE, type SampleName } from "../samples.js";
import { languageOf } from "../words/language.js";
import { useWords } from "../words/words.js";
import type { FolderRow, WholeRow } from "../worker/shapes.js";

import { Costs } from "./costs.js";
import { EventList } from "./event-list.js";
import { FIRST_ANSWER } from "./first-answer.js";
import { Findings } from "./findings.js";
import { Folder } from "./folder.js";
import { PlayBar } from "./play-bar.js";
import { RulesForm } from "./rules-form.js";
import { Saving } from "./saving.js";
import { Timeline } from "./timeline.js";
import { rulesOf, useJudgement } from "./use-judgement.js";

const FIRST_RULES = JSON.stringify({ profile: DEFAULT_PROFILE });

/** What a view of a session gets. */
export interface SessionViewProps {
  address: Address;
  change: ChangeAddress;
  source: {
    holder: SessionHolder;
    sample: string;
    offered: readonly SampleName[];
    onSample(name: string): void;
    onOwn(): void;
    folder?: FolderHolder;
  };
}

/** A session as a picture: what it did, where it went round in circles, and what that cost. */
export function SessionsView({ address, change, source }: SessionViewProps): VNode {
  const words = useWords();
  const isWide = useWide();
  const rules = useMemo(
    () => rulesOf(address),
    [address.profile, address.model, address.calls, address.passages],
  );
  const { current } = source.holder;
  const judgement = useJudgement(current, rules);
  const { session, part, problem } = judgement;
  const isFirst = source.sample === FIRST_SAMPLE && JSON.stringify(rules) === FIRST_RULES;
  // Until the worker has judged the first sample, what it will say is known.
  const known = judgement.judged || !isFirst ? judgement : FIRST_ANSWER;
  const { judged, plays } = known;
  const selected = judged ? Math.min(Number(address.row) || 0, judged.rows - 1) : 0;
  const [shown, setShown] = useState<WholeRow>();
  const call = shown?.lastCall;
  const select = useCallback((row: number) => change({ row: row > 0 ? `${row}` : "" }), []);
  const selectCall = useCallback(
    (at: number) => {
      if (session === undefined) return;
      void ask("rowOfCall", { id: session, call: at }).then(select, () => {});
    },
    [session],
  );

  // A session of a folder is opened at its loop.
  const [loop, lookAt] = useState<number>();
  const openOf = useCallback(({ file, firstCall }: FolderRow) => {
    const blob = source.folder?.fileAt(file);
    if (!blob) return;
    source.onOwn();
    source.holder.openFile(file.replace(/^.*\//, ""), blob);
    lookAt(firstCall);
  }, []);
  useEffect(() => {
    if (loop === undefined || judged === undefined || session === undefined) return;
    lookAt(undefined);
    selectCall(loop);
  }, [judged, session]);

  const hasOwnRules = `${address.model}${address.calls}${address.passages}` !== "";
  const unit = current.state === "open" ? current.session.unit : "line";
  // What has not changed is not drawn again with every key of a threshold.
  const timeline = useMemo(
    () =>
      judged && (
        <Timeline
          judged={judged}
          plays={plays}
          hasOwnRules={hasOwnRules}
          call={call}
          onCall={selectCall}
        />
      ),
    [judged, plays, hasOwnRules, call, selectCall],
  );
  const findings = useMemo(
    () => judged && <Findings play={judged.play} onCall={selectCall} />,
    [judged, selectCall],
  );
  const costs = useMemo(
    () => judged && <Costs judged={judged} onCall={selectCall} />,
    [judged, selectCall],
  );
  // The picture comes first, and the rest when it is drawn: each is a task that is over soon.
  const [drawn, setDrawn] = useState<number>();
  useEffect(() => setDrawn(judgement.judged && session), [judgement.judged && session]);

  // On a narrow page the answer comes before what changes it.
  const form = <RulesForm address={address} change={change} problem={problem} />;
  if (source.folder?.isAlone === true) {
    return (
      <>
        <div class="beside">
          <Source {...source} />
        </div>
        <div class="stack">
          <Folder folder={source.folder} onOpen={openOf} />
        </div>
      </>
    );
  }
  return (
    <>
      <div class="beside">
        <Source {...source} />
        {isWide && form}
      </div>
      <div class="stack">
        {source.folder && <Folder folder={source.folder} onOpen={openOf} />}
        {current.state === "reading" && !judged && (
          <Progress label={words.source.reading} part={current.part} />
        )}
        {part !== undefined && !judged && <Progress label={words.sessions.judging} part={part} />}
        {judged && (
          <section
            class="picture"
            aria-labelledby="timeline-heading"
            aria-busy={judgement.judged === undefined}
          >
            <div class="title-line">
              <h2 id="timeline-heading">{words.sessions.timeline}</h2>
              {part !== undefined && judgement.judged && (
                <Progress label={words.sessions.judging} part={part} />
              )}
            </div>
            <div role="status">
              <p class="money">{words.sessions.money(judged.report)}</p>
              <p class="headline">{words.sessions.headline(judged.report, judged.play)}</p>
            </div>
            {timeline}
            <PlayBar
              calls={judged.report.calls}
              isReady={judgement.judged !== undefined}
              call={call}
              run={shown?.lastRun}
              action={shown?.lastAction ?? "ok"}
              onCall={selectCall}
            />
            <Saving
              judged={judged}
              session={judgement.judged && session}
              language={languageOf(address.language, navigator.languages)}
            />
          </section>
        )}
        {!isWide && form}
        {judged && judgement.judged && drawn === session && session !== undefined && (
          <>
            <div class="columns">
              {findings}
              <EventList
                session={session}
                rows={judged.rows}
                version={judged}
                unit={unit}
                selected={selected}
                onSelect={select}
                onCall={setShown}
              />
            </div>
            {costs}
          </>
        )}
      </div>
    </>
  );
}
