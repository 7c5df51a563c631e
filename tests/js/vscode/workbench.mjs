// VS Code's window: its page in Chromium, with an extension and tests that run inside.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

const { args } = JSON.parse(readFileSync(new URL("../webdriver.json", import.meta.url), "utf8"))[
  "goog:chromeOptions"
];

/** Where the page finds the extension's files if VS Code's server does not read them itself. */
const PREFIX = "/extension-under-test";

const TYPES = {
  ".js": "text/javascript",
  ".json": "application/json",
};

export class Workbench {
  /** What the page and the extension host wrote to the console, in order. */
  console = [];
  #endOfTests = () => {};

  /** Opens a browser for windows of `server`, with the extension in the folder `extension`. */
  static async open(server, extension) {
    const workbench = new Workbench();
    const browser = await chromium.launch({
      executablePath: process.env.TURNKEEPER_CHROME,
      args: args.filter((flag) => flag !== "--headless"),
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    Object.assign(workbench, { server, extension, browser, page });
    page.on("console", (message) => workbench.console.push(message.text()));
    // The workbench calls this when the tests inside have ended.
    await page.exposeFunction("codeAutomationExit", (code) => workbench.#endOfTests(code));
    await page.addInitScript(configure);
    await workbench.#answerFiles();
    return workbench;
  }

  /**
   * Opens the window, or opens it anew, with the "node" or the "web" extension host, and the server's
   * workspace, what is at another address, or with `null` nothing. Resolves to the exit code of the tests in `file`.
   */
  async run(host, file, folder = this.server.workspace) {
    const ended = new Promise((resolve) => (this.#endOfTests = resolve));
    const authority = this.server.address;
    // VS Code chooses the host by where an extension comes from.
    const extension =
      host === "node"
        ? { scheme: "vscode-remote", authority, path: this.extension }
        : { scheme: "http", authority, path: PREFIX };
    const tests = { ...extension, path: `${extension.path}/${file}` };
    const address = new URL(`http://${authority}/`);
    if (folder === null) address.searchParams.set("ew", "true");
    else
      address.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
    address.searchParams.set(
      "development",
      JSON.stringify({ extensions: [extension], extensionTestsPath: tests }),
    );
    // Whoever visits has a limit of their own, which a busy machine needs.
    await this.page.goto(address.href, { timeout: 0 });
    return await ended;
  }

  async close() {
    await this.browser.close();
  }

  /** The page's policy allows its own origin only, so the files are answered on that. */
  #answerFiles() {
    return this.page.context().route(
      (url) => url.pathname.startsWith(`${PREFIX}/`),
      (route) => {
        const { pathname } = new URL(route.request().url());
        const file = path.join(this.extension, path.normalize(pathname.slice(PREFIX.length)));
        if (!existsSync(file)) return route.fulfill({ status: 404 });
        return route.fulfill({ contentType: TYPES[path.extname(file)], body: readFileSync(file) });
      },
    );
  }
}

/**
 * In the page: puts the options that a site which embeds VS Code would give into the workbench's
 * configuration, before its script reads it. The server has a flag for tests that would do with
 * an address instead, but under that flag VS Code shows no notifications, and none for the web
 * worker.
 */
function configure() {
  const put = () => {
    const element = document.getElementById("vscode-workbench-web-configuration");
    if (!element) return;
    // As soon as the element is there: old versions' scripts do not wait for the end of the document.
    observer.disconnect();
    const configuration = JSON.parse(element.getAttribute("data-settings"));
    const development = new URL(location.href).searchParams.get("development");
    configuration.developmentOptions = JSON.parse(development);
    element.setAttribute("data-settings", JSON.stringify(configuration));
  };
  const observer = new MutationObserver(put);
  observer.observe(document, { childList: true, subtree: true });
}
