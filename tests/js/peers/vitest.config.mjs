import path from "node:path";
import { fileURLToPath } from "node:url";

const home = path.dirname(fileURLToPath(import.meta.url));
const peer = path.join(home, "node_modules/@google/gemini-cli-core/dist/src/services");

/** The tests get the service beside this file in place of their own. */
const swap = {
  name: "swap the service",
  enforce: "pre",
  resolveId(source, importer) {
    if (source === "./loopDetectionService.js" && importer?.startsWith(peer)) {
      return path.join(home, "gemini-cli-service.mjs");
    }
  },
};

export default {
  root: home,
  // The package ships source maps without the sources, of which Vite warns a hundred times.
  logLevel: "error",
  plugins: process.env.TURNKEEPER_PEER_ITSELF ? [] : [swap],
  test: {
    include: [
      "node_modules/@google/gemini-cli-core/dist/src/services/loopDetectionService.test.js",
    ],
    exclude: [],
    server: { deps: { inline: [/gemini-cli-core/] } },
  },
};
