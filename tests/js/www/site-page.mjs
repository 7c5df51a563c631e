// The built page in Chromium, with everything noted that it should not do.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";

import { chromium } from "playwright-core";

import { serve } from "../../../www/serve.mjs";

import { lines } from "./session-lines.mjs";
import { settled, watchWorker } from "./watched-worker.mjs";

export const site = process.env.TURNKEEPER_SITE;
if (!site) throw new Error("TURNKEEPER_SITE is not set; run `cargo xtask test www`");

const { args } = JSON.parse(readFileSync(new URL("../webdriver.json", import.meta.url), "utf8"))[
  "goog:chromeOptions"
];

let browser;
let server;

before(async () => {
  server = await serve(path.resolve(site));
  browser = await chromium.launch({
    executablePath: process.env.TURNKEEPER_CHROME,
    args: args.filter((flag) => flag !== "--headless"),
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** How long anything may take to appear, in milliseconds: the machine may be busy with other things. */
const PATIENCE = 180_000;

/**
 * The pages that were opened, by what they were opened with. A test with the same options has the same page, whose
 * process has compiled most of what it loads.
 */
const pages = new Map();

/** Opens an empty page that notes what it should not do, or empties the one that is there. */
async function pageFor(options) {
  const key = JSON.stringify(options);
  if (!pages.has(key)) pages.set(key, await openPage(options));
  const opened = pages.get(key);
  if (options.viewport) await opened.page.setViewportSize(options.viewport);
  await opened.page.goto("about:blank");
  opened.complaints.length = 0;
  return opened;
}

async function openPage(options) {
  const page = await browser.newPage({ acceptDownloads: true, locale: "en-US", ...options });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  const opened = { page, complaints, allowed: [] };
  page.on("pageerror", (error) => complaints.push(`error: ${error}`));
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (
      !/^(data|blob):/.test(request.url()) &&
      !opened.allowed.some((start) => request.url().startsWith(start))
    ) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
  await page.addInitScript(watchWorker);
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return opened;
}

/**
 * Opens the page at an address (what follows `#`, or a whole one), hands it to `look`, and fails if it
 * complained, broke its own policy or asked anybody but its own server, and `others`, for anything.
 */
export async function onPage(options, look) {
  const { at = "", address = `${origin()}${at}`, others = [], ...context } = options;
  const opened = await pageFor(context);
  const { page, complaints } = opened;
  opened.allowed = [new URL(".", address).href, ...others];
  await page.goto(address);
  await page.locator("main").waitFor();
  await look(page);
  assert.deepEqual(complaints, []);
}

export const origin = () => `http://127.0.0.1:${server.address().port}/`;

/** Waits until the worker has said what a session, a history or the like is. */
export const pictured = (page) =>
  page.locator("section:not([aria-busy='true']) .headline").waitFor();

/** Waits until the other profiles have been judged, too. */
export const compared = (page, profiles) =>
  page.waitForFunction(
    (count) => document.querySelectorAll(".lanes tbody tr").length === count,
    profiles,
  );

/** How many rows the comparison has when it is complete, with rules of one's own on top or without. */
export async function lanesInAll(page, { withOwnRules = false } = {}) {
  const profiles = page.getByRole("combobox", { name: "Profile" }).locator("option");
  return (await profiles.count()) + (withOwnRules ? 1 : 0);
}

/** Waits until a value is as expected: what is read at once may be of the moment before. */
export async function eventually(read, expected) {
  const limit = Date.now() + PATIENCE;
  for (;;) {
    const value = await read();
    if (value === expected) return;
    if (Date.now() > limit) assert.equal(value, expected);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Opens a file of these events, or of this text. */
export async function openFile(page, name, content) {
  await page.locator("input[accept]").setInputFiles({
    name,
    mimeType: "application/jsonl",
    buffer: Buffer.from(lines(content)),
  });
}

/** The same, and waits until it is shown. */
export async function showFile(page, name, content) {
  await openFile(page, name, content);
  await page.locator(".session-name bdi", { hasText: name.slice(0, 20) }).waitFor();
  await pictured(page);
  await settled(page);
}

/** Drops files on the page, as a hand would. */
export async function drop(page, ...files) {
  const data = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent("body", type, { dataTransfer: data });
  }
}

/** What a download holds. A busy Chromium drops one click on a file's link in hundreds, so a person clicks again. */
export async function downloaded(page, click, clicks = 3) {
  const waiting = page.waitForEvent("download", { timeout: 20_000 }).catch((error) => error);
  await click();
  const download = await waiting;
  if (download instanceof Error) {
    if (clicks === 1) throw download;
    return downloaded(page, click, clicks - 1);
  }
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export { call, lines } from "./session-lines.mjs";

/** The rows of the list that are on the page: label, text, and what was said to them. */
export const rows = (page) =>
  page.locator(".list [role=option]:not(.waiting)").evaluateAll((items) =>
    items.map((item) => ({
      label: item.querySelector(".label").textContent.trim(),
      text: item.querySelector(".text").textContent,
      said: [...item.querySelectorAll(".said")].map((each) => each.textContent).join(),
    })),
  );
