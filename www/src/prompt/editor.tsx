import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  EditorState,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import {
  highlightSpecialChars,
  Decoration,
  EditorView,
  keymap,
  placeholder,
  type DecorationSet,
} from "@codemirror/view";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { useWords } from "../words/words.js";
import type { Marks } from "../worker/prompt-tasks.js";

interface EditorProps {
  /** What it begins with; from then on the text is the user's. Another text needs another editor. */
  text: string;
  marks: Marks | undefined;
  onText: (text: string) => void;
}

const setMarks = StateEffect.define<Marks>();

/** The marks of the text; those that are not yet of the newest text move along with it. */
const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = decorationsOf(effect.value, transaction.newDoc);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsOf({ references, diagnostics }: Marks, document: Text): DecorationSet {
  const { length } = document;
  const ranges: { from: number; to: number; name: string }[] = references.map(
    ({ kind, start, end }) => ({ from: start, to: end, name: kind }),
  );
  for (const { line, column, severity } of diagnostics) {
    if (line < 1 || line > document.lines) continue;
    const { from, to } = document.line(line);
    const start = Math.min(from + Math.max(0, column - 1), to);
    ranges.push({ from: start, to: Math.max(start, to), name: severity });
  }
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, name } of ranges.sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < to && to <= length)
      builder.add(from, to, Decoration.mark({ class: `mark-${name}` }));
  }
  return builder.finish();
}

/** A text field that marks references as one types. */
export function Editor({ text, marks, onText }: EditorProps): VNode {
  const words = useWords();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const listener = useRef(onText);
  listener.current = onText;

  useEffect(() => {
    // In a shadow root the editor brings its styles as style sheets of their own; in the page it would
    // write them into `<style>` elements, which the page's policy refuses.
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(),
          highlightSpecialChars(),
          TYPE_OVER,
          // Tab leaves the editor, as it leaves any field.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          marksField,
          STYLE,
          placeholder(words.prompt.placeholder),
          EditorView.contentAttributes.of({
            "aria-label": words.prompt.editor,
            "aria-multiline": "true",
            spellcheck: "false",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) listener.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      root.replaceChildren();
    };
  }, [words]);

  useEffect(() => {
    if (marks) view.current?.dispatch({ effects: setMarks.of(marks) });
  }, [marks]);

  return <div class="editor" ref={host} />;
}

/**
 * Over a selection the browser itself would keep the style of what was there, as a style of the new text,
 * which the page's policy refuses.
 */
const TYPE_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    if (inputType !== "insertText" || data === null || view.state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type" });
    return true;
  },
});

const STYLE = EditorView.theme({
  "&": {
    minHeight: "8rem",
    maxHeight: "24rem",
    border: "1px solid var(--quiet)",
    borderRadius: "6px",
    background: "var(--card)",
    color: "var(--text)",
  },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.9375rem", lineHeight: "1.6" },
  ".cm-content": { minHeight: "8rem", caretColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".mark-file, .mark-tool, .mark-image, .mark-macro": { borderRadius: "3px", padding: "1px 0" },
  ".mark-file": { background: "var(--mark-file)" },
  ".mark-tool": { background: "var(--mark-tool)" },
  ".mark-image": { background: "var(--mark-image)" },
  ".mark-macro": { background: "var(--mark-macro)" },
  ".mark-error, .mark-warning": {
    textDecoration: "underline wavy var(--stop)",
    textUnderlineOffset: "3px",
  },
});
