// Writers of the formats that are one JSON value. A writer gets a session and gives the value.

import { anthropic, gooseMessages } from "./lines.mjs";
import { sweAction, TOOLS } from "./tools.mjs";

const MODEL = "claude-sonnet-4-5-20250929";
const GEMINI = "gemini-2.5-pro";
const time = (n) => new Date(Date.UTC(2026, 1, 3, 9, 0, 7 * n)).toISOString();
const failed = (call) => call.exit !== undefined;
const dataUrl = (picture) => `data:image/png;base64,${picture}`;

/** A session of gemini-cli. */
export function geminiCli({ id, steps }) {
  const parts = (text, picture) => [
    ...(text ? [{ text }] : []),
    ...(picture ? [{ inlineData: { mimeType: "image/png", data: picture } }] : []),
  ];
  const messages = steps.map((step, n) => {
    const common = { id: `${id}-${n}`, timestamp: time(n) };
    if (step.user !== undefined) {
      return {
        ...common,
        type: "user",
        content: step.picture ? parts(step.user, step.picture) : step.user,
      };
    }
    const toolCalls = step.calls.map((call) => {
      const [name, args] = TOOLS.gemini(call);
      const response = failed(call) ? { error: call.output } : { output: call.output };
      const image = parts(undefined, call.picture);
      return {
        id: call.id,
        name,
        args,
        result: [{ functionResponse: { id: call.id, name, response } }, ...image],
        status: failed(call) ? "error" : "success",
        timestamp: time(n),
        displayName: name,
        renderOutputAsMarkdown: false,
      };
    });
    return {
      ...common,
      type: "gemini",
      content: step.say ?? "",
      thoughts: step.think
        ? [{ subject: "Thinking", description: step.think, timestamp: time(n) }]
        : [],
      tokens: { input: 8_120, output: 96, cached: 7_410, thoughts: 40, tool: 0, total: 8_256 },
      model: GEMINI,
      ...(toolCalls.length > 0 && { toolCalls }),
    };
  });
  return { sessionId: id, projectHash: "5f2c", startTime: time(0), lastUpdated: time(9), messages };
}

/** A trajectory of SWE-agent: a step a command. */
export function sweAgent({ steps, cwd }) {
  const state = JSON.stringify({ working_dir: cwd, open_file: "n/a" });
  const trajectory = steps.flatMap((step) => {
    const thought = [step.think, step.say].filter(Boolean).join("\n");
    if (step.calls === undefined) return [];
    if (step.calls.length === 0)
      return [{ action: "", observation: "", response: thought, state, thought }];
    return step.calls.map((call, n) => {
      const action = sweAction(call);
      const before = n === 0 ? thought : "";
      const response = `${before}\n\`\`\`\n${action}\n\`\`\``;
      return {
        action: `${action}\n`,
        observation: call.output,
        response,
        state,
        thought: before,
        execution_time: 0.4,
      };
    });
  });
  return { environment: "swe_main", trajectory, history: [], info: { exit_status: "submitted" } };
}

/** A trajectory of mini-swe-agent. */
export function miniSweAgent({ cwd, steps }) {
  const image = (picture) => ({ type: "image_url", image_url: { url: dataUrl(picture) } });
  const messages = steps.flatMap((step) => {
    if (step.user !== undefined) {
      const words = { type: "text", text: step.user };
      return { role: "user", content: step.picture ? [words, image(step.picture)] : step.user };
    }
    const content = [step.think, step.say].filter(Boolean).join("\n") || null;
    if (step.calls.length === 0) return { role: "assistant", content };
    const calls = step.calls.map((call) => {
      const [name, args] = TOOLS.shell(call);
      return { id: call.id, type: "function", function: { name, arguments: JSON.stringify(args) } };
    });
    const actions = step.calls.map((call) => ({
      command: TOOLS.shell(call)[1].command,
      tool_call_id: call.id,
    }));
    return [
      { role: "assistant", content, tool_calls: calls, extra: { actions, cost: 0.01 } },
      ...step.calls.map((call) => ({
        role: "tool",
        tool_call_id: call.id,
        content: call.picture
          ? [image(call.picture)]
          : `<returncode>${call.exit ?? 0}</returncode>\n<output>\n${call.output}\n</output>`,
        extra: { raw_output: call.output, returncode: call.exit ?? 0 },
      })),
    ];
  });
  return {
    info: {
      model_stats: { instance_cost: 0.12, api_calls: 6 },
      config: {
        agent: { step_limit: 250, cost_limit: 3 },
        model: { model_name: `anthropic/${MODEL}` },
        environment: { cwd, timeout: 60 },
      },
      mini_version: "2.1.0",
      exit_status: "Submitted",
      submission: "",
    },
    messages: [
      { role: "system", content: "You are a helpful assistant that can run commands." },
      ...messages,
    ],
    trajectory_format: "mini-swe-agent-1.1",
  };
}

