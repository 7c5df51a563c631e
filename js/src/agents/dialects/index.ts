/** The agents whose hooks run `turnkeeper hook`, and what is particular to each. */

import type { HookedAgent } from "../agents.js";
import { argumentsOf, fieldsOf, firstText } from "../fields.js";
import type { Dialect, Happening } from "../hook-event.js";
import { claudeCode } from "./claude-code.js";
import { cline } from "./cline.js";
import { copilot } from "./copilot.js";
import { answerWithContext, callOf, dialect, promptOf, refusal, results } from "./dialect.js";

/**
 * Codex. A stop at `PostToolUse` only replaces the result, so what follows is refused at `PreToolUse`. Its
 * results are bare text, without an exit code, and a field that it does not know makes it refuse the answer.
 */
const codex = dialect({
  events: {
    userpromptsubmit: "prompt",
    pretooluse: "asked",
    posttooluse: "result",
    sessionstart: "start",
  },
  obeys: ({ happened: { type } }) => type === "call_asked",
  answer(event, { context, notice, refusal: reason }) {
    if (reason !== undefined) return refusal(event, reason);
    return answerWithContext(event, { context, notice });
  },
});

/** What comes without words, where words are shown, is a request with results of tools. */
function promptOrRequest(shown: unknown): Happening {
  return firstText(shown) === undefined ? { type: "request" } : promptOf(shown);
}

/** Tools of gemini-cli that run a subagent; older versions have one for each subagent. */
export const GEMINI_SUBAGENTS: readonly string[] = [
  "invoke_agent",
  "delegate_to_agent",
  "codebase_investigator",
  "generalist",
  "cli_help",
  "browser_agent",
];
/** The call with which a subagent ends, which is no work of it. */
const GEMINI_END = "complete_task";

/**
 * gemini-cli. It has no ids but the session's. `PreCompress` fires before every request, whether or not
 * anything is compressed, so here it tells requests apart and nothing else. What happens in a subagent comes
 * between `BeforeTool` and `AfterTool` of the call that runs it.
 */
const geminiCli = dialect({
  requests: "marked",
  // Anything that is no JSON would be shown to the user.
  silence: "{}\n",
  events: {
    beforeagent: ({ prompt }) => promptOrRequest(prompt),
    precompress: "request",
    beforetool: ({ tool_name, tool_input }) => {
      const name = firstText(tool_name);
      if (name === undefined || !GEMINI_SUBAGENTS.includes(name)) return undefined;
      return { type: "subagent_asked", name, args: argumentsOf(tool_input) ?? {} };
    },
    aftertool: (payload) => {
      const name = firstText(payload.tool_name) ?? "";
      if (name === GEMINI_END) return undefined;
      const failed = fieldsOf(payload.tool_response).error ? true : undefined;
      const endsSubagent = GEMINI_SUBAGENTS.includes(name);
      return results([callOf(payload, failed)], endsSubagent ? { endsSubagent } : {});
    },
  },
  obeys: ({ happened: { type } }) => type === "results",
  answer(event, { context, notice, end }) {
    if (event.happened.type === "request") return undefined;
    if (end !== undefined) return { continue: false, stopReason: end, reason: end };
    return answerWithContext(event, { context, notice });
  },
});

/**
 * Qwen Code. `UserPromptSubmit` fires before every request of a turn; after the first one the prompt is
 * empty, and that is also the only place where a turn can be ended.
 */
const qwenCode = dialect({
  requests: "marked",
  events: {
    userpromptsubmit: ({ prompt }) => promptOrRequest(prompt),
    posttooluse: "result",
    posttoolusefailure: "failure",
    sessionstart: "start",
  },
  obeys: ({ happened: { type } }) => type === "request",
  answer(event, { context, notice, end }) {
    if (event.happened.type === "request") {
      if (end === undefined) return undefined;
      return { decision: "block", reason: end, continue: false, stopReason: end };
    }
    return answerWithContext(event, { context, notice });
  },
});

/** Cursor, which takes nothing to the model but after a result. */
const cursor = dialect({
  eventsDiffer: false,
  renamed: ({ conversation_id, session_id, generation_id, tool_output, ...others }) => ({
    ...others,
    session_id: firstText(conversation_id, session_id),
    agent_id: undefined,
    prompt_id: generation_id,
    turn_id: undefined,
    tool_response: tool_output,
    error: others.error_message,
  }),
  events: {
    beforesubmitprompt: "prompt",
    pretooluse: "asked",
    posttooluse: "result",
    posttoolusefailure: "failure",
  },
  obeys: ({ happened: { type } }) => type === "call_asked",
  answer(event, { context, refusal }) {
    if (refusal !== undefined) {
      return { permission: "deny", user_message: refusal, agent_message: refusal };
    }
    if (context === undefined || event.happened.type !== "results") return undefined;
    return { additional_context: context };
  },
});

/** crush, which tells of calls before they run and of no results. */
const crush = dialect({
  tellsResults: false,
  tellsPrompts: false,
  eventsDiffer: false,
  events: { pretooluse: "asked" },
  answer(_event, { context, end, refusal }) {
    const reason = end ?? refusal;
    if (reason !== undefined) return { halt: true, reason };
    return context === undefined ? undefined : { context };
  },
});

/** goose, whose hooks only watch: it tells of calls without their outputs, and no answer has an effect. */
const goose = dialect({
  tellsResults: false,
  eventsDiffer: false,
  renamed: (payload) => ({ ...payload, prompt: firstText(payload.message, payload.prompt) }),
  events: { userpromptsubmit: "prompt", pretooluse: "asked" },
  obeys: () => false,
});

export const DIALECTS: Readonly<Record<HookedAgent, Dialect>> = {
  "claude-code": claudeCode,
  "vscode-copilot": copilot,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  "copilot-cli": copilot,
  cline,
  cursor,
  crush,
  goose,
};
