// Values that a library may export without a type that it names: its declarations can be written.

import {
  AgentSession,
  GhostBlockAssembler,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
} from "turnkeeper";
import { TurnkeeperError, WorkLedger, dedupeHistory, guardStream } from "turnkeeper";
import { hasLooped, loopMiddleware } from "turnkeeper/adapters/ai-sdk";
import * as aiSdk from "turnkeeper/adapters/ai-sdk";
import * as anthropic from "turnkeeper/adapters/anthropic";
import { streamAdapter } from "turnkeeper/adapters/anthropic";
import * as gemini from "turnkeeper/adapters/gemini";
import { turnkeeperMiddleware } from "turnkeeper/adapters/langchain";
import * as openai from "turnkeeper/adapters/openai";
import { turnkeeperFilter } from "turnkeeper/adapters/openai-agents";
import type { VscodeTerminals } from "turnkeeper/adapters/vscode";
import { ToolRepetitionDetector } from "turnkeeper/replace/roo";
import { readSession } from "turnkeeper/sessions";

declare const error: TurnkeeperError;
declare const session: AgentSession;
declare const terminals: VscodeTerminals;

const detector = new LoopDetector();
const injector = new SummaryInjector();
const selector = new TerminalSelector({ platform: "posix" });
const parts = { capability: "", direction: "", workspace: "" };

export const { counts, prompt, blind, verdict } = detector;
export const snapshots = [detector.snapshot(), injector.snapshot(), new WorkLedger().snapshot()];
export const check = detector.takeModelCheck();
export const guard = guardStream((async function* () {})(), detector, {
  adapter: streamAdapter(),
  onLoopDetected: () => {},
});
export const ofAnthropic = anthropic.streamAdapter();
export const ofGemini = gemini.streamAdapter();
export const ofOpenAi = openai.streamAdapter();
export const ofAiSdk = aiSdk.streamAdapter();
export const { currentTurn, log, thinkingTools } = injector;
export const records = injector.turns();
export const exported = injector.exportTurns();
export const thinking = injector.buildPrompt("thinking", parts);
export const acting = injector.buildPrompt("action", parts);
export const { report } = dedupeHistory([{ role: "user", content: "x" }]);
export const [superseded] = report.files;
export const states = selector.terminals;
export const unknown = selector.sync([]);
export const inspected = new GhostBlockAssembler({ root: "/" }).inspect("x");
export const skill = (assembler: GhostBlockAssembler) =>
  assembler.prepareSkill("x", { readFile: async () => "x" });
export const preprocess = (assembler: GhostBlockAssembler) => assembler.preprocess("x");
export const sessionLog = session.log;
export const { detail } = error;
export const middleware = loopMiddleware(detector);
export const stop = hasLooped(detector);
export const ofLangChain = turnkeeperMiddleware();
export const filter = turnkeeperFilter();
export const run = () => terminals.run({ command: "ls" });
export const roo = new ToolRepetitionDetector().check({ name: "x", params: {} });
export const saved = readSession("");
