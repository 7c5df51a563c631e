// What turnkeeper/adapters/langchain exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface LangChainMessage {
  content: unknown;
  getType?(): string;
  type?: string;
  tool_call_id?: string;
}

interface LangChainMiddleware {
  name: string;
  beforeAgent(
    state: {
      messages: readonly LangChainMessage[];
    },
    runtime?: object,
  ): void;
  beforeModel: {
    canJumpTo: ["end"];
    hook(
      state: object,
      runtime?: object,
    ):
      | {
          jumpTo: "end";
          messages: {
            role: "assistant";
            content: string;
          }[];
        }
      | undefined;
  };
  wrapModelCall<
    Q extends {
      messages: LangChainMessage[];
    },
    R,
  >(
    request: Q,
    handler: (request: Q) => R,
  ): R;
  wrapToolCall<R>(
    request: LangChainToolRequest,
    handler: (request: LangChainToolRequest) => Promise<R> | R,
  ): Promise<R>;
}

interface LangChainToolRequest {
  toolCall: {
    id?: string;
    name: string;
    args: unknown;
  };
  runtime?: {
    configurable?: {
      thread_id?: string;
    };
  };
}

declare const MODES: readonly ["watch", "hint", "stop"];

type Mode = (typeof MODES)[number];

interface WatchOptions {
  mode?: Mode;
  dedupe?: boolean;
  onStop?: (message: string) => void;
}

declare function turnkeeperMiddleware(options?: WatchOptions): LangChainMiddleware;

export { LangChainMiddleware };

export { WatchOptions };

export { turnkeeperMiddleware };
