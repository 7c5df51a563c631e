// Objects that nothing is done to: whatever becomes of others, they answer as they always did.

export function neighbours(tk) {
  const detector = new tk.LoopDetector({ profile: "standard" });
  detector.startPrompt("p");
  const call = { type: "tool_call", name: "ls", args: { path: "a" } };
  for (let at = 0; at < 8; at++) detector.observe(call);
  const assembler = new tk.GhostBlockAssembler({ root: "/work" });
  assembler.setRules([{ name: "r", content: '@{define X, "1"} @[a.md]' }]);
  const injector = new tk.SummaryInjector();
  injector.startTurn({ task: "task" });
  injector.storeSummary({ summary: "words" });
  const selector = new tk.TerminalSelector({ platform: "posix" });
  selector.register({ id: 1, provider: "vscode", workingDirectory: "/work" });

  const look = () => {
    const copy = tk.LoopDetector.restore(detector.snapshot());
    const verdicts = [copy.observe(call).action, copy.observe(call).action];
    copy.dispose();
    const env = "<environment_details>x</environment_details>";
    return JSON.stringify([
      verdicts,
      assembler.inspect("@[a.md:1:2] @{X}"),
      injector.accumulatedSummaries(),
      selector.terminals,
      tk.dedupeHistory([{ role: "user", content: env + env }]),
      tk.withEnvironment("a", "b"),
      [detector, assembler, injector, selector].map((each) => each.snapshot().length),
    ]);
  };
  const before = look();
  return {
    /** What is wrong with one of them. */
    problem() {
      try {
        const now = look();
        return now === before ? undefined : `a neighbour has changed: ${now}, it was ${before}`;
      } catch (error) {
        return `a neighbour fails: ${error?.stack ?? error}`;
      }
    },
  };
}
