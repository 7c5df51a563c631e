// What turnkeeper/adapters/langchain exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface LangChainMessage {
  content: unknown;
  getType?(): string;
  type?: string;
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
  wrapToolCall<R>(
    request: LangChainToolRequest,
    handler: (request: LangChainToolRequest) => Promise<R> | R,
  ): Promise<R>;
}

interface LangChainOptions {
  mode?: Mode;
  onStop?: (message: string) => void;
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

declare function turnkeeperMiddleware(options?: LangChainOptions): LangChainMiddleware;

export { LangChainMessage };

export { LangChainMiddleware };

export { LangChainOptions };

export { LangChainToolRequest };

export { turnkeeperMiddleware };
