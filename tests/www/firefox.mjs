// The page in Firefox, driven through geckodriver by WebDriver's own protocol.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";

const { TURNKEEPER_FIREFOX: firefox, TURNKEEPER_GECKODRIVER: geckodriver } = process.env;

/** Why there is no Firefox to test in; undefined if there is one. */
export const withoutFirefox =
  firefox && geckodriver ? undefined : "neither firefox-esr nor geckodriver is installed";

/** How long anything may take to appear, in milliseconds: the machine may be busy with other things. */
const PATIENCE = 180_000;

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Those that run, by their options: tests that want the same have the same one. */
const running = new Map();
after(() => Promise.all([...running.values()].map(async (each) => (await each).close())));

/** Hands a driver of Firefox to `look`. */
export async function inFirefox({ language = "en-US", dark = false }, look) {
  const key = `${language} ${dark}`;
  if (!running.has(key)) running.set(key, start({ language, dark }));
  await look(await running.get(key));
}

async function start(options) {
  const driver = spawn(geckodriver, ["--port", "0", "--binary", firefox, "--log", "info"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async () => {
    driver.kill();
    if (driver.exitCode === null) await once(driver, "exit");
  };
  try {
    return await Session.start(`http://127.0.0.1:${await portOf(driver.stdout)}`, options, kill);
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The port that the driver says it listens on. */
async function portOf(output) {
  let said = "";
  for await (const chunk of output.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += chunk;
    const found = /Listening on \S+:(\d+)/.exec(said);
    if (found) {
      // What it says later must not fill its pipe.
      output.resume();
      return found[1];
    }
  }
  throw new Error(`geckodriver said no port: ${said}`);
}

class Session {
  #address;
  #kill;

  static async start(driver, { language, dark }, kill) {
    const prefs = {
      "intl.accept_languages": language,
      "ui.systemUsesDarkTheme": dark ? 1 : 0,
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
    };
    const args = ["-headless", "--width=1600", "--height=1000"];
    const capabilities = { alwaysMatch: { "moz:firefoxOptions": { args, prefs } } };
    const session = new Session();
    session.#kill = kill;
    session.#address = `${driver}/session`;
    const { sessionId } = await session.#ask("POST", "", { capabilities });
    session.#address += `/${sessionId}`;
    return session;
  }

  async #ask(method, path, body) {
    const response = await fetch(this.#address + path, {
      method,
      ...(method === "POST" && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body ?? {}),
      }),
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  async close() {
    try {
      await this.#ask("DELETE", "");
    } finally {
      await this.#kill();
    }
  }

  open(url) {
    return this.#ask("POST", "/url", { url });
  }

  /** Runs a function in the page; as a privileged script, so the page's policy does not stop it. */
  run(script, ...args) {
    const source = typeof script === "string" ? script : `return (${script})(...arguments)`;
    return this.#ask("POST", "/execute/sync", { script: source, args });
  }

  /** The same, for a promise. */
  runAsync(script) {
    return this.#ask("POST", "/execute/async", {
      script: `(${script})().then(arguments[0])`,
      args: [],
    });
  }

  /** Waits until a function has that value in the page. */
  async eventually(read, expected, ...args) {
    const limit = Date.now() + PATIENCE;
    for (;;) {
      const value = await this.run(read, ...args);
      if (value === expected) return;
      if (Date.now() > limit) assert.equal(value, expected, `${read} of ${JSON.stringify(args)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Waits until an element with that text is there. */
  until(selector, text = "") {
    const isThere = (asked, words) =>
      [...document.querySelectorAll(asked)].some((e) => e.textContent.includes(words));
    return this.eventually(isThere, true, selector, text);
  }

  async #element(selector) {
    const element = await this.#ask("POST", "/element", { using: "css selector", value: selector });
    return element[ELEMENT];
  }

  async click(selector) {
    await this.#ask("POST", `/element/${await this.#element(selector)}/click`);
  }

  /** Types into an element; into a file field, the path of a file. */
  async type(selector, text) {
    await this.#ask("POST", `/element/${await this.#element(selector)}/value`, { text });
  }

  /** Presses keys, wherever the focus is. */
  async press(...keys) {
    const actions = keys.flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#ask("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  resize(width, height = 1_000) {
    return this.#ask("POST", "/window/rect", { width, height });
  }
}

export const TAB = "\ue004";
export const ENTER = "\ue007";
export const END = "\ue010";
