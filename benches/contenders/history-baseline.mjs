// The repair that a few lines of TypeScript make: `filter` and `includes` over each user message.

const TAG = "<environment_details>";
const END = "</environment_details>";

/**
 * Takes every text with the tag out of a message, as a host's own fix does before it appends the
 * fresh block. It costs what looking for the tag costs, and takes quotations for blocks.
 */
function withoutBlocks(message) {
  if (message.role !== "user" || !Array.isArray(message.content)) return message;
  const content = message.content.filter(
    (part) => !(part.type === "text" && part.text.includes(TAG)),
  );
  return { ...message, content };
}

/** The same over a history. */
const withoutAnyBlocks = (messages) => messages.map(withoutBlocks);

/** The block appended to a content unless there is one; details may come with the tags or bare. */
function withBlock({ content, details }) {
  const text = details.startsWith(TAG) ? details : `${TAG}\n${details}\n${END}`;
  const has = content.some((part) => part.type === "text" && part.text.includes(TAG));
  return has ? content : [...content, { type: "text", text }];
}

/** What the rows of histories do, by name. */
export function contender(what) {
  const takes = {
    message: withoutBlocks,
    stale: withoutBlocks,
    whole: withoutAnyBlocks,
    // Nobody else shortens one, so this is the cheapest look at the same messages.
    shortened: withoutAnyBlocks,
    turn: withBlock,
  };
  return { name: "filter, includes", take: takes[what] };
}
