import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { useWords } from "../words/words.js";
import type { Row, Run } from "../worker/shapes.js";

interface PlayBarProps {
  calls: number;
  /** Whether a call can be shown: not before the worker has the session. */
  isReady: boolean;
  call: number | undefined;
  /** How far the longest run is at that call, and what came of it. */
  run: Run | undefined;
  action: Row["action"];
  onCall: (call: number) => void;
}

/** Milliseconds from one call to the next. */
const PACE = 250;
/** A long session goes by in a minute. */
const LONGEST = 240;

/** Goes through the calls, as they were made. */
export function PlayBar(props: PlayBarProps): VNode {
  const { calls, isReady, call = 0, run: longest, action, onCall } = props;
  const words = useWords();
  const [isRunning, run] = useState(false);
  const at = useRef(call);
  at.current = call;
  useEffect(() => {
    if (!isRunning) return;
    const step = Math.ceil(calls / LONGEST);
    const timer = setInterval(() => {
      const next = Math.min(calls - 1, at.current + step);
      onCall(next);
      if (next >= calls - 1) run(false);
    }, PACE);
    return () => clearInterval(timer);
  }, [isRunning, calls, onCall]);
  useEffect(() => run(false), [calls]);
  if (calls === 0) return <></>;
  const current = Math.max(0, call);
  return (
    <div class="play" role="group" aria-label={words.play.heading}>
      <button
        type="button"
        disabled={!isReady}
        onClick={() => {
          if (!isRunning && current >= calls - 1) onCall(0);
          run(!isRunning);
        }}
      >
        {isRunning ? words.play.pause : words.play.run}
      </button>
      <button type="button" disabled={!isReady} onClick={() => onCall(Math.max(0, current - 1))}>
        {words.play.back}
      </button>
      <button
        type="button"
        disabled={!isReady}
        onClick={() => onCall(Math.min(calls - 1, current + 1))}
      >
        {words.play.step}
      </button>
      <input
        type="range"
        disabled={!isReady}
        aria-label={words.play.call}
        min={0}
        max={calls - 1}
        value={current}
        aria-valuetext={words.play.at(current, calls)}
        onInput={({ currentTarget }) => onCall(currentTarget.valueAsNumber)}
      />
      <output>
        {words.play.at(current, calls)}
        {longest && ` · ${words.events.run(longest.count, longest.threshold)}`}
        {action !== "ok" && " "}
        {action !== "ok" && <strong class={`said ${action}`}>{words.actions[action]}</strong>}
      </output>
    </div>
  );
}
