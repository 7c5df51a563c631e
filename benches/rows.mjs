// The rows of the table: what is done, and beside whom. `target` is how many times faster the package has to be where
// the other side does the same work. Elsewhere the other side does less, as the README says, and `atMost` is the
// milliseconds of the processor that it may take.

const prose = (work, profile, language, length, aim) => ({
  kind: "prose",
  work,
  profile,
  input: { language, ...length },
  peer: "geminiCli",
  ...aim,
});

const calls = (work, profile, shape, size, aim) => ({
  kind: "calls",
  work,
  profile,
  input: { shape, size },
  peer: "clineBaseline",
  ...aim,
});

const ownProcess = (work, call, aim) => ({
  kind: "ownProcess",
  work,
  call,
  function: "dedupeHistory",
  subpath: ".",
  peer: "filter, includes",
  ...aim,
});

const session = (work, call) =>
  ownProcess(work, call, {
    function: "readSession",
    subpath: "./sessions",
    peer: "JSON.parse",
    steps: 4_000,
    target: 1 / 1.3,
  });

const SHORT = { shortest: 4, longest: 20 };
const LONG = { shortest: 1_000, longest: 1_000 };

export const rows = [
  prose("prose, 4 to 20 characters", "adaptive", "english", SHORT, { atMost: 0.001 }),
  prose("prose, 1,000 characters", "adaptive", "english", LONG, { atMost: 0.05 }),
  prose("Chinese, 4 to 20 characters", "adaptive", "chinese", SHORT, { atMost: 0.001 }),
  calls("call of 60 B", "adaptive", "small", 60, { atMost: 0.005 }),
  calls("call of 5 KB", "adaptive", "file", 5_000, { atMost: 0.01 }),
  calls("call of 100 KB", "adaptive", "file", 100_000, { atMost: 0.05 }),
  prose("standard: prose, 4 to 20", "standard", "english", SHORT, { target: 1_000 }),
  calls("standard: call of 60 B", "standard", "small", 60, { target: 1.2 }),
  calls("standard: call of 5 KB", "standard", "file", 5_000, { target: 7 }),
  calls("standard: call of 100 KB", "standard", "file", 100_000, { target: 15 }),
  { kind: "startUp", work: "first verdict, detector", subpath: "./loop-detector", atMost: 15 },
  { kind: "startUp", work: "first verdict, all five", subpath: ".", atMost: 35 },
  { kind: "hook", work: "hook: prompt", event: "UserPromptSubmit", target: 10 },
  { kind: "hook", work: "hook: result", event: "PostToolUse", target: 10 },
  {
    kind: "hook",
    work: "hook: result of 10 MB",
    event: "PostToolUse",
    bytes: 10e6,
    atMost: 15,
    mostMegabytes: 20,
  },
  {
    kind: "audit",
    work: "audit, Claude Code, 104 MB",
    agent: "claude-code",
    atMost: 700,
    mostMegabytes: 60,
  },
  { kind: "audit", work: "audit, Codex, 81 MB", agent: "codex", atMost: 700, mostMegabytes: 60 },
  { kind: "audit", work: "usage, Claude Code", agent: "claude-code", isUsage: true, target: 2 },
  { kind: "audit", work: "usage, Codex", agent: "codex", isUsage: true, target: 2 },
  { kind: "wholeFile", work: "repair, 100 MB", args: ["repair"], steps: 19_000, atMost: 500 },
  {
    kind: "wholeFile",
    work: "replay, 100 MB",
    args: ["replay", "--quiet"],
    steps: 19_000,
    atMost: 600,
  },
  { kind: "histories", work: "message of 18 KB", what: "message", atMost: 0.002 },
  { kind: "histories", work: "message, outdated block", what: "stale", atMost: 0.03 },
  { kind: "histories", work: "block added to a message", what: "turn", atMost: 0.0005 },
  { kind: "histories", work: "history of 20 MB repaired", what: "whole", atMost: 5 },
  { kind: "histories", work: "history of 20 MB shortened", what: "shortened", atMost: 20 },
  ownProcess("history of 20 MB, first call", "first", { atMost: 40 }),
  session("session of 20 MB, first call", "first"),
  session("session of 20 MB", "later"),
  { kind: "assemble", work: "block of 200 files, code", language: "code", atMost: 30 },
  { kind: "assemble", work: "block of 200 files, Chinese", language: "chinese", atMost: 30 },
  { kind: "inspect", work: "inspect, 20 KB, 260 macros", macros: 260, length: 20_000, atMost: 0.5 },
  { kind: "turns", work: "turn 101, two prompts", atMost: 1 },
  { kind: "terminals", work: "choice among 1 terminal", count: 1, atMost: 0.02 },
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
