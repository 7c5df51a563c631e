// Serves the page on this machine alone:
//   node www/serve.mjs
// TURNKEEPER_SITE names the folder, target/site if unset, and PORT the port, 8080 if unset.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** A server of the files in `folder`, which listens once this resolves. */
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url);
    if (!file) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return server;
}

/** The file that an address names, if it is in the folder. */
function fileOf(folder, address) {
  try {
    const { pathname } = new URL(address, "http://localhost");
    const asked = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
    const file = path.join(folder, path.normalize(asked));
    const isInside = file.startsWith(path.resolve(folder) + path.sep);
    return isInside && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder =
    process.env.TURNKEEPER_SITE ?? fileURLToPath(new URL("../target/site", import.meta.url));
  const server = await serve(path.resolve(folder), Number(process.env.PORT ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/  (Ctrl-C ends it)`);
}
