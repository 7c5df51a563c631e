// Writers of the formats with a value a line. A writer gets a session and gives its lines.

import { TOOLS } from "./tools.mjs";

const MODEL = "claude-sonnet-4-5-20250929";
const GEMINI = "gemini-2.5-pro";
const time = (n) => new Date(Date.UTC(2026, 1, 3, 9, 0, 7 * n)).toISOString();
const failed = (call) => call.exit !== undefined;
/** What a tool says of a command that has failed, where the exit code has no field. */
const printed = (call) => (failed(call) ? `Exit code ${call.exit}\n${call.output}` : call.output);

const base64Image = (data) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});

/** The blocks of Anthropic's messages. */
export const anthropic = {
  user: ({ user, picture }) =>
    picture ? [{ type: "text", text: user }, base64Image(picture)] : user,
  answer: ({ think, say, calls }, tools) => [
    ...(think ? [{ type: "thinking", thinking: think, signature: "EqQBCkYIBxgCKkA=" }] : []),
    ...(say ? [{ type: "text", text: say }] : []),
    ...calls.map((call) => {
      const [name, input] = tools(call);
      return { type: "tool_use", id: call.id, name, input };
    }),
  ],
  result: (call) => ({
    type: "tool_result",
    tool_use_id: call.id,
    content: call.picture ? [base64Image(call.picture)] : printed(call),
    ...(failed(call) && { is_error: true }),
  }),
};

/** Lines of a session of Claude Code; a block is a line. */
export function claudeCode({ title, cwd, id, steps }) {
  let count = 0;
  let last = null;
  const line = (type, message, more) => {
    const uuid = `${id}-${(count += 1)}`;
    const whole = {
      parentUuid: last,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: id,
      version: "2.0.14",
      gitBranch: "main",
      type,
      message,
      uuid,
      timestamp: time(count),
      ...more,
    };
    last = uuid;
    return whole;
  };
  const turn = (step, answer, more) => [
    ...anthropic.answer(step, TOOLS.claude).map((block) =>
      line(
        "assistant",
        {
          id: answer,
          type: "message",
          role: "assistant",
          model: step.model ?? MODEL,
          content: [block],
          ...(step.usage && { usage: step.usage }),
        },
        more,
      ),
    ),
    ...step.calls.flatMap((call) => [
      ...(call.agent ?? []).flatMap((each, n) =>
        turn(each, `${answer}_${n}`, { isSidechain: true }),
      ),
      line("user", { role: "user", content: [anthropic.result(call)] }, more),
    ]),
  ];
  return [
    { type: "summary", summary: title, leafUuid: `${id}-0` },
    { type: "file-history-snapshot", messageId: `${id}-1`, snapshot: {}, isSnapshotUpdate: false },
    ...steps.flatMap((step, n) => {
      if (step.user !== undefined)
        return line("user", { role: "user", content: anthropic.user(step) });
      if (step.compact === undefined) return turn(step, `msg_${n}`);
      const { message: _, ...boundary } = line("system", undefined, {
        subtype: "compact_boundary",
        content: "Conversation compacted",
        compactMetadata: { trigger: "auto", preTokens: 155_025 },
      });
      return [
        boundary,
        line("user", { role: "user", content: step.compact }, { isCompactSummary: true }),
      ];
    }),
  ];
}

/** What Claude Code prints with `--output-format stream-json`. */
export function claudeStream({ cwd, id, steps }) {
  const turn = (step, answer, parent) => [
    ...anthropic.answer(step, TOOLS.claude).map((block) => ({
      type: "assistant",
      message: { id: answer, type: "message", role: "assistant", model: MODEL, content: [block] },
      parent_tool_use_id: parent,
      session_id: id,
    })),
    ...step.calls.flatMap((call) => [
      ...(call.agent ?? []).flatMap((each, n) => turn(each, `${answer}_${n}`, call.id)),
      {
        type: "user",
        message: { role: "user", content: [anthropic.result(call)] },
        parent_tool_use_id: parent,
        session_id: id,
      },
    ]),
  ];
  const user = (content, more) => ({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    session_id: id,
    ...more,
  });
  return [
    {
      type: "system",
      subtype: "init",
      cwd,
      session_id: id,
      tools: ["Task", "Bash", "Read", "Edit", "Grep"],
      mcp_servers: [],
      model: MODEL,
      permissionMode: "default",
      apiKeySource: "none",
    },
    ...steps.flatMap((step, n) => {
      if (step.user !== undefined) return user(anthropic.user(step), { isReplay: true });
      if (step.compact === undefined) return turn(step, `msg_${n}`, null);
      const compact_metadata = { trigger: "auto", pre_tokens: 155_025 };
      return [
        { type: "system", subtype: "compact_boundary", session_id: id, compact_metadata },
        user(step.compact, { isSynthetic: true }),
      ];
    }),
  ];
}

