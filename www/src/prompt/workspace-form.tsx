import type { VNode } from "preact";

import { useWords } from "../words/words.js";
import type { Workspace } from "../worker/prompt-tasks.js";

interface WorkspaceFormProps {
  workspace: Workspace;
  onChange: (workspace: Workspace) => void;
}

/** The files, tools and rules that a host would have: small, and all to be edited. */
export function WorkspaceForm({ workspace, onChange }: WorkspaceFormProps): VNode {
  const words = useWords();
  const { files, tools, rules } = workspace;
  return (
    <section class="workspace" aria-labelledby="workspace-heading">
      <h2 id="workspace-heading">{words.prompt.workspace}</h2>
      <Entries
        title={words.prompt.files}
        addLabel={words.prompt.addFile}
        nameLabel={words.prompt.path}
        textLabel={words.prompt.content}
        entries={files.map(({ path, content }) => [path, content])}
        onEntries={(all) =>
          onChange({ ...workspace, files: all.map(([path, content]) => ({ path, content })) })
        }
      />
      <Entries
        title={words.prompt.tools}
        addLabel={words.prompt.addTool}
        nameLabel={words.prompt.tool}
        textLabel={words.prompt.output}
        entries={tools.map(({ name, output }) => [name, output])}
        onEntries={(all) =>
          onChange({ ...workspace, tools: all.map(([name, output]) => ({ name, output })) })
        }
      />
      <Entries
        title={words.prompt.rules}
        addLabel={words.prompt.addRule}
        nameLabel={words.prompt.rule}
        textLabel={words.prompt.content}
        entries={rules.map(({ name, content }) => [name, content])}
        onEntries={(all) =>
          onChange({ ...workspace, rules: all.map(([name, content]) => ({ name, content })) })
        }
      />
    </section>
  );
}

type Entry = [name: string, text: string];

interface EntriesProps {
  title: string;
  addLabel: string;
  nameLabel: string;
  textLabel: string;
  entries: Entry[];
  onEntries: (entries: Entry[]) => void;
}

function Entries({
  title,
  addLabel,
  nameLabel,
  textLabel,
  entries,
  onEntries,
}: EntriesProps): VNode {
  const words = useWords();
  const put = (at: number, entry: Entry): void => onEntries(entries.with(at, entry));
  return (
    <fieldset>
      <legend>{title}</legend>
      {entries.map(([name, text], at) => (
        <details key={at}>
          <summary>
            <code>{name || words.prompt.nameless}</code>
          </summary>
          <label class="field">
            {nameLabel}
            <input
              type="text"
              value={name}
              spellcheck={false}
              onInput={({ currentTarget }) => put(at, [currentTarget.value, text])}
            />
          </label>
          <label class="field">
            {textLabel}
            <textarea
              rows={5}
              value={text}
              spellcheck={false}
              onInput={({ currentTarget }) => put(at, [name, currentTarget.value])}
            />
          </label>
          <button type="button" onClick={() => onEntries(entries.toSpliced(at, 1))}>
            {words.prompt.remove(name)}
          </button>
        </details>
      ))}
      <button type="button" onClick={() => onEntries([...entries, ["", ""]])}>
        {addLabel}
      </button>
    </fieldset>
  );
}
