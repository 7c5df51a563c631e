interface Known {
  readonly creationOptions: { readonly shellPath?: unknown };
  /** VS Code says it since 1.97. On Windows it calls both PowerShells `pwsh`. */
  readonly state: { readonly shell?: unknown };
}

/** The name or the path of the shell that a terminal runs: undefined if that is not known. */
export function shellOf(terminal: { creationOptions: object; state: object }): string | undefined {
  const { creationOptions, state } = terminal as Known;
  return textOf(creationOptions.shellPath) ?? textOf(state.shell);
}

function textOf(shell: unknown): string | undefined {
  return typeof shell === "string" && shell !== "" ? shell : undefined;
}
