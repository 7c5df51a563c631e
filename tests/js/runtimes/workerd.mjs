// Serves `worker.js` and `turnkeeper.wasm` of a folder by Cloudflare's workerd.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "turnkeeper.wasm", wasm = embed "turnkeeper.wasm")
  ],
  compatibilityDate = "2026-01-01"
);
`;

/** The address at which it answers, until the test is over. */
export async function startWorkerd(t, binary, folder) {
  writeFileSync(path.join(folder, "config.capnp"), CONFIG);
  const workerd = spawn(binary, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  t.after(() => workerd.kill("SIGKILL"));
  return `http://127.0.0.1:${await listening(workerd)}/`;
}

/** The port that it chose, which it tells on its control channel. */
function listening(workerd) {
  return new Promise((resolve, reject) => {
    let said = "";
    workerd.stderr.on("data", (data) => (said += data));
    workerd.once("exit", (code) => reject(new Error(`workerd ended with ${code}: ${said}`)));
    let told = "";
    workerd.stdio[3].on("data", (data) => {
      told += data;
      for (const line of told.split("\n").slice(0, -1)) {
        const event = JSON.parse(line);
        if (event.event === "listen") resolve(event.port);
      }
    });
  });
}
