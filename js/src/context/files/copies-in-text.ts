// Copies of files in the texts of Cline, Roo Code and Kilo Code: under the heading of a result, in the
// answer to an edit, and where the user mentions a file.

/** A copy, from `start` up to `end` of its text. */
export interface CopyInText {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The heading of a result: `[read_file for 'a.ts'] Result:` */
export interface ResultHeading {
  readonly tool: string;
  /** What it was for: a path, a command. */
  readonly subject: string | undefined;
  /** Where what the tool said begins. */
  readonly end: number;
}

// The words between a tool and "Result:" are the host's own description of the call: one path, several,
// a number of files, a reason, advice.
const HEADING = /^\[(\w+)([^\n]{0,4000}?)\] Result:[ \t]*(?:\r?\n)*/;
const ANY_HEADING = /\n\[\w+(?: for [^\n]{0,4000})?\] Result:/;

/** The heading that a text begins with. */
export function headingOf(text: string): ResultHeading | undefined {
  if (text.charCodeAt(0) !== 0x5b) return undefined;
  const found = HEADING.exec(text);
  if (!found) return undefined;
  const [whole, tool, description] = found;
  const subject = /^ for '(.*?)'(?:\. |$)/.exec(description!)?.[1];
  return { tool: tool!, subject, end: whole.length };
}

/** Whether a text may hold several results, so that nobody can say where the first ends. */
export function holdsOtherHeading(text: string): boolean {
  return text.includes("] Result:") && ANY_HEADING.test(text);
}

/**
 * The whole file in the answer to an edit. Nothing but what the host says comes after it, so a file that
 * quotes the tags goes up to the last one.
 */
export function copyInAnswer(text: string): CopyInText | undefined {
  return framed(text, "final_file_content", true) ?? framed(text, "file_content", true);
}

/** The whole files in the answer to a patch, which may have changed several. */
export function copiesInAnswer(text: string): CopyInText[] {
  return allFramed(text, "final_file_content");
}

/**
 * The files that the user mentions, as hosts add them to the end of what the user said, with other things that
 * are mentioned. What the user quotes has words of the user's after it, or the end of a fence or of an element.
 */
export function mentionedFiles(text: string): CopyInText[] {
  return allFramed(text, "file_content").filter(({ start, end }) => {
    const opening = text.lastIndexOf("<file_content ", start);
    const after = text.slice(text.indexOf(">", text.indexOf("</file_content", end)) + 1);
    const isOnLine = opening === 0 || text[opening - 1] === "\n";
    return isOnLine && /^\s*(?:$|<(?!\/)|<\/(?:folder|file)_content>)/.test(after);
  });
}

function allFramed(text: string, tag: string): CopyInText[] {
  const found: CopyInText[] = [];
  const opening = `<${tag} path=`;
  if (!text.includes(opening)) return found;
  let from = 0;
  for (;;) {
    const copy = framed(text, tag, false, from);
    if (copy === undefined) return found;
    // A file that quotes such an element cannot be told from two.
    if (!text.slice(copy.start, copy.end).includes(opening)) found.push(copy);
    from = copy.end;
  }
}

function framed(text: string, tag: string, isLast: boolean, from = 0): CopyInText | undefined {
  // The folder is that of a workspace that has several.
  const opening = new RegExp(
    `<${tag} path="([^"\\n]+)"(?: workspace="([^":/\\n]+)")?[^>\\n]{0,200}>`,
    "g",
  );
  opening.lastIndex = from;
  const open = opening.exec(text);
  if (!open) return undefined;
  const close = `</${tag}>`;
  let start = opening.lastIndex;
  let end = isLast ? text.lastIndexOf(close) : text.indexOf(close, start);
  if (end < start) return undefined;
  // The line breaks that set the file off from its tags.
  if (text.startsWith("\r\n", start)) start += 2;
  else if (text[start] === "\n") start += 1;
  if (end > start && text[end - 1] === "\n")
    end -= text[end - 2] === "\r" && end - 1 > start ? 2 : 1;
  const path = open[2] === undefined ? open[1]! : `@${open[2]}:${open[1]}`;
  return start < end ? { path, start, end } : undefined;
}

/** A file of a result that may hold several, as Roo Code reads them. */
export interface ListedFile extends CopyInText {
  /** The lines that the result says it has. */
  readonly lines: string | undefined;
  /** What the result says beside the content: that it was cut, or could not be read. */
  readonly notes: string;
}

/** The files of `<files><file><path>a.ts</path><content lines="1-9">…`. */
export function listedFiles(text: string): ListedFile[] {
  const found: ListedFile[] = [];
  const opening = /<file>\s*<path>([^<\n]+)<\/path>/g;
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const from = opening.lastIndex;
    const close = text.indexOf("\n</file>", from);
    const end = close < 0 ? text.length : close;
    const content = /<content(?: lines="([^"]*)")?>\r?\n?/g;
    content.lastIndex = from;
    const inner = content.exec(text);
    const last = text.lastIndexOf("</content>", end);
    opening.lastIndex = end;
    if (!inner || inner.index > end || last < content.lastIndex) continue;
    const before = text.slice(from, inner.index);
    const notes = before + text.slice(last, end);
    found.push({
      path: open[1]!.trim(),
      start: content.lastIndex,
      end: last,
      lines: inner[1],
      notes,
    });
  }
  return found;
}
