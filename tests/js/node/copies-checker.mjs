// What must hold of any shortened history, looked at with other means than the deduper's: it takes each
// line that stands for a copy at its word, puts the copy back by searching the original for the text around
// the line, and asks whether the message that the line names really has that file, newer and whole.

const RESULT = /\[The same result, (\d+) characters, is in message (\d+)\.\]$/;
const LINE =
  /\[An older copy of (?:lines \d+ to \d+ of |a part of )?([^\n]+?), (\d+) characters, stood here; the newest is in message (\d+)\.\]/g;

/** Every text of a message, in their order, with the keys that lead to it. */
function* textsOf(value, keys = []) {
  if (typeof value === "string") yield [keys.join("."), value];
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, [...keys, key]);
  }
}

const isEnvironment = (value) => /^\s*<environment_details>/.test(value);
/** A content without its environment, which goes by rules of its own. */
function withoutEnvironment({ content, ...message }) {
  if (!Array.isArray(content)) return { ...message, content };
  return {
    ...message,
    content: content.filter((part) => !(part.type === "text" && isEnvironment(part.text))),
  };
}

/** Everything that is wrong with `after` as the shortened form of `before`; empty if all is well. */
export function copyProblems(before, after) {
  const found = [];
  const complain = (index, what) => found.push(`message ${index}: ${what}`);
  if (before.length !== after.length) return ["the number of messages changed"];
  before.forEach((message, index) => {
    const was = [...textsOf(withoutEnvironment(message))];
    const now = [...textsOf(withoutEnvironment(after[index]))];
    if (was.length !== now.length) return complain(index, "the parts changed");
    was.forEach(([keys, old], at) => {
      const [otherKeys, text] = now[at];
      if (keys !== otherKeys) return complain(index, `${keys} became ${otherKeys}`);
      if (text === old) return undefined;
      return checkText(old, text, index);
    });
  });
  return found;

  function checkText(old, text, index) {
    const result = RESULT.exec(text);
    if (result !== null) return checkResult(old, text, result, index);
    let rest = old;
    let last = 0;
    for (const line of text.matchAll(LINE)) {
      const around = text.slice(last, line.index);
      last = line.index + line[0].length;
      if (!rest.startsWith(around)) return complain(index, "more than a copy changed");
      const [, path, length, newest] = line;
      const copy = rest.slice(around.length, around.length + Number(length));
      rest = rest.slice(around.length + Number(length));
      if (!holdsNewer(path, copy, index, Number(newest))) {
        complain(index, `message ${newest} has no newer copy of ${path}`);
      }
    }
    if (last === 0) return complain(index, "a text changed, and no line says why");
    if (rest !== text.slice(last)) return complain(index, "more than a copy changed");
    return undefined;
  }

  /** A result that came again, which is the end of its text. */
  function checkResult(old, text, line, index) {
    const before = text.slice(0, line.index);
    const gone = old.slice(before.length);
    const isThere = [...textsOf(after[Number(line[2])])].some(([, other]) => other.endsWith(gone));
    if (!old.startsWith(before) || gone.length !== Number(line[1]) || !isThere) {
      complain(index, `message ${line[2]} has another result`);
    }
  }

  /** Whether a message names the path, is as it was, and has a text of which most lines are the copy's. */
  function holdsNewer(path, copy, index, newest) {
    if (newest < index || newest >= before.length) return false;
    const [was, now] = [before[newest], after[newest]].map((message) =>
      JSON.stringify(withoutEnvironment(message)),
    );
    const names = JSON.stringify(path).slice(1, -1);
    const near = JSON.stringify(before.slice(Math.max(0, newest - 1), newest + 1));
    if (!near.includes(names)) return false;
    // The newest copy itself is there to the byte: nothing of its message went but other files.
    if (was !== now && !now.includes("[An older copy of ")) return false;
    return copy.length > 0 && ![...now.matchAll(LINE)].some(([, other]) => other === path);
  }
}
