// A hundred turns of somebody's first day: what the user asks, what a scripted model answers, and what has to come of it.

/** The kinds of turns, in their order. `says(n)` is the answer to request `n` of the prompt, from 0. */
export const KINDS = [
  {
    name: "work",
    says: (n, at) =>
      n === 0 ? calls(["read_file", { path: `src/${at}.ts` }]) : text(`Done ${at}.`),
    requests: 2,
    told: [],
    shown: (at) => `Done ${at}.`,
  },
  {
    name: "wait",
    says: () => calls(["read_file", { path: "build.log" }]),
    requests: 5,
    told: ["nudge", "stop"],
  },
  { name: "thanks", says: () => text("Gladly."), requests: 1, told: [], shown: () => "Gladly." },
  {
    name: "chant",
    says: () => ({ endless: () => "I will try that again now. " }),
    requests: 1,
    isStopped: true,
  },
  {
    name: "fail",
    says: (n) => (n === 0 ? calls(["write_file", { path: "a" }]) : text("The disk is full.")),
    requests: 2,
    told: [],
    sent: "ENOSPC",
  },
  {
    name: "abort",
    says: () => ({ endless: (n) => `Point ${n} of my long plan is ${(n * 7919) % 1013}.\n` }),
    requests: 1,
    told: [],
    abortsAtText: 5,
  },
  {
    name: "abort in a tool",
    says: () => calls(["slow", {}], ["read_file", { path: "never.ts" }]),
    requests: 1,
    told: [],
    saved: "Not run.",
  },
  {
    name: "pairs",
    says: () => calls(["read_file", { path: "a.log" }], ["read_file", { path: "b.log" }]),
    isStopped: true,
  },
  { name: "refusal", says: () => ({ refusal: "I cannot help with that." }), requests: 1, told: [] },
  {
    name: "denied",
    says: (n) => (n === 0 ? calls(["delete_all", {}]) : text("Then I leave it.")),
    requests: 2,
    told: [],
    sent: "The user said no.",
  },
];

export const TURNS = 100;

export const kindOf = (turn) => KINDS[turn % KINDS.length];

/** The user's words, by which the model knows what to do. */
export const promptOf = (turn) => `Task ${turn}: ${kindOf(turn).name}, please.`;

const text = (said) => ({ text: said });
let newest = 0;
const calls = (...made) => ({
  calls: made.map(([name, args]) => ({ id: `call_${++newest}`, name, args })),
});

/** A model that is asked by any wire: it finds the prompt in the request, and counts the requests for it. */
export function scriptedModel() {
  const asked = new Map();
  return {
    asked: (turn) => asked.get(turn) ?? [],
    /** @param body the request as it was sent */
    answer(body) {
      const json = JSON.stringify(body);
      const turn = Number([...json.matchAll(/Task (\d+): /g)].at(-1)?.[1]);
      const before = asked.get(turn) ?? [];
      asked.set(turn, [...before, json]);
      return kindOf(turn).says(before.length, turn);
    },
  };
}

/** The tools, as the agents' `run` does them. A failed one is a result. */
export function toolbox(abort) {
  return async (name, given) => {
    const args = typeof given === "string" ? JSON.parse(given) : given;
    try {
      if (name === "write_file") throw new Error("ENOSPC: no space left on device");
      if (name === "delete_all") return { output: "The user said no.", isError: true };
      if (name === "slow") abort();
      return { output: /log$/.test(args.path ?? "") ? "Compiling…" : `The text of ${args.path}.` };
    } catch (error) {
      return { output: error.message, isError: true };
    }
  };
}

export const TOOLS = ["read_file", "write_file", "delete_all", "slow"];