/** What gemini-cli prints with `--output-format stream-json`. */
export function geminiStream({ id, steps }) {
  let count = 0;
  const event = (type, more) => ({ type, timestamp: time((count += 1)), ...more });
  return [
    event("init", { session_id: id, model: GEMINI }),
    ...steps.flatMap((step) => {
      if (step.user !== undefined) return event("message", { role: "user", content: step.user });
      const half = Math.ceil((step.say ?? "").length / 2);
      const deltas = [(step.say ?? "").slice(0, half), (step.say ?? "").slice(half)];
      return [
        ...deltas
          .filter((content) => content !== "")
          .map((content) => event("message", { role: "assistant", content, delta: true })),
        ...step.calls.map((call) => {
          const [tool_name, parameters] = TOOLS.gemini(call);
          return event("tool_use", { tool_name, tool_id: call.id, parameters });
        }),
        ...step.calls.map((call) =>
          failed(call)
            ? event("tool_result", {
                tool_id: call.id,
                status: "error",
                error: { type: "SHELL_EXECUTE_ERROR", message: call.output },
              })
            : event("tool_result", { tool_id: call.id, status: "success", output: call.output }),
        ),
      ];
    }),
  ];
}

/** Lines of a rollout of Codex. */
export function codex({ cwd, id, steps }) {
  let count = 0;
  const line = (type, payload) => ({ timestamp: time((count += 1)), type, payload });
  const item = (payload) => line("response_item", payload);
  return [
    line("session_meta", {
      id,
      timestamp: time(0),
      cwd,
      originator: "codex_cli_rs",
      cli_version: "0.63.0",
    }),
    line("turn_context", {
      cwd,
      approval_policy: "on-request",
      model: "gpt-5.1-codex",
      effort: "medium",
    }),
    ...steps.flatMap((step) => {
      if (step.compact !== undefined) return line("compacted", { message: step.compact });
      if (step.user !== undefined) {
        const image_url = `data:image/png;base64,${step.picture}`;
        const content = [
          { type: "input_text", text: step.user },
          ...(step.picture ? [{ type: "input_image", image_url }] : []),
        ];
        return item({ type: "message", role: "user", content });
      }
      const { think, say, calls } = step;
      return [
        ...(think
          ? [
              item({
                type: "reasoning",
                summary: [{ type: "summary_text", text: think }],
                encrypted_content: "gAAAAA==",
              }),
            ]
          : []),
        ...(say
          ? [
              item({
                type: "message",
                role: "assistant",
                content: [{ type: "output_text", text: say }],
              }),
            ]
          : []),
        ...calls.map((call) => {
          const [name, args] = TOOLS.codex(call);
          return item({
            type: "function_call",
            name,
            arguments: JSON.stringify(args),
            call_id: call.id,
          });
        }),
        ...calls.map((call) => {
          const image_url = `data:image/png;base64,${call.picture}`;
          const output = call.picture
            ? [{ type: "input_image", image_url }]
            : `Process exited with code ${call.exit ?? 0}\nOutput:\n${call.output}`;
          return item({ type: "function_call_output", call_id: call.id, output });
        }),
      ];
    }),
  ];
}

/** Events of OpenHands' agent SDK. */
export function openHandsSdk({ steps }) {
  let count = 0;
  const event = (kind, source, more) => ({
    kind,
    id: `event-${(count += 1)}`,
    timestamp: time(count),
    source,
    ...more,
  });
  const words = (text) => [{ type: "text", text }];
  const image = (data) => ({ type: "image", image_urls: [`data:image/png;base64,${data}`] });
  return [
    event("SystemPromptEvent", "agent", {
      system_prompt: { type: "text", text: "You are OpenHands agent." },
      tools: [],
    }),
    ...steps.flatMap((step) => {
      if (step.compact !== undefined) {
        return event("Condensation", "environment", {
          forgotten_event_ids: ["event-2"],
          summary: step.compact,
        });
      }
      if (step.user !== undefined) {
        const content = [...words(step.user), ...(step.picture ? [image(step.picture)] : [])];
        return event("MessageEvent", "user", { llm_message: { role: "user", content } });
      }
      if (step.calls.length === 0) {
        return event("MessageEvent", "agent", {
          llm_message: { role: "assistant", content: words(step.say) },
        });
      }
      return step.calls.flatMap((call, n) => {
        const [tool_name, args] = TOOLS.openhands(call);
        const thought = n === 0 && step.say ? words(step.say) : [];
        const reasoning_content = n === 0 ? step.think : undefined;
        return [
          event("ActionEvent", "agent", {
            thought,
            ...(reasoning_content && { reasoning_content }),
            tool_name,
            tool_call_id: call.id,
            tool_call: {
              id: call.id,
              name: tool_name,
              arguments: JSON.stringify(args),
              origin: "completion",
            },
          }),
          event("ObservationEvent", "environment", {
            tool_name,
            tool_call_id: call.id,
            observation: {
              kind: "ExecuteBashObservation",
              content: call.picture ? [image(call.picture)] : words(call.output),
              ...(call.tool === "run" && { exit_code: call.exit ?? 0 }),
              is_error: failed(call),
            },
          }),
        ];
      });
    }),
  ];
}

