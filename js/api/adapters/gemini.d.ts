// What turnkeeper/adapters/gemini exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

type AgentEvent =
  | {
      type: "text";
      text: string;
    }
  | {
      type: "reasoning";
      text: string;
    }
  | {
      type: "tool_call";
      id?: string;
      name: string;
      args?: unknown;
      key?: string;
    }
  | {
      type: "tool_result";
      id?: string;
      output: string | readonly object[];
      isError?: boolean;
      exitCode?: number;
    }
  | {
      type: "turn_started";
    }
  | {
      type: "user_message";
    }
  | {
      type: "finished";
    }
  | {
      type: "condensation";
    }
  | {
      type: "retry";
    }
  | {
      type: "loop_reported";
      by?: string;
      detail?: string;
    }
  | {
      type: "other";
    };

interface AnyMessage<H extends object = object> {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly [HOST]?: H;
}

type GeminiContent = {
  readonly role?: string;
  readonly parts?: readonly object[];
};

type GeminiStreamEvent =
  | {
      readonly type: string;
    }
  | {
      readonly type?: undefined;
      readonly candidates?: readonly object[];
    };

declare const HOST: unique symbol;

interface Message<H extends object = object> {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
  readonly [HOST]?: H;
}

interface MessagePart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly MessagePart[];
  readonly is_error?: boolean;
  readonly [field: string]: unknown;
}

type StreamAdapter<T> = (event: T) => AgentEvent | readonly AgentEvent[] | undefined;

declare function fromMessages<H extends GeminiContent>(contents: readonly H[]): Message<H>[];

declare function streamAdapter(): StreamAdapter<GeminiStreamEvent>;

declare function toMessages<H extends object = any>(messages: readonly AnyMessage<H>[]): H[];

export { Message };

export { MessagePart };

export { fromMessages };

export { streamAdapter };

export { toMessages };
