import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";

import type { Address, ChangeAddress } from "../frame/address.js";
import { escapeControls, escapeLines } from "../words/plain-text.js";
import { useWords } from "../words/words.js";
import { PLACEMENTS, type Placement } from "../worker/placements.js";
import type { Forgotten, Preview } from "../worker/prompt-tasks.js";

import { Editor } from "./editor.js";
import { EXAMPLE_PROMPT, EXAMPLE_WORKSPACE } from "./example.js";
import { usePreview } from "./use-preview.js";
import { WorkspaceForm } from "./workspace-form.js";

/** A prompt as it is typed, and what would be sent for it. */
export function PromptView({
  address,
  change,
  draft,
  onDraft,
}: {
  address: Address;
  change: ChangeAddress;
  draft: string;
  onDraft: (text: string) => void;
}): VNode {
  const words = useWords();
  const [workspace, setWorkspace] = useState(EXAMPLE_WORKSPACE);
  const [sent, setSent] = useState<string[]>([]);
  const [forgotten, setForgotten] = useState<Forgotten[]>([]);
  const [editor, setEditor] = useState(0);
  const budget = address.budget === "" ? undefined : Number(address.budget);
  const conversation = useMemo(
    () => ({ workspace, sent, draft, forgotten, maxTokens: budget }),
    [workspace, sent, draft, forgotten, budget],
  );
  const { marks, previews, problem } = usePreview(conversation);
  const placement: Placement = address.placement === "delta" ? "delta" : "latest";
  const preview = previews.find((each) => each.placement === placement);
  const isLinked = address.prompt !== "";
  const write = (text: string): void => {
    onDraft(text);
    if (isLinked) change({ prompt: text });
  };
  /** Another text than the user's, in a new editor: one that is being typed in goes ahead of its page. */
  const replace = (text: string): void => {
    write(text);
    setEditor(editor + 1);
  };
  const send = (): void => {
    setSent([...sent, draft]);
    replace("");
  };
  return (
    <div class="columns prompt-columns">
      <div class="stack">
        <section aria-labelledby="prompt-heading">
          <h2 id="prompt-heading">{words.prompt.heading}</h2>
          <p class="hint">{words.prompt.hint}</p>
          <Editor key={editor} text={draft} marks={marks} onText={write} />
          <div class="buttons">
            <button type="button" onClick={send}>
              {words.prompt.send}
            </button>
            <button
              type="button"
              onClick={() => {
                setSent([]);
                setForgotten([]);
                replace(EXAMPLE_PROMPT);
              }}
            >
              {words.prompt.again}
            </button>
            <label class="check">
              <input
                type="checkbox"
                checked={isLinked}
                onChange={({ currentTarget }) =>
                  change({ prompt: currentTarget.checked ? draft : "" })
                }
              />
              {words.prompt.linked}
            </label>
            <span class="quiet" role="status">
              {words.prompt.sent(sent.length)}
            </span>
          </div>
          {marks && marks.diagnostics.length > 0 && (
            <ul class="diagnostics">
              {marks.diagnostics.slice(0, 20).map(({ line, column, code, message }, at) => (
                <li key={at}>
                  {words.prompt.place(line, column)} <code>{code}</code>{" "}
                  <span lang="en">{escapeControls(message)}</span>
                </li>
              ))}
            </ul>
          )}
          <p class="legend">
            {(["file", "tool", "image", "macro"] as const).map((kind) => (
              <span key={kind}>
                <i class={`key mark-${kind}`} /> {words.prompt.kinds[kind]}
              </span>
            ))}
          </p>
        </section>
        <WorkspaceForm workspace={workspace} onChange={setWorkspace} />
      </div>
      <section class="preview" aria-labelledby="preview-heading">
        <h2 id="preview-heading">{words.prompt.preview}</h2>
        <div class="fields">
          <label class="field">
            {words.prompt.placement}
            <select
              value={placement}
              onChange={({ currentTarget }) => change({ placement: currentTarget.value })}
            >
              {PLACEMENTS.map((each) => (
                <option key={each} value={each}>
                  {words.prompt.placements[each].title}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {words.prompt.budget}
            <input
              type="number"
              min={1}
              value={address.budget}
              placeholder={words.prompt.noBudget}
              onInput={({ currentTarget }) => change({ budget: currentTarget.value })}
            />
          </label>
        </div>
        <p class="hint">{words.prompt.placements[placement].about}</p>
        {problem && (
          <p class="complaint" role="alert">
            {problem}
          </p>
        )}
        {preview && (
          <Sent
            preview={preview}
            onForget={(key) => setForgotten([...forgotten, { key, after: sent.length }])}
          />
        )}
        {forgotten.map(({ key, after }, at) => (
          <p class="notice forgotten" key={at}>
            {words.prompt.forgotten(escapeControls(key), after)}{" "}
            <button type="button" onClick={() => setForgotten(forgotten.toSpliced(at, 1))}>
              {words.prompt.remember}
              <span class="spoken"> {escapeControls(key)}</span>
            </button>
          </p>
        ))}
      </section>
    </div>
  );
}

interface SentProps {
  preview: Preview;
  onForget: (key: string) => void;
}

function Sent({ preview, onForget }: SentProps): VNode {
  const words = useWords();
  const { messages, items, omitted, diagnostics, images } = preview;
  /** The turn of the prompt that is being written. */
  const turn = messages.length;
  return (
    <>
      <h3>{words.prompt.messages}</h3>
      {messages.map((message, at) => (
        <pre
          key={at}
          class="box message"
          tabIndex={0}
          aria-label={words.prompt.message(at + 1, at === messages.length - 1)}
        >
          {escapeLines(message.slice(0, 50_000))}
        </pre>
      ))}
      {images > 0 && <p>{words.prompt.images(images)}</p>}
      <h3>{words.prompt.items}</h3>
      <p class="hint">{words.prompt.forgetHint}</p>
      {items.length === 0 ? (
        <p>{words.prompt.noItems}</p>
      ) : (
        <table class="numbers items">
          <thead>
            <tr>
              <th scope="col">{words.prompt.item}</th>
              <th scope="col">{words.prompt.why}</th>
              <th scope="col">{words.prompt.size}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ type, key, from, characters, error, isEarlier }) => (
              <tr key={`${type} ${key}`}>
                <th scope="row">
                  <code>{escapeControls(key)}</code>
                </th>
                <td>
                  {words.prompt.reason(
                    type,
                    { ...from, name: escapeControls(from.name ?? "") },
                    turn,
                  )}
                  {isEarlier && (
                    <button type="button" onClick={() => onForget(key)}>
                      {words.prompt.forget}
                      <span class="spoken"> {escapeControls(key)}</span>
                    </button>
                  )}
                  {error !== undefined && (
                    <span class="wrong" lang="en">
                      {" "}
                      {escapeControls(error)}
                    </span>
                  )}
                </td>
                <td>{words.count(characters)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {omitted.length > 0 && (
        <p class="notice">{words.prompt.omitted(omitted.map(escapeControls))}</p>
      )}
      {diagnostics.length > 0 && (
        <ul class="diagnostics">
          {diagnostics.slice(0, 20).map(({ code, message, source }, at) => (
            <li key={at}>
              <code>{code}</code> <span lang="en">{escapeControls(message)}</span>
              {source !== undefined && ` (${escapeControls(source)})`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
