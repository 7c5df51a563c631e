// A language model of VS Code's, provided by this extension and asked by it: VS Code is in between.

import { LoopDetector, dedupeHistory, guardStream, withEnvironment } from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import { observe } from "./observations";

const VENDOR = "turnkeeper-tests";

/** What the model does when it is asked; it ends when the token is cancelled, at the latest. */
type Script = (
  say: (part: unknown) => void,
  token: vscode.CancellationToken,
  messages: readonly vscode.LanguageModelChatMessage[],
) => Promise<void>;

/** Of newer versions than the types that this extension is compiled with. */
interface NewerApi {
  lm: {
    registerLanguageModelChatProvider(vendor: string, provider: object): vscode.Disposable;
  };
  LanguageModelDataPart: new (data: Uint8Array, mimeType: string) => object;
  LanguageModelThinkingPart: new (value: string | string[], id?: string) => object;
}
const newer = vscode as unknown as NewerApi;

let script: Script = async () => {};

export async function run(): Promise<void> {
  const provider = newer.lm.registerLanguageModelChatProvider(VENDOR, {
    provideLanguageModelChatInformation: () => [
      {
        id: "scripted",
        name: "Scripted",
        family: "scripted",
        version: "1",
        maxInputTokens: 100_000,
        maxOutputTokens: 100_000,
        capabilities: { toolCalling: true, imageInput: true },
      },
    ],
    provideLanguageModelChatResponse: (
      _model: object,
      messages: readonly vscode.LanguageModelChatMessage[],
      _options: object,
      progress: vscode.Progress<unknown>,
      token: vscode.CancellationToken,
    ) => script((part) => progress.report(part), token, messages),
    provideTokenCount: async () => 1,
  });
  await observe("models-same-call", sameCall);
  await observe("models-sentence", sentence);
  await observe("models-parts", parts);
  await observe("models-host-aborts", hostAborts);
  await observe("models-error", error);
  await observe("models-history", history);
  provider.dispose();
}

async function ask(
  behaviour: Script,
  messages = [vscode.LanguageModelChatMessage.User("Fix it.")],
): Promise<{ stream: AsyncIterable<unknown>; source: vscode.CancellationTokenSource }> {
  script = behaviour;
  const source = new vscode.CancellationTokenSource();
  const [model] = await vscode.lm.selectChatModels({ vendor: VENDOR });
  if (!model) throw new Error("VS Code does not offer the model");
  const { stream } = await model.sendRequest(messages, {}, source.token);
  return { stream, source };
}

/** Asks, and guards the answer as a host would. */
async function guarded(
  behaviour: Script,
  onPart?: (count: number, abort: AbortController) => void,
) {
  let wasCancelled = false;
  const { stream, source } = await ask(async (say, token, messages) => {
    await behaviour(say, token, messages);
    wasCancelled = token.isCancellationRequested;
  });
  const abort = new AbortController();
  abort.signal.addEventListener("abort", () => source.cancel());
  const detector = new LoopDetector({ profile: "standard" });
  const seen: { parts: number; type?: string; error?: string } = { parts: 0 };
  detector.startPrompt("prompt-1");
  const guarded = guardStream(stream, detector, {
    adapter: streamAdapter(),
    abort,
    onLoopDetected: ({ verdict }) => (seen.type = verdict.report.type),
  });
  try {
    for await (const part of guarded) {
      void part;
      seen.parts += 1;
      onPart?.(seen.parts, abort);
    }
  } catch (error) {
    seen.error = String(error);
  }
  const until = Date.now() + 120_000;
  while (abort.signal.aborted && !wasCancelled && Date.now() < until) await pause();
  detector.dispose();
  return { ...seen, aborted: abort.signal.aborted, wasCancelled };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Says what `make` gives until the token is cancelled. */
function endless(make: (n: number) => unknown): Script {
  return async (say, token) => {
    for (let n = 0; !token.isCancellationRequested; n++) {
      say(make(n));
      await pause();
    }
  };
}

function sameCall() {
  const input = { command: "npm test" };
  return guarded(endless((n) => new vscode.LanguageModelToolCallPart(`c${n}`, "run", input)));
}

function sentence() {
  const text = ["I will try ", "that again. "];
  return guarded(endless((n) => new vscode.LanguageModelTextPart(text[n % 2]!)));
}

/** Each kind of part, on its way through VS Code. */
async function parts() {
  const { stream } = await ask(async (say) => {
    say(new newer.LanguageModelThinkingPart("I should look.", "t1"));
    say(new vscode.LanguageModelTextPart("I look."));
    say(new newer.LanguageModelDataPart(new Uint8Array([1]), "image/png"));
    say(new vscode.LanguageModelToolCallPart("c1", "ls", { path: "." }));
  });
  const adapter = streamAdapter();
  const events = [];
  for await (const part of stream) {
    const event = adapter(part);
    if (event !== undefined) events.push(event);
  }
  return events.flat();
}

function hostAborts() {
  return guarded(
    endless((n) => new vscode.LanguageModelTextPart(`Line ${n}.\n`)),
    (count, abort) => {
      if (count === 3) abort.abort();
    },
  );
}

function error() {
  return guarded(async (say) => {
    say(new vscode.LanguageModelTextPart("Let me"));
    await pause();
    throw new Error("the model is gone");
  });
}

/** A history that needs repair, sent as it comes back: VS Code takes no part that is not its own. */
async function history() {
  const { LanguageModelChatMessage: Message, LanguageModelTextPart: Text } = vscode;
  const block = (time: string) => `<environment_details>\n${time}\n</environment_details>`;
  const given = [
    Message.User([new Text(block("09:00")), new Text("Go on."), new Text(block("10:05"))]),
    Message.Assistant([new vscode.LanguageModelToolCallPart("c1", "ls", { path: "." })]),
    Message.User([new vscode.LanguageModelToolResultPart("c1", [new Text("a.ts")])]),
  ];
  const { messages } = dedupeHistory(fromMessages(given));
  const newest = messages.length - 1;
  messages[newest] = {
    ...messages[newest]!,
    content: withEnvironment(messages[newest]!.content, "10:06"),
  };
  const repaired = toMessages<vscode.LanguageModelChatMessage>(messages, vscode);
  let received: unknown;
  const { stream } = await ask(async (_say, _token, messages) => {
    received = messages.map(({ role, content }) => [role, content]);
  }, repaired);
  for await (const part of stream) void part;
  return {
    same: repaired.map((message, at) => message === given[at]),
    classes: repaired.every((message) => message instanceof Message),
    received,
  };
}
