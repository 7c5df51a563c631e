// Everything that is called at random. A subject has
//
// - `name`, and `options(dice)`: what `make(package, options)` gets; `plainOptions` always work;
// - `calls`: by name, `args(dice)`, and `run(object, args, dice, package)` unless it is the method of that
//   name. `handsOn` says that what the host's functions throw may come out, or with `"traps"` what a spoiled
//   argument throws, and `keeps: false` that a call which fails may have done a part of its work;
// - `rounds`: how many of them the suite `node` plays, if a round takes longer than others;
// - `save` and `restore`, if there is a snapshot, and `end`.

import { adapterCalls } from "./adapters.mjs";
import { agentSession } from "./agent-session.mjs";
import { ghostBlock } from "./ghost-block.mjs";
import { historyDeduper } from "./history-deduper.mjs";
import { loopDetector } from "./loop-detector.mjs";
import { replacements } from "./replacements.mjs";
import { sessions } from "./sessions.mjs";
import { streams } from "./streams.mjs";
import { summaryInjector } from "./summary-injector.mjs";
import { terminalSelector } from "./terminal-selector.mjs";
import { workLedger } from "./work-ledger.mjs";

export const SUBJECTS = [
  loopDetector,
  ghostBlock,
  historyDeduper,
  terminalSelector,
  summaryInjector,
  workLedger,
  agentSession,
  streams,
  adapterCalls,
  sessions,
  replacements,
];
