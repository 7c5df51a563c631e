import { createRequire } from "node:module"; const { chromium } = createRequire("/root/wt/page/tests/js/www/site-page.mjs")("playwright-core");
import path from "node:path";
import { serve } from "/root/wt/page/www/serve.mjs";
const out = process.argv[2];
const server = await serve(path.resolve("target/site"));
const at = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-quic"] });
for (const [name, o] of Object.entries({
  "1280-en-light": { viewport: { width: 1280, height: 900 }, colorScheme: "light", locale: "en-US" },
  "1280-zh-dark": { viewport: { width: 1280, height: 900 }, colorScheme: "dark", locale: "zh-CN" },
  "390-en-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "en-US" },
  "390-zh-light": { viewport: { width: 390, height: 844 }, colorScheme: "light", locale: "zh-CN" },
  "320-en-light": { viewport: { width: 320, height: 640 }, colorScheme: "light", locale: "en-US" },
})) {
  const context = await browser.newContext(o);
  const page = await context.newPage();
  page.on("console", (m) => console.log(name, m.text())); page.on("pageerror", (m) => console.log(name, m));
  await page.route("**/app.js", (r) => r.abort());
  await page.goto(at); await page.waitForTimeout(300);
  await page.screenshot({ path: `${out}/${name}-first.png` });
  await page.unroute("**/app.js");
  await page.goto(at);
  await page.locator("section:not([aria-busy='true']) .headline").waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${out}/${name}.png`, fullPage: true });
  console.log(name, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
  await context.close();
}
await browser.close(); server.close();
