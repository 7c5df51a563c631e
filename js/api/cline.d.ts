// What turnkeeper/cline exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface ClineAnswer {
  appendContext?: string;
  stop?: true;
  reason?: string;
}

interface ClinePlugin {
  name: string;
  manifest: {
    capabilities: string[];
  };
  hooks: {
    beforeRun(): void;
    beforeModel(): void;
    afterTool(event: ClineToolEvent): ClineAnswer | undefined;
  };
}

interface ClineToolEvent {
  toolCall: {
    toolCallId?: string;
    id?: string;
    toolName?: string;
    name?: string;
  };
  input?: unknown;
  result?: unknown;
}

declare const plugin: ClinePlugin;

export { ClineAnswer };

export { ClinePlugin };

export { ClineToolEvent };

export { plugin };

export { plugin as default };
