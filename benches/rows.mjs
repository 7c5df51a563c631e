// The rows of the table: what is done, and beside whom. `target` is how many times faster the package has to be where
// the other side does the same work, and `atMost` the milliseconds that it may take. A row with neither is there for
// its time: the other side does less, as the README says.

const prose = (work, profile, language, length, target) => ({
  kind: "prose",
  work,
  profile,
  input: { language, ...length },
  against: [{ peer: "geminiCli", target }],
});

const calls = (work, profile, shape, size, targets) => ({
  kind: "calls",
  work,
  profile,
  input: { shape, size },
  against: Object.entries(targets).map(([peer, target]) => ({ peer, target })),
});

const SHORT = { shortest: 4, longest: 20 };
const LONG = { shortest: 1_000, longest: 1_000 };

export const rows = [
  prose("prose, 4 to 20 characters", "adaptive", "english", SHORT),
  prose("prose, 1,000 characters", "adaptive", "english", LONG),
  prose("Chinese, 4 to 20 characters", "adaptive", "chinese", SHORT),
  calls("call of 60 B", "adaptive", "small", 60, { clineBaseline: undefined }),
  calls("call of 5 KB", "adaptive", "file", 5_000, { clineBaseline: undefined }),
  calls("call of 100 KB", "adaptive", "file", 100_000, { clineBaseline: undefined }),
  prose("standard: prose, 4 to 20", "standard", "english", SHORT, 1_000),
  calls("standard: call of 60 B", "standard", "small", 60, { clineBaseline: 1.2 }),
  calls("standard: call of 5 KB", "standard", "file", 5_000, { clineBaseline: 7 }),
  calls("standard: call of 100 KB", "standard", "file", 100_000, {
    clineBaseline: 15,
  }),
  { kind: "startUp", work: "import and first verdict", atMost: 15 },
  { kind: "hooks", work: "hook: prompt", event: "prompt", target: 10 },
  { kind: "hooks", work: "hook: result", event: "results", target: 10 },
  { kind: "histories", work: "message of 18 KB", what: "message" },
  { kind: "histories", work: "message, outdated block", what: "stale" },
  { kind: "histories", work: "block added to a message", what: "turn" },
  { kind: "histories", work: "history of 20 MB repaired", what: "whole" },
  { kind: "histories", work: "history of 20 MB shortened", what: "shortened", atMost: 20 },
  { kind: "assemble", work: "block of 200 files, code", language: "code" },
  { kind: "assemble", work: "block of 200 files, Chinese", language: "chinese" },
  { kind: "inspect", work: "inspect, 20 KB, 260 macros", macros: 260, length: 20_000 },
  { kind: "turns", work: "turn 101, two prompts" },
  { kind: "terminals", work: "choice among 1 terminal", count: 1 },
  { kind: "ageing", work: "message 2,000", of: "histories", within: 0.1 },
  {
    kind: "ageing",
    work: "turn 250,000",
    of: "turns",
    profile: "adaptive",
    input: { shape: "small", size: 60 },
    within: 0.1,
  },
];
