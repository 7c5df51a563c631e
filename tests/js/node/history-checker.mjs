// What must hold of any repaired history, looked at with other means than the deduper's: regular
// expressions over whole texts instead of a scan from the end, and JSON instead of identity.

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Functions that know the blocks of these tags. */
export function blocksOf(tags) {
  const element = tags
    .map((tag) => {
      const [open, close] = [`<${escape(tag)}>`, `</${escape(tag)}>`];
      return `${open}(?:(?!${open}|${close})[^])*${close}`;
    })
    .join("|");
  const all = new RegExp(`^\\s*(?:(?:${element})\\s*)+$`);
  const each = new RegExp(element, "g");
  const tagOf = (text) => tags.find((tag) => text.trim().startsWith(`<${tag}>`));
  /** Whether a part holds blocks and nothing else. */
  const isBlock = (part) =>
    part?.type === "text" && typeof part.text === "string" && all.test(part.text);
  /** The blocks of the parts that hold nothing else. */
  const blocksIn = (content) => content.filter(isBlock).flatMap(({ text }) => text.match(each));
  return { isBlock, blocksIn, tagOf };
}

/**
 * Everything that is wrong with `after` as the repair of `before`, where blocks are parts of their
 * own and only duplicates within a message go; empty if all is well.
 */
export function problems(before, after, report, { tags = ["environment_details"] } = {}) {
  const { isBlock, blocksIn, tagOf } = blocksOf(tags);
  const found = [];
  const complain = (index, what) => found.push(`message ${index}: ${what}`);
  if (before.length !== after.length) complain(-1, "the number of messages changed");
  let [removed, characters] = [0, 0];
  before.forEach((old, index) => {
    const now = after[index];
    const change = report.changes.find((other) => other.index === index);
    if (old === now) {
      if (change) complain(index, "reported, but the same object");
      if (old?.role === "user" && !isInOrder(old.content)) {
        complain(index, "needs repair");
      }
      return;
    }
    if (!change) complain(index, "changed, but not reported");
    if (old.role !== "user") return complain(index, "not the user's");
    const { content: oldContent, ...oldRest } = old;
    const { content: newContent, ...newRest } = now;
    if (!same(oldRest, newRest)) complain(index, "another field changed");
    if (typeof oldContent === "string") return;
    const withoutBlocks = (content) => content.filter((part) => !isBlock(part));
    if (!same(withoutBlocks(oldContent), withoutBlocks(newContent))) {
      complain(index, "something that is no block changed");
    }
    if (!isInOrder(newContent)) complain(index, "its blocks are not in order");
    const [oldBlocks, newBlocks] = [blocksIn(oldContent), blocksIn(newContent)];
    const tagsOf = (blocks) => [...new Set(blocks.map(tagOf))].sort();
    if (!same(tagsOf(oldBlocks), tagsOf(newBlocks))) complain(index, "a tag's only block went");
    if (!newBlocks.every((block) => oldBlocks.includes(block))) complain(index, "a new block");
    const blocks = oldBlocks.length - newBlocks.length;
    const units = (all) => all.filter(isBlock).reduce((sum, { text }) => sum + text.length, 0);
    const saved = units(oldContent) - units(newContent);
    if (change?.blocks !== blocks) complain(index, `${blocks} blocks went`);
    if (change?.characters !== saved) complain(index, `${saved} characters went`);
    if (newContent.length === 0) complain(index, "its content is empty");
    removed += blocks;
    characters += saved;
  });
  if (report.messagesChanged !== report.changes.length) complain(-1, "messagesChanged");
  if (before.every((message) => typeof message?.content !== "string")) {
    if (report.blocksRemoved !== removed) complain(-1, "blocksRemoved");
    if (report.charactersSaved !== characters) complain(-1, "charactersSaved");
  }
  if (!same(pairs(before), pairs(after))) complain(-1, "calls and results no longer match");
  return found;

  /** At most one block of a tag, and nothing but blocks after the first. */
  function isInOrder(content) {
    if (!Array.isArray(content)) return true;
    const first = content.findIndex(isBlock);
    if (first < 0) return true;
    const found = blocksIn(content).map(tagOf);
    return content.slice(first).every(isBlock) && new Set(found).size === found.length;
  }
}

/** The calls and the results, in their order. */
function pairs(messages) {
  const parts = messages.flatMap((message) =>
    Array.isArray(message?.content) ? message.content : [],
  );
  return parts.flatMap((part) => {
    if (part?.type === "tool_use") return [["call", part.id]];
    return part?.type === "tool_result" ? [["result", part.tool_use_id]] : [];
  });
}

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);
