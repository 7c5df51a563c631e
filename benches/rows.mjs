// The rows of the table: what is done, against whom, and how many times faster it has to be.
//
// A row of `prose` gives every contender the same deltas, a row of `calls` the same calls. Where
// `against` names two, the row is a race with both. A row without a target is reported.

const prose = (work, language, shortest, longest, target) => ({
  kind: "prose",
  work,
  input: { language, shortest, longest },
  against: [{ peer: "geminiCli", target }],
});

const calls = (work, shape, size, geminiTarget, clineTarget) => ({
  kind: "calls",
  work,
  input: { shape, size },
  against: [
    { peer: "geminiCli", target: geminiTarget },
    { peer: "clineBaseline", target: clineTarget },
  ],
});

/** Those beside the default one, and whether they look at prose. */
const profiles = [
  ["adaptive", true],
  ["gemini-cli", true],
  ["deepv", true],
  ["roo", false],
  ["cline", false],
];

/** The rows of one of them. */
const rowsOf = ([profile, hasProse]) => [
  ...(hasProse
    ? [
        prose(`${profile}: deltas of 4 to 20`, "english", 4, 20, 1_000),
        prose(`${profile}: Chinese, 4 to 20`, "chinese", 4, 20, 1_000),
        prose(`${profile}: deltas of 100`, "english", 100, 100, 300),
        prose(`${profile}: deltas of 1,000`, "english", 1_000, 1_000, 100),
      ]
    : []),
  calls(`${profile}: call of 60 B`, "small", 60, 3, 1.2),
  calls(`${profile}: call of 5 KB`, "file", 5_000, 10, 7),
  calls(`${profile}: call of 100 KB`, "file", 100_000, 20, 15),
  { ...calls(`${profile}: call of 15 objects`, "nested", 1_600, 1, 1), againstFastest: true },
  {
    kind: "ageing",
    work: `${profile}: turn 250,000`,
    of: "turns",
    input: { shape: "small", size: 60 },
    within: 0.1,
  },
];

export const rows = [
  prose("prose, deltas of 4 to 20", "english", 4, 20, 1_000),
  prose("prose, deltas of 100", "english", 100, 100, 300),
  prose("prose, deltas of 1,000", "english", 1_000, 1_000, 100),
  prose("Chinese, deltas of 4 to 20", "chinese", 4, 20, 1_000),
  prose("Chinese, deltas of 100", "chinese", 100, 100, 300),
  prose("Chinese, deltas of 1,000", "chinese", 1_000, 1_000, 100),
  calls("call, arguments of 60 B", "small", 60, 3, 1.2),
  calls("call, arguments of 5 KB", "file", 5_000, 10, 7),
  calls("call, arguments of 100 KB", "file", 100_000, 20, 15),
  { ...calls("call, 15 objects of 4 keys", "nested", 1_600, 1, 1), againstFastest: true },
  { kind: "startUp", work: "import and first verdict", atMost: 15 },
  { kind: "hooks", work: "hook: event of no interest", event: "other", target: 10 },
  { kind: "hooks", work: "hook: prompt", event: "prompt", target: 10 },
  { kind: "hooks", work: "hook: result", event: "results", target: 10 },
  { kind: "hooks", work: "hook: compaction", event: "compaction", target: 10 },
  { kind: "histories", work: "one message of 2,000", what: "message", target: 1 },
  { kind: "histories", work: "message with an outdated block", what: "stale", target: 1 },
  { kind: "histories", work: "history of 2,000 repaired", what: "whole", target: 0.5 },
  { kind: "histories", work: "history of 2,000 shortened", what: "shortened", atMost: 20 },
  { kind: "histories", work: "message, with files", what: "files" },
  { kind: "histories", work: "block added to a message", what: "turn", target: 1 },
  { kind: "assemble", work: "block of 200 files, code", language: "code", target: 2 },
  { kind: "assemble", work: "block of 200 files, Chinese", language: "chinese", target: 1 },
  { kind: "inspect", work: "inspect, 20 KB, 260 macros", macros: 260, length: 20_000, target: 0.5 },
  { kind: "turns", work: "turn 101, two prompts", language: "english" },
  { kind: "turns", work: "turn 101, Chinese", language: "chinese" },
  { kind: "terminals", work: "terminal choice among 1", count: 1 },
  { kind: "terminals", work: "terminal choice among 100", count: 100, target: 10 },
  { kind: "terminals", work: "terminal choice among 1,000", count: 1_000, target: 20 },
  { kind: "ageing", work: "message 2,000", of: "histories", within: 0.1 },
  {
    kind: "ageing",
    work: "prose, the 1,000,000th delta",
    of: "prose",
    input: { language: "english", shortest: 4, longest: 20 },
    within: 0.1,
  },
  {
    kind: "ageing",
    work: "call, the 1,000,000th",
    of: "calls",
    input: { shape: "small", size: 60 },
    within: 0.1,
  },
  ...profiles.flatMap((one) => rowsOf(one).map((row) => ({ ...row, profile: one[0] }))),
];
