// A page in Chromium: a folder served on this machine alone, opened in a browser of its own.

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

import { chromium } from "playwright-core";

const { args } = JSON.parse(readFileSync(new URL("../webdriver.json", import.meta.url), "utf8"))[
  "goog:chromeOptions"
];

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** What the page in `folder` leaves in `window.outcome`. */
export async function outcomeOf(folder, { page: file = "index.html", headers = {} } = {}) {
  const server = serve(folder, headers);
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const browser = await chromium.launch({
    executablePath: process.env.TURNKEEPER_CHROME,
    args: args.filter((flag) => flag !== "--headless"),
  });
  const said = [];
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("console", (message) => said.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/${file}`);
    const outcome = await page.waitForFunction(() => window.outcome, undefined, {
      timeout: 120_000,
    });
    return await outcome.jsonValue();
  } catch (error) {
    throw new Error(`${error.message}\nthe page said:\n${said.join("\n")}`);
  } finally {
    await browser.close();
    server.close();
  }
}

/** A server of a folder that does not listen yet. */
export function serve(folder, headers = {}) {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(folder, path.normalize(decodeURIComponent(pathname)));
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers });
    createReadStream(file).pipe(response);
  });
}
