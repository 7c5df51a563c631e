// What turnkeeper/pi exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

declare const MODES: readonly ["watch", "hint", "stop"];

type Mode = (typeof MODES)[number];

interface PiApi {
  on(event: string, handler: (event: never, context: PiContext) => unknown): void;
}

interface PiContext {
  abort?(): void;
  hasUI?: boolean;
  ui?: {
    notify?(message: string, type?: string): void;
  };
}

interface WatchOptions {
  mode?: Mode;
  dedupe?: boolean;
  onStop?: (message: string) => void;
}

declare function turnkeeper(pi: PiApi, options?: WatchOptions): void;

export { turnkeeper as default };
