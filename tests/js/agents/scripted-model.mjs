// A model that plays a script, on the loopback address: Anthropic's messages, OpenAI's chat completions and
// responses, and Gemini's contents, streamed or whole.
//
// A script is a list of steps, each { text?, calls?: [{ shell } | { tool, args }] }. A request that declares
// a tool for the step's calls takes the next step; all others (titles, summaries) get a short text. After
// the last step the model says "Done." and calls nothing. With `eachSession` each session has the whole script,
// of steps with a call each, for itself, however two of them that run at once are interleaved: the results that
// a request brings say how far its session is.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import zlib from "node:zlib";

/** Milliseconds until an answer begins: calls that follow each other quicker than any model answers are taken for one answer's. */
const THINKING = 60;

const SHELLS = [
  "bash",
  "shell",
  "exec_command",
  "shell_command",
  "run_shell_command",
  "execute_command",
  "run_commands",
  "run_command",
];

/** The same step several times. */
export const times = (count, step) =>
  Array.from({ length: count }, (_, at) => (typeof step === "function" ? step(at) : step));

export class ScriptedModel {
  /** Requests that took a step, or came after the last: { body, step, at }. */
  requests = [];
  /** All other requests. */
  others = [];
  #steps;
  #eachSession;
  #fullAt;
  #server = createServer((request, response) => this.#serve(request, response));

  /** @param options.fullAt the answer, from 1, that says that the context is nearly full */
  constructor(steps, { eachSession = false, fullAt = 0 } = {}) {
    this.#steps = steps;
    this.#fullAt = fullAt;
    this.#eachSession = eachSession;
  }

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** Numbers, from 1, of the requests whose new part holds a text. */
  requestsWith(text) {
    const quoted = JSON.stringify(text).slice(1, -1);
    return this.requests
      .filter(({ body }) => JSON.stringify(body).includes(quoted))
      .map(({ number }) => number);
  }

  async #serve(request, response) {
    const start = Date.now();
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = readBody(Buffer.concat(pieces), request.headers["content-encoding"]);
    const path = request.url.split("?")[0];
    const protocol = protocolOf(path, body);
    if (request.method !== "POST" || !protocol) return answerOther(path, response);
    const answer = this.#answer(protocol.tools(body), body);
    await sleep(Math.max(0, start + THINKING - Date.now()));
    if (protocol.streams(body, path)) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const { event, data } of protocol.events(answer, body)) {
        if (event) response.write(`event: ${event}\n`);
        response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
      }
      response.end();
    } else {
      send(response, protocol.whole(answer, body));
    }
  }

  #answer(tools, body) {
    const known = new Map(tools.map((tool) => [tool.name, tool]));
    const wanted = this.#steps.flatMap(({ calls = [] }) => calls);
    if (!wanted.some((call) => toolFor(call, known))) {
      this.others.push({ body });
      // Some ask for JSON with a title or a verdict of their own.
      return {
        text: JSON.stringify({ title: "Work", next_speaker: "user", reasoning: "none" }),
        calls: [],
        id: this.others.length,
        // A summary is made of the context.
        tokens: this.#fullAt > 0 && this.requests.length >= this.#fullAt ? FULL : FEW,
      };
    }
    const text = JSON.stringify(body);
    // A client that got no answer asks again.
    const last = this.#eachSession
      ? this.requests.find((request) => request.text === text)
      : this.requests.at(-1);
    if (last?.text === text) return last.answer;
    const number = this.requests.length + 1;
    const taken = this.#eachSession ? resultsIn(body) : this.requests.length;
    const step = this.#steps[taken] ?? { text: "Done." };
    const calls = (step.calls ?? []).flatMap((call) => {
      const tool = toolFor(call, known);
      return tool ? [{ tool, args: call.args ?? argumentsFor(call.shell, tool) }] : [];
    });
    const answer = { text: step.text ?? "", calls, id: number };
    answer.tokens = number === this.#fullAt ? FULL : FEW;
    this.requests.push({
      number,
      body,
      text,
      answer,
      at: Date.now(),
      isOver: taken >= this.#steps.length,
    });
    return answer;
  }
}

/** How many results of tools a request holds, in each protocol. */
const resultsIn = ({ messages = [], input = [], contents = [] }) =>
  messages
    .flatMap(({ role, content }) => (role === "tool" ? [{ type: "tool_result" }] : content))
    .filter((part) => part?.type === "tool_result").length +
  input.filter(({ type }) => /_output$/.test(type)).length +
  contents.flatMap(({ parts }) => parts).filter(({ functionResponse }) => functionResponse).length;