/** What `opencode export` prints. */
export function opencode({ title, cwd, id, steps }) {
  const sessionID = `ses_${id.slice(0, 12)}`;
  let count = 0;
  const message = (info, parts) => {
    const own = `msg_${String((count += 1)).padStart(4, "0")}`;
    return {
      info: { id: own, sessionID, time: { created: 1_770_109_200_000 + 7_000 * count }, ...info },
      parts: parts.map((part, n) => ({
        id: `prt_${own.slice(4)}${n}`,
        sessionID,
        messageID: own,
        ...part,
      })),
    };
  };
  const user = (parts) =>
    message(
      { role: "user", agent: "build", model: { providerID: "anthropic", modelID: MODEL } },
      parts,
    );
  const file = (picture) => ({
    type: "file",
    mime: "image/png",
    filename: "picture.png",
    url: dataUrl(picture),
  });
  const messages = steps.map((step) => {
    if (step.compact !== undefined) return user([{ type: "compaction", auto: true }]);
    if (step.user !== undefined) {
      return user([
        { type: "text", text: step.user },
        ...(step.picture ? [file(step.picture)] : []),
      ]);
    }
    const span = { start: 1, end: 2 };
    const tools = step.calls.map((call) => {
      const [tool, input] = TOOLS.opencode(call);
      const state = {
        status: "completed",
        input,
        output: call.output,
        title: tool,
        metadata: call.tool === "run" ? { exit: call.exit ?? 0 } : {},
        time: span,
        ...(call.picture && { attachments: [file(call.picture)] }),
      };
      return { type: "tool", callID: call.id, tool, state };
    });
    const tokens = { input: 4, output: 120, reasoning: 0, cache: { read: 9_120, write: 410 } };
    const info = {
      role: "assistant",
      parentID: "msg_0001",
      modelID: MODEL,
      providerID: "anthropic",
      mode: "build",
      path: { cwd, root: cwd },
      cost: 0.02,
      tokens,
    };
    return message(info, [
      { type: "step-start", snapshot: "9c1d" },
      ...(step.think ? [{ type: "reasoning", text: step.think, time: span }] : []),
      ...(step.say ? [{ type: "text", text: step.say, time: span }] : []),
      ...tools,
      { type: "step-finish", reason: tools.length > 0 ? "tool-calls" : "stop", cost: 0.02, tokens },
    ]);
  });
  return {
    info: {
      id: sessionID,
      version: "1.1.34",
      projectID: "5f2c",
      directory: cwd,
      title,
      time: { created: 1, updated: 2 },
    },
    messages,
  };
}

/** What `goose session export --format json` prints. */
export function gooseExport(session) {
  const { title, cwd, id } = session;
  const conversation = gooseMessages(session);
  return {
    id,
    working_dir: cwd,
    name: title,
    user_set_name: false,
    session_type: "user",
    created_at: time(0),
    updated_at: time(9),
    extension_data: {},
    total_tokens: 9_653,
    conversation,
    message_count: conversation.length,
    provider_name: "anthropic",
    model_config: { model_name: MODEL, context_limit: 200_000 },
  };
}

