// What turnkeeper/opencode exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

declare const MODES: readonly ["watch", "hint", "stop"];

type Mode = (typeof MODES)[number];

interface OpenCodeClient {
  session: {
    abort(request: {
      path: {
        id: string;
      };
    }): Promise<unknown>;
  };
  tui?: {
    showToast?(request: {
      body: {
        message: string;
        variant: string;
      };
    }): Promise<unknown>;
  };
}

interface OpenCodeHooks {
  "chat.message"(
    input: {
      sessionID: string;
    },
    output: {
      message: {
        id?: string;
      };
      parts: OpenCodePart[];
    },
  ): Promise<void>;
  "tool.execute.before"(
    input: {
      sessionID: string;
      tool: string;
    },
    output: {
      args: unknown;
    },
  ): Promise<void>;
  "tool.execute.after"(
    input: {
      sessionID: string;
      tool: string;
      callID: string;
      args?: unknown;
    },
    output: {
      output: string;
      metadata?: unknown;
    },
  ): Promise<void>;
  "experimental.chat.messages.transform"(
    input: object,
    output: {
      messages: OpenCodeMessage[];
    },
  ): Promise<void>;
  "experimental.session.compacting"(
    input: {
      sessionID: string;
    },
    output: {
      context: string[];
    },
  ): Promise<void>;
  event(input: {
    event: {
      type: string;
      properties?: {
        sessionID?: string;
      };
    };
  }): Promise<void>;
}

interface OpenCodeMessage {
  info: {
    role: string;
    sessionID: string;
  };
  parts: OpenCodePart[];
}

interface OpenCodePart {
  type: string;
  text?: string;
  callID?: string;
  tool?: string;
  state?: {
    status: string;
    input?: unknown;
    output?: string;
  };
}

interface WatchOptions {
  mode?: Mode;
  dedupe?: boolean;
  onStop?: (message: string) => void;
}

declare function server(
  {
    client,
  }: {
    client: OpenCodeClient;
  },
  options?: WatchOptions,
): Promise<OpenCodeHooks>;

export { server };
