import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { isSample, type SampleName } from "../samples.js";
import { escapeControls } from "../words/plain-text.js";
import { useWords } from "../words/words.js";

import { Places } from "./places.js";
import { pickFolder, type FolderHolder } from "./use-folder.js";
import type { SessionHolder } from "./use-session.js";

interface SourceProps {
  holder: SessionHolder;
  /** The sample that is shown; empty if it is a file of the user. */
  sample: string;
  /** Those that can be chosen. */
  offered: readonly SampleName[];
  onSample: (name: string) => void;
  onOwn: () => void;
  /** Where a folder can be opened. */
  folder?: FolderHolder;
}

/** Where a session comes from: a sample, a file that is opened or dropped, or a text that is pasted. */
export function Source({ holder, sample, offered, onSample, onOwn, folder }: SourceProps): VNode {
  const words = useWords();
  const input = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const paste = useRef<HTMLTextAreaElement>(null);
  const openFile = (name: string, file: Blob): void => {
    onOwn();
    holder.openFile(name, file);
  };
  const openText = (text: string): void => openFile("pasted", new Blob([text]));
  const { problem, dragging } = useDropsAndPastes(openFile, openText);
  const { current } = holder;
  const shown = current.state === "open" ? current.session.name : current.name;

  return (
    <section class="source" aria-labelledby="source-heading">
      <h2 id="source-heading">{words.source.heading}</h2>
      <div class="fields">
        <div class="buttons drop">
          <span>{words.source.dropOr}</span>
          <button type="button" onClick={() => input.current?.click()}>
            {words.source.open}
          </button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={words.source.open}
            accept=".jsonl,.ndjson,.json,.traj,.md,.txt"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              // The same file again, after it has been edited, is a change, too.
              if (file) openFile(file.name, file);
              currentTarget.value = "";
            }}
          />
          {folder && (
            <>
              <button
                type="button"
                onClick={() => {
                  void pickFolder().then((picked) => {
                    if (picked === undefined) folderInput.current?.click();
                    else if (picked !== "none") folder.open(picked.name, picked.files);
                  });
                }}
              >
                {words.source.openFolder}
              </button>
              <input
                ref={folderInput}
                type="file"
                hidden
                aria-label={words.source.openFolder}
                {...{ webkitdirectory: true }}
                onChange={({ currentTarget }) => {
                  const files = [...(currentTarget.files ?? [])];
                  const [name] = (files[0]?.webkitRelativePath ?? "").split("/");
                  const below = ({ webkitRelativePath }: File): string =>
                    webkitRelativePath.slice(`${name}/`.length);
                  if (name)
                    folder.open(
                      name,
                      files.map((blob) => ({ path: below(blob), blob })),
                    );
                  currentTarget.value = "";
                }}
              />
            </>
          )}
        </div>
        <details class="paste">
          <summary>{words.source.paste}</summary>
          <label class="field">
            {words.source.pasteHere}
            <textarea ref={paste} rows={4} spellcheck={false} />
          </label>
          <button type="button" onClick={() => openText(paste.current?.value ?? "")}>
            {words.source.openPasted}
          </button>
        </details>
        <Places />
        <label class="field sample">
          <span>{words.source.sample}</span>
          <select
            value={sample}
            onChange={({ currentTarget }) => {
              if (isSample(currentTarget.value)) onSample(currentTarget.value);
            }}
          >
            {sample === "" && <option value="">{words.source.own}</option>}
            {offered.map((name) => (
              <option key={name} value={name}>
                {words.samples[name].title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="hint">{isSample(sample) ? words.samples[sample].about : words.source.hint}</p>
      <p class="session-name">
        <bdi>{escapeControls(shown.slice(0, 300))}</bdi>
        {current.state === "open" && (
          <span class="quiet">
            {" "}
            · {words.formats[current.session.format] ?? current.session.title}
          </span>
        )}
      </p>
      {problem && (
        <p class="complaint" role="alert">
          {words.source[problem]}
        </p>
      )}
      {current.state === "broken" && (
        <p class="complaint" role="alert">
          {words.source.broken} <bdi>{current.problem}</bdi>
        </p>
      )}
      {current.state === "open" && current.session.problem && (
        <p class="complaint" role="alert">
          {words.source.cutOff(current.session.problem)}{" "}
          <bdi>{escapeControls(current.session.problem.message)}</bdi>
        </p>
      )}
      {dragging && <p class="drop-here">{words.source.dropHere}</p>}
    </section>
  );
}

/** How far work has come. */
export function Progress({ label, part }: { label: string; part: number }): VNode {
  return (
    <div class="progress">
      <span>{label}</span> <progress max={1} value={part} aria-label={label} />
    </div>
  );
}

type Problem = "oneFile" | "noFile";

/** Takes files that are dropped anywhere, and text or files that are pasted outside of fields. */
function useDropsAndPastes(
  openFile: (name: string, file: Blob) => void,
  openText: (text: string) => void,
): { problem: Problem | undefined; dragging: boolean } {
  const [problem, complain] = useState<Problem>();
  const [depth, setDepth] = useState(0);
  useLayoutEffect(() => {
    const takeFiles = (files: FileList | undefined): void => {
      if (files?.length === 1) {
        complain(undefined);
        openFile(files[0]!.name, files[0]!);
      } else {
        complain(files && files.length > 1 ? "oneFile" : "noFile");
      }
    };
    const listeners = {
      dragenter: () => setDepth((count) => count + 1),
      dragleave: () => setDepth((count) => Math.max(0, count - 1)),
      // Without this the browser would leave the page for the file.
      dragover: (event: DragEvent) => event.preventDefault(),
      drop: (event: DragEvent) => {
        event.preventDefault();
        setDepth(0);
        takeFiles(event.dataTransfer?.files);
      },
      paste: (event: ClipboardEvent) => {
        const target = event.target as Element | null;
        if (target?.closest("textarea, input, [contenteditable], .editor")) return;
        const { files } = event.clipboardData ?? {};
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (files && files.length > 0) takeFiles(files);
        else if (text.trim() !== "") openText(text);
      },
    };
    const all = Object.entries(listeners) as [string, EventListener][];
    for (const [name, listener] of all) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of all) removeEventListener(name, listener);
    };
  });
  return { problem, dragging: depth > 0 };
}
