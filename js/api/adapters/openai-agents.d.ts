// What turnkeeper/adapters/openai-agents exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

declare class LoopStopped extends Error {
  readonly name = "LoopStopped";
}

declare const MODES: readonly ["watch", "hint", "stop"];

type Mode = (typeof MODES)[number];

type OpenAiAgentsCall<I extends OpenAiAgentsItem = OpenAiAgentsItem> = {
  modelData: {
    input: I[];
    instructions?: string;
  };
  agent?: object;
  context?: unknown;
};

type OpenAiAgentsItem = object;

interface WatchOptions {
  mode?: Mode;
  dedupe?: boolean;
  onStop?: (message: string) => void;
}

declare function turnkeeperFilter(options?: WatchOptions): <I extends OpenAiAgentsItem>({
  modelData,
}: OpenAiAgentsCall<I>) => {
  input: I[];
  instructions?: string;
};

export { LoopStopped };

export { WatchOptions };

export { turnkeeperFilter };
