// Histories of our own writing, made of what real ones hold: tasks, results, questions, quotations,
// and blocks in the wrong number and place.

import { random } from "./random.mjs";

const pick = (choices) => choices[random(choices.length)];
const env = (tag = "environment_details") =>
  `<${tag}>\n# Open Tabs\n${pick(["a.ts", "b.ts\nc.ts", ""])}\n\n# Current Time\n10:${random(60)}\n\n# Mode\n${pick(["ACT", "PLAN", "思考 \ud83d"])}\n</${tag}>`;

const TEXTS = [
  () => "<task>\nFix the build.\n</task>",
  () => "Why does <environment_details> stand twice in it?",
  () => "What does `<environment_details>` do? It ends with </environment_details>",
  () => `\`\`\`xml\n${env()}\n\`\`\``,
  () => `${env()}\n${env()}\nsaid the file.`,
  () => `[read_file for 'old.json'] Result:\n${env()}\n${env()}`,
  () => "<environment_details>\nnever closed",
  () => "never opened\n</environment_details>",
  () => `<environment_details>${env()}</environment_details>`,
  () => " \n",
  () => "思考 \ud83d\ude00 \udc00",
];

/** The calls that have no result yet, and how many ids there are. */
let open = [];
let ids = 0;

function part() {
  if (random(3) === 0) {
    const content = random(2) ? `done\n${env()}` : [{ type: "text", text: env() }];
    const id = open.pop() ?? `lost-${ids++}`;
    return { type: "tool_result", tool_use_id: id, content, own: random(9) };
  }
  return { type: "text", text: pick(TEXTS)() };
}

function block(tags) {
  const run = Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => env(pick(tags)));
  const text = `${pick(["", "\n", " \u00a0"])}${run.join(pick(["", "\n\n"]))}${pick(["", "\n\n"])}`;
  return random(8) === 0 ? { type: "text", text, own: random(9) } : { type: "text", text };
}

function userContent(tags) {
  if (random(8) === 0) {
    const run = Array.from({ length: random(4) }, () => env(pick(tags)));
    return pick(TEXTS)() + pick(["\n\n", " ", "\n"]) + run.join(pick(["", "\n", " \n"]));
  }
  const content = Array.from({ length: random(4) }, part);
  for (let blocks = pick([1, 1, 1, 0, 2, 3, 5]); blocks > 0; blocks--) {
    const place = random(3) === 0 ? random(content.length + 1) : content.length;
    content.splice(place, 0, block(tags));
  }
  if (content.length === 0) content.push({ type: "text", text: "go on" });
  return content;
}

/** A history with blocks of these tags, frozen to the bottom. */
export function history(length, tags = ["environment_details"]) {
  open = [];
  const messages = Array.from({ length }, (_, index) => {
    if (index % 2 === 1) {
      const call = { type: "tool_use", id: `call-${ids++}`, name: "ls", input: {} };
      open.push(call.id);
      return { role: "assistant", content: [{ type: "text", text: env() }, call] };
    }
    const message = { role: "user", content: userContent(tags), ts: index };
    if (random(30) === 0) delete message.content;
    else if (random(30) === 0) delete message.role;
    return message;
  });
  return frozen(messages);
}

/** So that a change of what was given throws. */
export function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
