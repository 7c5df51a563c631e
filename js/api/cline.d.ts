// What turnkeeper/cline exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

interface ClineAnswer {
  appendContext?: string;
  stop?: true;
  reason?: string;
}

interface ClineMessage {
  role?: string;
  content: readonly object[];
}

interface ClinePlugin {
  name: string;
  manifest: {
    capabilities: string[];
  };
  hooks: {
    beforeRun(): void;
    beforeModel(context: ClineRequest):
      | {
          messages: ClineMessage[];
        }
      | undefined;
    afterTool(event: ClineToolEvent): ClineAnswer | undefined;
  };
}

interface ClineRequest {
  request?: {
    messages?: readonly ClineMessage[];
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

export { plugin };

export { plugin as default };
