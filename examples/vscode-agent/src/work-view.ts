// The view beside the chat: a webview that shows what the machines did, and takes prompts.

import * as vscode from "vscode";

import type { FromView, ToView, Work } from "./work";

export class WorkView implements vscode.WebviewViewProvider {
  #webview: vscode.Webview | undefined;
  #work: Work = {};

  constructor(readonly extension: vscode.Uri) {}

  resolveWebviewView({ webview }: vscode.WebviewView): void {
    const dist = vscode.Uri.joinPath(this.extension, "dist");
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.onDidReceiveMessage((message: FromView) => this.#heard(message));
    webview.html = html(webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.js")));
    this.#webview = webview;
  }

  show(work: Work): void {
    this.#work = work;
    this.#send();
  }

  #heard(message: FromView): void {
    // A webview is loaded anew whenever it has been hidden.
    if (message.type === "ready") return this.#send();
    const query = `@kept ${message.prompt}`;
    void vscode.commands.executeCommand("workbench.action.chat.open", { query });
  }

  #send(): void {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const [root = "/", ...allowedRoots] = folders.map(({ uri }) => uri.fsPath);
    const message: ToView = { root, allowedRoots, work: this.#work };
    void this.#webview?.postMessage(message);
  }
}

/** A page that may run this one script, and compile WebAssembly. */
function html(script: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <style nonce="${nonce}">
      textarea { box-sizing: border-box; width: 100%; }
      textarea, button { font: inherit; color: inherit; border: 1px solid;
        background: var(--vscode-input-background); }
      dt { margin-top: 8px; font-weight: bold; }
      dd, #refers-to { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    </style>
  </head>
  <body>
    <textarea id="prompt" rows="2" placeholder="A prompt, such as: What is in @[notes.md:1]?"></textarea>
    <div id="refers-to"></div>
    <button id="ask">Ask</button>
    <dl id="work"></dl>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
