// Who writes to the console of the extension host.

/**
 * Collects what is written from files under `folder`, from now on. VS Code and its own extensions
 * write there too, and its console does not let its methods be replaced.
 */
export function watchConsole(folder: string): string[] {
  const heard: string[] = [];
  globalThis.console = new Proxy(globalThis.console, {
    get(console, name) {
      const member: unknown = Reflect.get(console, name);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        // The first two lines are the error's own and that of this function.
        const callers = new Error().stack?.split("\n").slice(2).join("\n") ?? "";
        if (callers.includes(folder)) heard.push(`${String(name)}: ${values.join(" ")}`);
        return Reflect.apply(member, console, values) as unknown;
      };
    },
  });
  return heard;
}
