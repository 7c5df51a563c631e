// A webview whose script runs the trace and tells what came of it.

import * as vscode from "vscode";

import type { TraceVerdicts } from "./trace";

export type PanelAnswer =
  | { verdicts: TraceVerdicts }
  | { error: { isTurnkeeperError: boolean; code: unknown; message: string } };

/** Opens the panel and closes it when it has answered. */
export async function openPanel(
  extension: vscode.Uri,
  { allowWasm }: { allowWasm: boolean },
): Promise<PanelAnswer> {
  const dist = vscode.Uri.joinPath(extension, "dist");
  const panel = vscode.window.createWebviewPanel("agent", "Agent", vscode.ViewColumn.One, {
    enableScripts: true,
    localResourceRoots: [dist],
  });
  const answer = new Promise<PanelAnswer>((resolve, reject) => {
    panel.webview.onDidReceiveMessage(resolve);
    panel.onDidDispose(() => reject(new Error("the panel was closed before it answered")));
  });
  const script = panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.js"));
  const nonce = crypto.randomUUID();
  const sources = [`'nonce-${nonce}'`, ...(allowWasm ? ["'wasm-unsafe-eval'"] : [])].join(" ");
  panel.webview.html = `<!doctype html>
<html>
  <head>
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src ${sources};"
    />
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
  try {
    return await answer;
  } finally {
    panel.dispose();
  }
}
