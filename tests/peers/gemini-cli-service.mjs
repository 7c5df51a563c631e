// gemini-cli's LoopDetectionService, with the `gemini-cli` profile of the packed package inside. Its
// own tests import this in place of the service (vitest.config.mjs).
//
// What to call a loop, and when to ask a model, is decided by the detector; which models are asked,
// and what they are told of the history, is a host's own affair, and done here as gemini-cli does it.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import {
  logLlmLoopCheck,
  logLoopDetected,
  logLoopDetectionDisabled,
} from "@google/gemini-cli-core/dist/src/telemetry/loggers.js";
import {
  LlmLoopCheckEvent,
  LoopDetectedEvent,
  LoopDetectionDisabledEvent,
  LoopType,
} from "@google/gemini-cli-core/dist/src/telemetry/types.js";
import {
  isFunctionCall,
  isFunctionResponse,
} from "@google/gemini-cli-core/dist/src/utils/messageInspectors.js";

const require = createRequire(path.join(process.env.TURNKEEPER_APP, "app.cjs"));
const { LoopDetector } = require("turnkeeper");
const { streamAdapter } = require("turnkeeper/adapters/gemini");

// So that it can be seen that the tests had this, and not what it stands for.
writeFileSync(process.env.TURNKEEPER_SWAPPED, "");

const OK = { count: 0 };
/** From here on gemini-cli asks a second model. */
const SURE = 0.9;

export class LoopDetectionService {
  #context;
  #detector = new LoopDetector({ profile: "gemini-cli" });
  #adapter = streamAdapter();
  #prompts = 0;
  #promptId = "";
  #userPrompt = "";
  #told;
  #confirmedBy;

  constructor(context) {
    this.#context = context;
  }

  /** Every reset is a new prompt, whatever its id. */
  reset(promptId, userPrompt) {
    this.#promptId = promptId;
    this.#userPrompt = userPrompt ?? "";
    this.#prompts += 1;
    this.#detector.startPrompt(`${this.#prompts}`, { userPrompt });
  }

  disableForSession() {
    this.#detector.disable();
    const event = new LoopDetectionDisabledEvent(this.#promptId);
    logLoopDetectionDisabled(this.#context.config, event);
  }

  clearDetection() {
    this.#detector.clear();
  }

  addAndCheck(event) {
    if (this.#context.config.getDisableLoopDetection()) return OK;
    const mapped = this.#adapter(event) ?? [];
    return this.#result(this.#detector.observeAll([mapped].flat()));
  }

  async turnStarted(signal) {
    if (this.#context.config.getDisableLoopDetection()) return OK;
    const verdict = this.#detector.observe({ type: "turn_started" });
    const request = this.#detector.takeModelCheck();
    if (request === undefined) return this.#result(verdict);
    const answer = await this.#askModels(request, signal);
    return this.#result(this.#detector.answerModelCheck(answer));
  }

  #result(verdict) {
    if (verdict.action !== "stop") return OK;
    const { report } = verdict;
    const type = {
      chanting_identical_sentences: LoopType.CONTENT_CHANTING_LOOP,
      llm_detected_loop: LoopType.LLM_DETECTED_LOOP,
    }[report.type];
    const result = {
      count: report.strike,
      type: type ?? LoopType.CONSECUTIVE_IDENTICAL_TOOL_CALLS,
      detail: report.evidence,
      confirmedByModel: this.#confirmedBy,
    };
    if (this.#told !== verdict) {
      this.#told = verdict;
      const told = [result.type, this.#promptId, result.count, this.#confirmedBy, result.detail];
      logLoopDetected(this.#context.config, new LoopDetectedEvent(...told));
    }
    return result;
  }

  /** A second model confirms what the first is sure of, unless it is not to be had. */
  async #askModels(request, signal) {
    const { config } = this.#context;
    const nameOf = (model) => config.modelConfigService.getResolvedConfig({ model }).model;
    const first = await this.#ask("loop-detection", request, signal);
    const second = "loop-detection-double-check";
    if (first === undefined || first.confidence < SURE) {
      if (first) this.#log(first.confidence, nameOf(second), -1);
      return first;
    }
    if (!config.getModelAvailabilityService().snapshot(nameOf(second)).available) {
      this.#confirmedBy = nameOf("loop-detection");
      return first;
    }
    const answer = await this.#ask(second, request, signal);
    this.#confirmedBy = nameOf(second);
    this.#log(first.confidence, nameOf(second), answer?.confidence ?? 0);
    return answer;
  }

  #log(...figures) {
    logLlmLoopCheck(this.#context.config, new LlmLoopCheckEvent(this.#promptId, ...figures));
  }

  async #ask(model, request, signal) {
    const history = this.#context.geminiClient.getHistory().slice(-request.historyCount);
    while (history.length > 0 && isFunctionCall(history.at(-1))) history.pop();
    while (history.length > 0 && isFunctionResponse(history[0])) history.shift();
    const said = (text) => ({ role: "user", parts: [{ text }] });
    const contents = [...history, said(request.prompt)];
    if (this.#userPrompt) {
      const words = `<original_user_request>\n${this.#userPrompt}\n</original_user_request>`;
      contents.unshift(said(words));
    }
    if (isFunctionCall(contents[0])) contents.unshift(said("Recent conversation history:"));
    try {
      const answer = await this.#context.config.getBaseLlmClient().generateJson({
        modelConfigKey: { model },
        contents,
        schema: request.schema,
        systemInstruction: request.systemPrompt,
        abortSignal: signal,
        promptId: this.#promptId,
      });
      const confidence = answer?.unproductive_state_confidence;
      if (typeof confidence !== "number") return undefined;
      return { confidence, reasoning: answer.unproductive_state_analysis ?? "" };
    } catch {
      return undefined;
    }
  }
}