/** Events of OpenHands' application. */
export function openHandsEvents({ steps }) {
  let id = 0;
  const event = (source, more) => ({
    id: (id += 1),
    timestamp: time(id),
    source,
    message: "",
    ...more,
  });
  const ACTIONS = { read: "read", edit: "edit", run: "run", search: "run", task: "delegate" };
  const said = (source, content, picture) =>
    event(source, {
      action: "message",
      args: {
        content,
        image_urls: picture ? [`data:image/png;base64,${picture}`] : null,
        wait_for_response: source === "agent",
      },
    });
  const turn = (step) => {
    if (step.calls.length === 0) return [said("agent", step.say)];
    return step.calls.flatMap((call, n) => {
      const [function_name, args] = TOOLS.openhands(call);
      const thought = n === 0 ? [step.think, step.say].filter(Boolean).join("\n") : "";
      const action = event("agent", {
        action: ACTIONS[call.tool],
        args: { ...args, thought, security_risk: 0 },
        tool_call_metadata: {
          function_name,
          tool_call_id: call.id,
          total_calls_in_response: step.calls.length,
        },
      });
      const delegated = call.agent
        ? [said("user", `TASK: ${call.description}`), ...call.agent.flatMap(turn)]
        : [];
      const extras = {
        ...(call.tool === "run" && {
          command: call.command,
          metadata: { exit_code: call.exit ?? 0, working_dir: "/workspace" },
        }),
        ...(call.picture && { screenshot: `data:image/png;base64,${call.picture}` }),
      };
      const observation = event("agent", {
        cause: action.id,
        observation: ACTIONS[call.tool],
        content: call.output,
        extras,
        success: !failed(call),
      });
      return [action, ...delegated, observation];
    });
  };
  return [
    event("agent", { action: "system", args: { content: "You are OpenHands agent.", tools: [] } }),
    ...steps.flatMap((step) => {
      if (step.user !== undefined) return said("user", step.user, step.picture);
      if (step.compact === undefined) return turn(step);
      const args = {
        forgotten_events_start_id: 2,
        forgotten_events_end_id: id,
        summary: step.compact,
      };
      return event("agent", { action: "condensation", args });
    }),
  ];
}

/** A run of an OpenHands evaluation, as a line of its output. */
export function openHandsEval(session) {
  return [
    {
      instance_id: `${session.name}__1`,
      test_result: { git_patch: "" },
      instruction: session.steps[0].user,
      metadata: {
        agent_class: "CodeActAgent",
        llm_config: { model: "litellm_proxy/claude-sonnet-4-5-20250929", temperature: 0 },
        max_iterations: 100,
        eval_output_dir: "evaluation/evaluation_outputs/outputs",
        start_time: "2026-02-03 09:00:00",
        git_commit: "0f1e2d3c",
        dataset: "swe-bench-lite",
      },
      history: openHandsEvents(session),
      metrics: { accumulated_cost: 0.21 },
      error: null,
      instance: null,
    },
  ];
}

