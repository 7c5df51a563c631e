// What turnkeeper/replace/roo exports, and the types that this needs.
// Written by `cargo xtask api`. Do not edit.

type RepetitionCheck = {
  allowExecution: boolean;
  askUser?: {
    messageKey: string;
    messageDetail: string;
  };
};

declare class ToolRepetitionDetector {
  #private;
  constructor(limit?: number, messageDetail?: (toolName: string) => string);
  check(currentToolCallBlock: ToolUse): RepetitionCheck;
  protected serializeToolUse({ name, params, nativeArgs }: ToolUse): string;
  dispose(): void;
}

type ToolUse = {
  readonly type?: string;
  readonly id?: string;
  readonly name: string;
  readonly originalName?: string;
  readonly params: object;
  readonly partial?: boolean;
  readonly nativeArgs?: unknown;
  readonly usedLegacyFormat?: boolean;
};

export { ToolRepetitionDetector };
