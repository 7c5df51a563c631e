// The page in Firefox, driven by WebDriver BiDi, which Firefox speaks itself.

import assert from "node:assert/strict";
import { after } from "node:test";

import puppeteer from "puppeteer-core";

const { TURNKEEPER_FIREFOX: firefox } = process.env;

/** Why there is no Firefox to test in; undefined if there is one. */
export const withoutFirefox = firefox ? undefined : "Firefox is for `cargo xtask test --deep`";

/** How long anything may take to appear, in milliseconds: the machine may be busy with other things. */
const PATIENCE = 180_000;

/** Those that run, by their options: tests that want the same have the same one. */
const running = new Map();
after(() => Promise.all([...running.values()].map(async (each) => (await each).close())));

/** Hands a driver of Firefox to `look`. */
export async function inFirefox({ language = "en-US", dark = false }, look) {
  const key = `${language} ${dark}`;
  if (!running.has(key)) running.set(key, Page.start({ language, dark }));
  await look(await running.get(key));
}

class Page {
  #browser;
  #page;

  static async start({ language, dark }) {
    const started = new Page();
    started.#browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: firefox,
      headless: true,
      args: ["--width=1600", "--height=1000"],
      defaultViewport: null,
      protocolTimeout: PATIENCE,
      extraPrefsFirefox: {
        "intl.accept_languages": language,
        "ui.systemUsesDarkTheme": dark ? 1 : 0,
        "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
      },
    });
    started.#page = await started.#browser.newPage();
    started.#page.setDefaultTimeout(PATIENCE);
    return started;
  }

  close() {
    return this.#browser.close();
  }

  open(url) {
    return this.#page.goto(url);
  }

  /** Runs a function in the page, or text, and waits for a promise. */
  run(script, ...args) {
    return this.#page.evaluate(script, ...args);
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

  click(selector) {
    return this.#page.click(selector);
  }

  /** Gives a file to a file field. */
  async choose(selector, file) {
    const field = await this.#page.$(selector);
    await field.uploadFile(file);
  }

  /** Presses keys, wherever the focus is. */
  async press(...keys) {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  resize(width, height = 1_000) {
    return this.#page.setViewport({ width, height });
  }
}
