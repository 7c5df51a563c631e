import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { NoAnswer, ask } from "../ask.js";
import type { Address, ChangeAddress } from "../frame/address.js";
import { useWords } from "../words/words.js";
import type {
  Action,
  Board,
  BoardOptions,
  BoardTerminal,
  Platform,
} from "../worker/terminal-tasks.js";

import { EXAMPLES } from "./examples.js";
import { Log } from "./log.js";
import { SendForm } from "./send-form.js";

/** A board of terminals: which of them runs a command, why, and by which line. */
export function TerminalsView(props: { address: Address; change: ChangeAddress }): VNode {
  const { address, change } = props;
  const words = useWords();
  const platform: Platform = address.platform === "win32" ? "win32" : "posix";
  const [actions, setActions] = useState<Record<Platform, Action[]>>(EXAMPLES);
  const [board, setBoard] = useState<Board>();
  const [problem, complain] = useState("");
  const options: BoardOptions = useMemo(
    () => ({
      platform,
      maxDirectoryChanges: Number(address.changes),
      stealFromOtherTasks: address.steal === "yes",
      reachable: address.reach === "anywhere" ? "anywhere" : "related",
      ...(address.terminals !== "" && { maxTerminals: Number(address.terminals) }),
    }),
    [platform, address.changes, address.steal, address.reach, address.terminals],
  );
  const own = actions[platform];
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    ask("playBoard", { options, actions: own }, signal).then(
      (result) => {
        setBoard(result);
        complain("");
      },
      (error: unknown) => {
        if (!signal.aborted) complain(error instanceof NoAnswer ? error.message : String(error));
      },
    );
    return () => controller.abort();
  }, [options, own]);
  const set = (all: Action[]): void => setActions({ ...actions, [platform]: all });
  const add = (action: Action): void => set([...own, action]);

  return (
    <>
      <div class="beside">
        <SendForm key={platform} platform={platform} onSend={add} />
        <section class="rules" aria-labelledby="board-rules-heading">
          <h2 id="board-rules-heading">{words.board.rules}</h2>
          <div class="fields">
            <label class="field">
              {words.board.platform}
              <select
                value={platform}
                onChange={({ currentTarget }) => change({ platform: currentTarget.value })}
              >
                <option value="posix">{words.board.posix}</option>
                <option value="win32">{words.board.win32}</option>
              </select>
            </label>
            <label class="field">
              {words.board.changes}
              <input
                type="number"
                min={0}
                max={100}
                value={address.changes}
                onInput={({ currentTarget }) => change({ changes: currentTarget.value })}
              />
            </label>
            <label class="field">
              {words.board.most}
              <input
                type="number"
                min={1}
                max={100}
                value={address.terminals}
                placeholder={words.board.noMost}
                onInput={({ currentTarget }) => change({ terminals: currentTarget.value })}
              />
            </label>
            <label class="field">
              {words.board.reach}
              <select
                value={address.reach === "anywhere" ? "anywhere" : "related"}
                onChange={({ currentTarget }) => change({ reach: currentTarget.value })}
              >
                <option value="related">{words.board.reaches.related}</option>
                <option value="anywhere">{words.board.reaches.anywhere}</option>
              </select>
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={address.steal === "yes"}
                onChange={({ currentTarget }) =>
                  change({ steal: currentTarget.checked ? "yes" : "" })
                }
              />
              {words.board.steal}
            </label>
          </div>
          <div class="buttons">
            <button type="button" onClick={() => set(own.slice(0, -1))}>
              {words.board.undo}
            </button>
            <button type="button" onClick={() => set([])}>
              {words.board.clear}
            </button>
            <button type="button" onClick={() => set(EXAMPLES[platform])}>
              {words.board.example}
            </button>
          </div>
          {problem && (
            <p class="complaint" role="alert">
              {problem}
            </p>
          )}
        </section>
      </div>
      {board && (
        <div class="columns">
          <section class="board" aria-labelledby="board-heading">
            <h2 id="board-heading">{words.board.heading}</h2>
            {board.terminals.length === 0 && <p>{words.board.empty}</p>}
            <ul class="terminals">
              {board.terminals.map((terminal) => (
                <Terminal key={terminal.id} terminal={terminal} onAction={add} />
              ))}
            </ul>
          </section>
          <Log outcomes={board.outcomes} />
        </div>
      )}
    </>
  );
}

function Terminal(props: { terminal: BoardTerminal; onAction: (action: Action) => void }): VNode {
  const { terminal, onAction } = props;
  const words = useWords();
  const { id, shell, taskId, workingDirectory, directory, busy, failed } = terminal;
  const { closing, directoryChanges, environment } = terminal;
  const act = (what: keyof typeof words.board.acts): VNode => (
    <button type="button" onClick={() => onAction({ do: what, id })}>
      {words.board.acts[what]}
      <span class="spoken"> {words.board.terminal(id)}</span>
    </button>
  );
  const state = failed ? "failed" : closing ? "closing" : busy ? "busy" : "idle";
  return (
    <li class={`terminal ${state}`}>
      <h3>
        {words.board.terminal(id)} <span class={`said ${state}`}>{words.board.states[state]}</span>
      </h3>
      <p>
        {workingDirectory !== undefined && <code>{workingDirectory} </code>}
        {directory === undefined ? (
          words.board.nowhere
        ) : (
          <span class={`said ${directory}`} title={words.board.aboutCertainty[directory]}>
            {words.board.certainties[directory]}
          </span>
        )}
      </p>
      <p class="quiet">
        {shell ?? "?"} · {taskId === undefined ? words.board.noTask : words.board.task(taskId)} ·{" "}
        {words.board.changed(directoryChanges)}
        {environment.length > 0 && ` · ${words.board.environment}`}
      </p>
      <div class="buttons">
        {busy && act("done")}
        {act("close")}
        {!failed && act("fail")}
        {directory !== undefined && directory !== "reported" && act("report")}
        {directory !== "uncertain" && directory !== undefined && act("lose")}
        {act("change")}
        {act("reset")}
        {taskId !== undefined && (
          <button type="button" onClick={() => onAction({ do: "release", task: taskId })}>
            {words.board.release(taskId)}
          </button>
        )}
      </div>
    </li>
  );
}