function toolFor({ tool, shell }, known) {
  if (tool !== undefined) return known.get(tool);
  if (shell === undefined) return undefined;
  return [...known.values()].find(({ name }) => SHELLS.includes(name.toLowerCase()));
}

const COMMANDS = ["command", "cmd", "commands", "script"];

/** Arguments that run a command line in any agent's shell tool. */
function argumentsFor(shell, tool) {
  const properties = tool.schema?.properties ?? {};
  const args = {};
  const key = COMMANDS.find((name) => name in properties) ?? "command";
  const isList = JSON.stringify(properties[key]?.type ?? properties[key]?.anyOf ?? "").includes(
    "array",
  );
  args[key] = isList ? [shell] : shell;
  for (const name of tool.schema?.required ?? []) args[name] ??= sampleOf(properties[name]);
  return args;
}

function sampleOf(schema) {
  if (schema?.enum) return schema.enum[0];
  switch (String([schema?.type ?? "string"].flat()[0]).toLowerCase()) {
    case "boolean":
      return false;
    case "number":
    case "integer":
      return schema.minimum ?? 1;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "none";
  }
}

// ---------- the four protocols

const FEW = 100;
const FULL = 99_000;
const usageOf = ({ tokens }) => ({ input_tokens: tokens, output_tokens: 20 });
const chatUsageOf = ({ tokens }) => ({
  prompt_tokens: tokens,
  completion_tokens: 20,
  total_tokens: tokens + 20,
});

const anthropic = {
  tools: ({ tools = [] }) => tools.map(({ name, input_schema: schema }) => ({ name, schema })),
  streams: ({ stream }) => stream === true,
  blocks: ({ text, calls, id }) => [
    ...(text ? [{ type: "text", text }] : []),
    ...calls.map(({ tool, args }, at) => ({
      type: "tool_use",
      id: `toolu_${id}_${at}`,
      name: tool.name,
      input: args,
    })),
  ],
  message: (answer, { model }) => ({
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model,
    stop_sequence: null,
    usage: usageOf(answer),
  }),
  whole(answer, body) {
    const stop_reason = answer.calls.length ? "tool_use" : "end_turn";
    return { ...this.message(answer, body), content: this.blocks(answer), stop_reason };
  },
  *events(answer, body) {
    const typed = (data) => ({ event: data.type, data });
    yield typed({
      type: "message_start",
      message: { ...this.message(answer, body), content: [], stop_reason: null },
    });
    for (const [index, block] of this.blocks(answer).entries()) {
      const isText = block.type === "text";
      const content_block = isText ? { type: "text", text: "" } : { ...block, input: {} };
      yield typed({ type: "content_block_start", index, content_block });
      const delta = isText
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      yield typed({ type: "content_block_delta", index, delta });
      yield typed({ type: "content_block_stop", index });
    }
    const stop_reason = answer.calls.length ? "tool_use" : "end_turn";
    yield typed({
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 20 },
    });
    yield typed({ type: "message_stop" });
  },
};

const completions = {
  tools: ({ tools = [] }) =>
    tools
      .filter((it) => it.function)
      .map((it) => ({ name: it.function.name, schema: it.function.parameters })),
  streams: ({ stream }) => stream === true,
  calls: ({ calls, id }) =>
    calls.map(({ tool, args }, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: "function",
      function: { name: tool.name, arguments: JSON.stringify(args) },
    })),
  base: ({ id }, { model }, object) => ({ id: `chatcmpl-${id}`, object, created: 1, model }),
  whole(answer, body) {
    const tool_calls = this.calls(answer);
    const message = {
      role: "assistant",
      content: answer.text,
      ...(tool_calls.length && { tool_calls }),
    };
    const finish_reason = tool_calls.length ? "tool_calls" : "stop";
    return {
      ...this.base(answer, body, "chat.completion"),
      choices: [{ index: 0, message, finish_reason }],
      usage: chatUsageOf(answer),
    };
  },
  *events(answer, body) {
    const base = this.base(answer, body, "chat.completion.chunk");
    const part = (delta, finish_reason = null) => ({
      data: { ...base, choices: [{ index: 0, delta, finish_reason }] },
    });
    yield part({ role: "assistant", content: answer.text });
    const tool_calls = this.calls(answer);
    if (tool_calls.length) yield part({ tool_calls });
    yield part({}, tool_calls.length ? "tool_calls" : "stop");
    yield { data: { ...base, choices: [], usage: chatUsageOf(answer) } };
    yield { data: "[DONE]" };
  },
};

