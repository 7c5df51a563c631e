// Runs in the webview: says at each key press what a prompt refers to, and shows what the machines did.

import { GhostBlockAssembler } from "turnkeeper/ghost-block";

import type { FromView, ToView } from "../work";

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const vscode = acquireVsCodeApi();
const prompt = document.querySelector<HTMLTextAreaElement>("#prompt")!;
const refersTo = document.querySelector("#refers-to")!;
const work = document.querySelector("#work")!;
let assembler: GhostBlockAssembler | undefined;

addEventListener("message", ({ data }: MessageEvent<ToView>) => {
  const { root, allowedRoots } = data;
  assembler?.dispose();
  assembler = new GhostBlockAssembler({ root, allowedRoots });
  work.replaceChildren(
    ...Object.entries(data.work).flatMap(([machine, did]) => [
      element("dt", machine),
      element("dd", did),
    ]),
  );
});
prompt.addEventListener("input", () => {
  const { references = [], diagnostics = [] } = assembler?.inspect(prompt.value) ?? {};
  const lines = references.map(({ kind, path, name }) => `${kind} ${path ?? name}`);
  lines.push(...diagnostics.map(({ message }) => message));
  refersTo.textContent = lines.join("\n");
});
document.querySelector("#ask")!.addEventListener("click", () => {
  vscode.postMessage({ type: "ask", prompt: prompt.value });
});
vscode.postMessage({ type: "ready" });

/** Text, never HTML: paths and commands come from elsewhere. */
function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