/** The requests of a chat of VS Code. */
export function copilotRequests({ id, cwd, steps }) {
  const prompts = [];
  for (const step of steps) {
    if (step.user !== undefined) prompts.push({ ...step, steps: [] });
    else prompts.at(-1).steps.push(step);
  }
  return prompts.map(({ user, picture, steps: answered }, n) => {
    const turns = answered.filter(({ compact }) => compact === undefined);
    const toolCallRounds = turns.map(({ think, say, calls }, round) => ({
      response: say ?? "",
      toolCalls: calls.map((call) => {
        const [name, args] = TOOLS.copilot(call);
        return { name, arguments: JSON.stringify(args), id: `${call.id}__vscode-1770109200000` };
      }),
      toolInputRetry: 0,
      id: `${id}-${n}-${round}`,
      ...(think && { thinking: { id: "", text: think } }),
    }));
    const compacted = answered.findIndex(({ compact }) => compact !== undefined);
    const results = turns
      .flatMap(({ calls }) => calls)
      .map((call) => {
        const words = call.output
          .split(/(?<=\n)/)
          .map((text) => ({ type: 2, text, lineBreakBefore: false }));
        const node = {
          type: 1,
          ctor: 2,
          ctorName: "qy",
          children: words,
          props: {},
          references: [],
        };
        const content = call.picture
          ? [{ $mid: 24, mimeType: "image/png", data: call.picture }]
          : [{ $mid: 23, value: { node } }];
        return [`${call.id}__vscode-1770109200000`, { $mid: 20, content }];
      });
    const variable = {
      kind: "image",
      id: "picture",
      name: "Pasted Image",
      mimeType: "image/png",
      value: { $base64: picture },
    };
    return {
      requestId: `request_${id}-${n}`,
      timestamp: 1_770_109_200_000 + n,
      message: {
        parts: [{ range: { start: 0, endExclusive: user.length }, text: user, kind: "text" }],
        text: user,
      },
      variableData: { variables: picture ? [variable] : [] },
      agent: { id: "github.copilot.editsAgent", name: "agent" },
      modelId: "copilot/claude-sonnet-4.5",
      responseId: `response_${id}-${n}`,
      response: turns.flatMap((turn) => panelParts(turn, cwd)),
      result: {
        timings: { firstProgress: 1_204, totalElapsed: 30_112 },
        metadata: {
          toolCallRounds,
          toolCallResults: Object.fromEntries(results),
          ...(compacted > 0 && {
            summary: {
              toolCallRoundId: `${id}-${n}-${compacted - 1}`,
              text: answered[compacted].compact,
            },
          }),
        },
        details: "Claude Sonnet 4.5 • 1x",
      },
      modelState: { value: 1, completedAt: 1_770_109_230_000 },
    };
  });
}

/** What the panel shows of a turn. */
function panelParts({ think, say, calls }, cwd) {
  const invocation = (call, more) => ({
    kind: "toolInvocationSerialized",
    invocationMessage: { value: `Using ${call.tool}` },
    pastTenseMessage: { value: `Used ${call.tool}` },
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: "internal", label: "Built-In" },
    toolCallId: `panel-${call.id}`,
    toolId: `copilot_${TOOLS.copilot(call)[0]}`,
    ...more,
  });
  return [
    ...(think ? [{ kind: "thinking", value: think, id: "" }] : []),
    ...(say
      ? [
          {
            value: say,
            supportThemeIcons: false,
            supportHtml: false,
            baseUri: { $mid: 1, path: `${cwd}/`, scheme: "file" },
          },
        ]
      : []),
    ...calls.flatMap((call) => [
      { kind: "prepareToolInvocation", toolName: `copilot_${TOOLS.copilot(call)[0]}` },
      invocation(call),
      ...(call.agent ?? []).flatMap((turn) =>
        turn.calls.map((each) => invocation(each, { subAgentInvocationId: `panel-${call.id}` })),
      ),
    ]),
  ];
}

/** A chat of VS Code, as one object. */
export function copilotChat({ title, id, requests }) {
  return {
    version: 3,
    responderUsername: "GitHub Copilot",
    initialLocation: "panel",
    requests,
    sessionId: id,
    creationDate: 1_770_109_200_000,
    customTitle: title,
  };
}

/** A history of Cline, whose calls are in the model's text; a message has one. */
export function cline({ cwd, steps }) {
  const text = (words) => ({ type: "text", text: words });
  const image = (data) => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data },
  });
  const environment = text(
    `<environment_details>\n# Current Working Directory (${cwd})\n</environment_details>`,
  );
  const messages = [];
  for (const { user, picture, say, calls } of steps) {
    if (user !== undefined && messages.length === 0) {
      messages.push({ role: "user", content: [text(`<task>\n${user}\n</task>`), environment] });
    } else if (user !== undefined) {
      // What the user says while a tool is approved goes with the tool's result.
      const feedback = text(`The user provided feedback:\n<feedback>\n${user}\n</feedback>`);
      const parts = [feedback, ...(picture ? [image(picture)] : [])];
      messages.at(-1).content.splice(-1, 0, ...parts);
    } else if (calls.length === 0) {
      messages.push(answer([callText(["attempt_completion", { result: say }])]));
    }
    for (const [n, call] of (calls ?? []).entries()) {
      const [name, args] = TOOLS.cline(call);
      messages.push(answer([...(n === 0 && say ? [say] : []), callText([name, args])]));
      const result = [text(`[${name}] Result:`), text(call.output || "(see image)")];
      const parts = [...result, ...(call.picture ? [image(call.picture)] : []), environment];
      messages.push({ role: "user", content: parts });
    }
  }
  return messages;

  function answer(words) {
    return { role: "assistant", content: [text(words.join("\n\n"))] };
  }
}

