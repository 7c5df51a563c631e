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

interface PluginOptions {
  mode?: Mode;
}

declare function turnkeeper(pi: PiApi, options?: PluginOptions): void;

export { PiApi };

export { PiContext };

export { PluginOptions };

export { turnkeeper as default };