/** Entries of a session of pi. */
export function pi({ title, cwd, id, steps }) {
  let count = 0;
  let last = null;
  const entry = (type, more) => {
    const own = (0x3a5f0000 + (count += 1)).toString(16);
    const whole = { type, id: own, parentId: last, timestamp: time(count), ...more };
    last = own;
    return whole;
  };
  const parts = (text, picture) => [
    ...(text ? [{ type: "text", text }] : []),
    ...(picture ? [{ type: "image", data: picture, mimeType: "image/png" }] : []),
  ];
  const message = (value) =>
    entry("message", { message: { ...value, timestamp: Date.UTC(2026, 1, 3) + count } });
  return [
    { type: "session", version: 3, id, timestamp: time(0), cwd },
    entry("model_change", { provider: "anthropic", modelId: MODEL }),
    entry("thinking_level_change", { thinkingLevel: "medium" }),
    entry("session_info", { name: title }),
    ...steps.flatMap((step) => {
      if (step.compact !== undefined) {
        return entry("compaction", {
          summary: step.compact,
          firstKeptEntryId: last,
          tokensBefore: 48_211,
        });
      }
      if (step.user !== undefined)
        return message({ role: "user", content: parts(step.user, step.picture) });
      const content = [
        ...(step.think ? [{ type: "thinking", thinking: step.think }] : []),
        ...parts(step.say),
        ...step.calls.map((call) => {
          const [name, args] = TOOLS.pi(call);
          return { type: "toolCall", id: call.id, name, arguments: args };
        }),
      ];
      return [
        message({
          role: "assistant",
          content,
          api: "anthropic-messages",
          provider: "anthropic",
          model: MODEL,
          usage: { input: 3, output: 120, cacheRead: 9_120, cacheWrite: 410, totalTokens: 9_653 },
          stopReason: step.calls.length > 0 ? "toolUse" : "stop",
        }),
        ...step.calls.map((call) =>
          message({
            role: "toolResult",
            toolCallId: call.id,
            toolName: TOOLS.pi(call)[0],
            content: parts(printed(call), call.picture),
            isError: failed(call),
          }),
        ),
      ];
    }),
  ];
}

/** Messages of goose; those before a compaction are no longer the model's to see. */
export function gooseMessages({ steps }) {
  let count = 0;
  const lastCompact = steps.findLastIndex(({ compact }) => compact !== undefined);
  const message = (role, content, userVisible, agentVisible) => ({
    id: `msg_20260203_${(count += 1)}`,
    role,
    created: 1_770_109_200 + 7 * count,
    content,
    metadata: { userVisible, agentVisible },
  });
  const parts = (text, picture) => [
    ...(text !== undefined ? [{ type: "text", text }] : []),
    ...(picture ? [{ type: "image", data: picture, mimeType: "image/png" }] : []),
  ];
  return steps.flatMap((step, n) => {
    const isSeen = n > lastCompact;
    if (step.compact !== undefined) {
      return [
        message("user", parts(step.compact), false, true),
        message("assistant", parts("Your context was compacted. Go on."), false, true),
      ];
    }
    if (step.user !== undefined)
      return message("user", parts(step.user, step.picture), true, isSeen);
    const content = [
      ...(step.think ? [{ type: "thinking", thinking: step.think, signature: "EqQBCkYI" }] : []),
      ...parts(step.say),
      ...step.calls.map((call) => {
        const [name, args] = TOOLS.goose(call);
        return {
          type: "toolRequest",
          id: call.id,
          toolCall: { status: "success", value: { name, arguments: args } },
        };
      }),
    ];
    const results = step.calls.map((call) => ({
      type: "toolResponse",
      id: call.id,
      toolResult: {
        status: "success",
        value: { content: parts(printed(call), call.picture), isError: failed(call) },
      },
    }));
    return [
      message("assistant", content, true, isSeen),
      ...(results.length > 0 ? [message("user", results, true, isSeen)] : []),
    ];
  });
}

/** Lines of an older session of goose, which has no word of who sees a message. */
export function goose(session) {
  const messages = gooseMessages(session).map(({ metadata: _, ...message }) => message);
  const { title, cwd } = session;
  return [
    {
      working_dir: cwd,
      description: title,
      message_count: messages.length,
      total_tokens: 9_653,
      accumulated_total_tokens: 41_208,
    },
    ...messages,
  ];
}

/** The log of a chat of VS Code, to which each request is added when it is answered. */
export function copilotLog({ title, id, requests }) {
  const state = {
    version: 3,
    creationDate: Date.UTC(2026, 1, 3),
    initialLocation: "panel",
    responderUsername: "GitHub Copilot",
    sessionId: id,
    requests: [],
    pendingRequests: [],
  };
  return [
    { kind: 0, v: state },
    { kind: 1, k: ["customTitle"], v: title },
    ...requests.flatMap(({ result, response, modelState, ...request }, n) => [
      { kind: 2, k: ["requests"], v: [{ ...request, response: response.slice(0, 1) }] },
      ...(response.length > 1
        ? [{ kind: 2, k: ["requests", n, "response"], v: response.slice(1) }]
        : []),
      { kind: 1, k: ["requests", n, "result"], v: result },
      { kind: 1, k: ["requests", n, "modelState"], v: modelState },
    ]),
  ];
}