function callText([name, args]) {
  const fields = Object.entries(args).map(([key, value]) => `<${key}>${value}</${key}>`);
  return [`<${name}>`, ...fields, `</${name}>`].join("\n");
}

/** Messages of Anthropic. */
export function anthropicMessages({ steps }) {
  return steps.flatMap((step) => {
    if (step.user !== undefined) return { role: "user", content: anthropic.user(step) };
    const answer = { role: "assistant", content: anthropic.answer(step, TOOLS.plain) };
    const results = step.calls.map(anthropic.result);
    return results.length > 0 ? [answer, { role: "user", content: results }] : [answer];
  });
}

/** Chat messages of OpenAI. */
export function openAi({ steps }) {
  const image = (picture) => ({
    type: "image_url",
    image_url: { url: dataUrl(picture), detail: "auto" },
  });
  return {
    model: "gpt-5.1",
    messages: [
      { role: "system", content: "You are a careful engineer." },
      ...steps.flatMap((step) => {
        if (step.user !== undefined) {
          const content = step.picture
            ? [{ type: "text", text: step.user }, image(step.picture)]
            : step.user;
          return { role: "user", content };
        }
        const tool_calls = step.calls.map((call) => {
          const [name, args] = TOOLS.plain(call);
          return {
            id: call.id,
            type: "function",
            function: { name, arguments: JSON.stringify(args) },
          };
        });
        return [
          {
            role: "assistant",
            content: step.say ?? null,
            ...(tool_calls.length > 0 && { tool_calls }),
          },
          ...step.calls.map((call) => ({
            role: "tool",
            tool_call_id: call.id,
            content: call.picture ? [image(call.picture)] : call.output,
          })),
        ];
      }),
    ],
  };
}

/** Messages of the AI SDK. */
export function aiSdk({ steps }) {
  return steps.flatMap((step) => {
    if (step.user !== undefined) {
      const image = { type: "file", mediaType: "image/png", data: step.picture };
      return {
        role: "user",
        content: [{ type: "text", text: step.user }, ...(step.picture ? [image] : [])],
      };
    }
    const content = [
      ...(step.think ? [{ type: "reasoning", text: step.think }] : []),
      ...(step.say ? [{ type: "text", text: step.say }] : []),
      ...step.calls.map((call) => {
        const [toolName, input] = TOOLS.plain(call);
        return { type: "tool-call", toolCallId: call.id, toolName, input };
      }),
    ];
    const results = step.calls.map((call) => ({
      type: "tool-result",
      toolCallId: call.id,
      toolName: TOOLS.plain(call)[0],
      output: call.picture
        ? {
            type: "content",
            value: [{ type: "media", data: call.picture, mediaType: "image/png" }],
          }
        : { type: failed(call) ? "error-text" : "text", value: call.output },
    }));
    return [
      { role: "assistant", content },
      ...(results.length > 0 ? [{ role: "tool", content: results }] : []),
    ];
  });
}

/** Contents of Gemini. */
export function geminiContents({ steps }) {
  const image = (picture) =>
    picture ? [{ inlineData: { mimeType: "image/png", data: picture } }] : [];
  return steps.flatMap((step) => {
    if (step.user !== undefined)
      return { role: "user", parts: [{ text: step.user }, ...image(step.picture)] };
    const parts = [
      ...(step.think ? [{ text: step.think, thought: true }] : []),
      ...(step.say ? [{ text: step.say }] : []),
      ...step.calls.map((call) => {
        const [name, args] = TOOLS.plain(call);
        return { functionCall: { id: call.id, name, args } };
      }),
    ];
    const results = step.calls.flatMap((call) => [
      {
        functionResponse: {
          id: call.id,
          name: TOOLS.plain(call)[0],
          response: failed(call) ? { error: call.output } : { output: call.output },
        },
      },
      ...image(call.picture),
    ]);
    return [
      { role: "model", parts },
      ...(results.length > 0 ? [{ role: "user", parts: results }] : []),
    ];
  });
}