const responses = {
  tools: ({ tools = [] }) =>
    tools
      .flatMap((tool) =>
        tool.type === "namespace"
          ? tool.tools.map((it) => ({ ...it, namespace: tool.name }))
          : [tool],
      )
      .filter(({ name }) => name)
      .map(({ name, parameters: schema, namespace }) => ({ name, schema, namespace })),
  streams: ({ stream }) => stream === true,
  items: ({ text, calls, id }) => [
    ...(text
      ? [
          {
            type: "message",
            id: `msg_${id}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ]
      : []),
    ...calls.map(({ tool, args }, at) => ({
      type: "function_call",
      id: `fc_${id}_${at}`,
      call_id: `call_${id}_${at}`,
      name: tool.name,
      ...(tool.namespace && { namespace: tool.namespace }),
      arguments: JSON.stringify(args),
      status: "completed",
    })),
  ],
  whole(answer, { model }) {
    const whole = {
      id: `resp_${answer.id}`,
      object: "response",
      created_at: 1,
      model,
      status: "completed",
      output: this.items(answer),
    };
    return {
      ...whole,
      error: null,
      tools: [],
      usage: {
        ...usageOf(answer),
        total_tokens: answer.tokens + 20,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
  },
  *events(answer, body) {
    let sequence_number = 0;
    const typed = (type, fields) => ({
      event: type,
      data: { type, sequence_number: sequence_number++, ...fields },
    });
    const response = this.whole(answer, body);
    yield typed("response.created", {
      response: { ...response, status: "in_progress", output: [], usage: null },
    });
    for (const [output_index, item] of response.output.entries()) {
      const place = { output_index, item_id: item.id };
      if (item.type === "message") {
        const [part] = item.content;
        yield typed("response.output_item.added", { output_index, item: { ...item, content: [] } });
        yield typed("response.content_part.added", {
          ...place,
          content_index: 0,
          part: { ...part, text: "" },
        });
        yield typed("response.output_text.delta", { ...place, content_index: 0, delta: part.text });
        yield typed("response.output_text.done", { ...place, content_index: 0, text: part.text });
        yield typed("response.content_part.done", { ...place, content_index: 0, part });
      } else {
        yield typed("response.output_item.added", {
          output_index,
          item: { ...item, arguments: "" },
        });
        yield typed("response.function_call_arguments.delta", { ...place, delta: item.arguments });
        yield typed("response.function_call_arguments.done", {
          ...place,
          arguments: item.arguments,
        });
      }
      yield typed("response.output_item.done", { output_index, item });
    }
    yield typed("response.completed", { response });
  },
};

const gemini = {
  tools: ({ tools = [] }) =>
    tools
      .flatMap((it) => it.functionDeclarations ?? [])
      .map((it) => ({ name: it.name, schema: it.parametersJsonSchema ?? it.parameters })),
  streams: (_body, path) => path.endsWith(":streamGenerateContent"),
  whole({ text, calls, id, tokens }) {
    const parts = [
      ...(text ? [{ text }] : []),
      ...calls.map(({ tool, args }, at) => ({
        functionCall: { id: `fc_${id}_${at}`, name: tool.name, args },
      })),
    ];
    const usageMetadata = {
      promptTokenCount: tokens,
      candidatesTokenCount: 20,
      totalTokenCount: tokens + 20,
    };
    return {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata,
      responseId: `r${id}`,
    };
  },
  *events(answer) {
    yield { data: this.whole(answer) };
  },
};

function protocolOf(path) {
  if (path.endsWith("/messages")) return anthropic;
  if (path.endsWith("/chat/completions")) return completions;
  if (path.endsWith("/responses")) return responses;
  return /enerateContent$/.test(path) ? gemini : undefined;
}

function answerOther(path, response) {
  if (/count_tokens$|:countTokens$/.test(path))
    return send(response, { input_tokens: 100, totalTokens: 100 });
  if (/\/models$/.test(path))
    return send(response, {
      object: "list",
      data: [{ id: "scripted", object: "model" }],
      has_more: false,
    });
  response.statusCode = 404;
  send(response, { error: { type: "not_found_error", message: "there is no such thing here" } });
}

function send(response, value) {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

function readBody(bytes, encoding) {
  const unpack = {
    gzip: zlib.gunzipSync,
    br: zlib.brotliDecompressSync,
    zstd: zlib.zstdDecompressSync,
  }[encoding];
  try {
    return JSON.parse((unpack ? unpack(bytes) : bytes).toString());
  } catch {
    return {};
  }
}
