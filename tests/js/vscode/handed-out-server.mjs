// A server for VS Code up to 1.93 as code-server packs it: `server-main.js` hands its functions out there and
// starts nothing. Takes the flags of the newer server, and says the same when it listens.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const [main, ...flags] = process.argv.slice(2);
const string = { type: "string" };
const flag = { type: "boolean" };
const { values: options } = parseArgs({
  args: flags,
  options: {
    "accept-server-license-terms": flag,
    "without-connection-token": flag,
    "disable-workspace-trust": flag,
    host: string,
    port: string,
    "telemetry-level": string,
    "server-data-dir": string,
    "user-data-dir": string,
    "extensions-dir": string,
  },
});

const { loadCodeWithNls } = createRequire(import.meta.url)(main);
const vscode = await loadCodeWithNls();
let handlers;
const server = createServer((request, response) => handlers.handleRequest(request, response));
server.on("upgrade", (request, socket) => handlers.handleUpgrade(request, socket));
await new Promise((resolve) => server.listen(Number(options.port), options.host, resolve));
handlers = await vscode.createServer(server.address(), { ...options, compatibility: "1.64" });
console.log(`Extension host agent listening on ${server.address().port}`);
