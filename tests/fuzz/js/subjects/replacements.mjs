// The drop-ins for other agents' detectors. Their interfaces are those agents', which let out what an
// argument throws when it is read.

import { load } from "../../../js/node/installed-package.mjs";
import { args, json, text, word } from "../texts.mjs";

const roo = load("turnkeeper/replace/roo");
const cline = load("turnkeeper/replace/cline");
const deepv = load("turnkeeper/replace/deepv");
const geminiCli = load("turnkeeper/replace/gemini-cli");

const context = {
  config: {
    getDisableLoopDetection: () => false,
    getBaseLlmClient: () => ({
      generateJson: async () => ({ unproductive_state_confidence: 0.5 }),
    }),
    getModelAvailabilityService: () => ({ snapshot: () => ({ available: true }) }),
    modelConfigService: { getResolvedConfig: ({ model }) => ({ model }) },
  },
  geminiClient: { getHistory: () => [] },
};

const deepvConfig = {
  getModel: () => "gemini-3-pro-preview",
  getGeminiClient: () => ({
    getHistory: () => [],
    getContentGenerator: () => ({ generateContent: async () => ({ confidence: 0.5 }) }),
  }),
};

const streamEvent = (dice) =>
  dice.pick([
    { type: "content", value: text(dice) },
    { type: "tool_call_request", value: { callId: "c", name: word(dice), args: args(dice) } },
    { type: "tool_call_response", value: json(dice) },
    { type: "finished" },
  ]);

const block = (dice) => ({
  type: "tool_use",
  name: word(dice),
  params: args(dice),
  partial: false,
});

export const replacements = {
  name: "replacements",
  options: () => undefined,
  plainOptions: undefined,
  make: () => ({
    roo: new roo.ToolRepetitionDetector(3),
    cline: new cline.LoopDetectionTracker({ softThreshold: 2, hardThreshold: 3 }),
    clineState: cline.createLoopDetectionState(),
    deepv: new deepv.LoopDetectionService(deepvConfig),
    gemini: new geminiCli.LoopDetectionService(context),
  }),
  calls: {
    "roo: check": {
      args: (dice) => [block(dice)],
      handsOn: "traps",
      run: (it, given) => it.roo.check(...given),
    },
    "cline: inspect": {
      args: (dice) => [{ name: word(dice), input: args(dice) }],
      handsOn: "traps",
      run: (it, given) => it.cline.inspect(...given),
    },
    "cline: reset": { weight: 2, handsOn: "traps", run: (it) => it.cline.reset() },
    "cline: check": {
      args: (dice) => [word(dice), { ...args(dice) }],
      handsOn: "traps",
      run: (it, [name, params]) =>
        cline.checkRepeatedToolCall(it.clineState, name, cline.toolCallSignature(params), {
          softThreshold: 2,
          hardThreshold: 3,
        }),
    },
    "deepv: reset": {
      weight: 3,
      args: (dice) => [word(dice)],
      handsOn: "traps",
      run: (it, given) => it.deepv.reset(...given),
    },
    "deepv: events": {
      weight: 20,
      args: (dice) => [streamEvent(dice)],
      handsOn: "traps",
      run: (it, given) => it.deepv.addAndCheck(...given),
    },
    "deepv: turnStarted": {
      handsOn: "traps",
      run: (it) => it.deepv.turnStarted(new AbortController().signal),
    },
    "gemini-cli: reset": {
      weight: 3,
      args: (dice) => [word(dice), text(dice)],
      handsOn: "traps",
      run: (it, given) => it.gemini.reset(...given),
    },
    "gemini-cli: events": {
      weight: 20,
      args: (dice) => [streamEvent(dice)],
      handsOn: "traps",
      run: (it, given) => it.gemini.addAndCheck(...given),
    },
    "gemini-cli: turnStarted": {
      handsOn: "traps",
      run: (it) => it.gemini.turnStarted(new AbortController().signal),
    },
    "gemini-cli: clear": { weight: 2, handsOn: "traps", run: (it) => it.gemini.clearDetection() },
  },
  end(it) {
    it.roo.dispose();
    it.cline.dispose();
    it.deepv.dispose();
    it.gemini.dispose();
  },
};
