// Makes the page from the package as users get it:
//   TURNKEEPER_APP=target/app TURNKEEPER_TARBALL=target/pack/turnkeeper.tgz \
//     TURNKEEPER_LICENSES=target/page-licenses.txt node www/build.mjs
// The folder has the package of the tarball installed; the file has the licences of what is in the modules.
// TURNKEEPER_SITE is where the page goes, target/site if unset. The page is a folder of plain files for any server, and
// offline.html is all of it in one file, which works from the file system.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";

import { zipSync } from "fflate";

import { writeDocuments } from "./documents.mjs";
import { sampleFiles } from "./samples/make.mjs";

const www = fileURLToPath(new URL(".", import.meta.url));
/** The glue of the analysis and its module, which are in no package: its users have them in the program. */
const analysis = path.join(www, "../js/glue/analysis");
const { build } = createRequire(path.join(www, "../js/package.json"))("esbuild");

const site = path.resolve(process.env.TURNKEEPER_SITE ?? path.join(www, "../target/site"));
for (const name of ["TURNKEEPER_APP", "TURNKEEPER_TARBALL", "TURNKEEPER_LICENSES"]) {
  if (!process.env[name]) throw new Error(`${name} is not set; run \`cargo xtask site\``);
}
const app = realpathSync(process.env.TURNKEEPER_APP);
const manifest = JSON.parse(
  readFileSync(path.join(app, "node_modules/turnkeeper/package.json"), "utf8"),
);

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
copyFileSync(path.join(www, "icon.svg"), path.join(site, "icon.svg"));

const packageFile = `turnkeeper-${manifest.version}.tgz`;
const offlineFile = `turnkeeper-page-${manifest.version}.zip`;
copyFileSync(process.env.TURNKEEPER_TARBALL, path.join(site, packageFile));
writeDocuments(path.join(www, ".."), path.join(site, "documents"));

const common = {
  absWorkingDir: www,
  bundle: true,
  minify: true,
  // No module: browsers do not load modules from the file system.
  format: "iife",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

const worker = await build({
  ...common,
  entryPoints: [path.join(www, "src/worker/worker.ts")],
  write: false,
  // A character beyond Latin-1 would make an engine keep the Wasm in the script in two bytes each.
  charset: "ascii",
  plugins: [useInstalledPackage()],
});
const [{ text: workerScript }] = worker.outputFiles;
const answer = await firstAnswer();
const page = await buildPage("beside");
const oneFile = await buildPage("inside", { IS_ONE_FILE: "true" });
const drawn = await build({
  ...pageOptions("none"),
  entryPoints: [path.join(www, "src/first-paint.tsx")],
  format: "esm",
  write: false,
});

const language = await build({
  ...common,
  entryPoints: [path.join(www, "src/language.ts")],
  write: false,
});

const script = textOf(page, "app.js");
const style = textOf(page, "style.css");
writeFileSync(path.join(site, "app.js"), script);
writeFileSync(path.join(site, "language.js"), language.outputFiles[0].text);
writeFileSync(path.join(site, "style.css"), style);
writeFileSync(path.join(site, "worker.js"), workerScript);
copyFileSync(path.join(analysis, "turnkeeper_bg.wasm"), path.join(site, "analysis.wasm"));
writeFileSync(path.join(site, "index.html"), await withFirstPaint(textIn("index.html")));
writeFileSync(path.join(site, "open.html"), forOthers(textIn("index.html")));
writeFileSync(path.join(site, "offline.html"), inOneFile(textIn("index.html")));
const inputs = [worker, page, oneFile].flatMap(({ metafile }) => Object.keys(metafile.inputs));
checkSources(inputs);
const ofPackage = Object.keys(page.metafile.inputs).filter((file) => file.includes("/turnkeeper/"));
if (ofPackage.length > 0) throw new Error(`the page loads ${ofPackage}, which are for its worker`);
writeFileSync(path.join(site, "licenses.txt"), licences(inputs));
writeFileSync(path.join(site, offlineFile), zipped());

/** How the page is built with its parts from one of `src/parts/`. */
function pageOptions(parts, define = {}) {
  return {
    ...common,
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
      IS_ONE_FILE: "false",
      PACKAGE_VERSION: JSON.stringify(manifest.version),
      ...define,
    },
    alias: { "page-parts": path.join(www, `src/parts/${parts}.ts`) },
    plugins: [useInstalledPackage(), provide()],
  };
}

function buildPage(parts, define) {
  return build({
    ...pageOptions(parts, define),
    entryPoints: { app: path.join(www, "src/page.tsx"), style: path.join(www, "style.css") },
    outdir: site,
    write: false,
  });
}

function textOf({ outputFiles }, name) {
  return outputFiles.find((file) => path.basename(file.path) === name).text;
}

function textIn(name) {
  return readFileSync(path.join(www, name), "utf8");
}

/** What the worker will say of the first sample. */
async function firstAnswer() {
  const { initSync, RawPageSession } = await import(
    pathToFileURL(path.join(analysis, "turnkeeper.js"))
  );
  initSync({ module: readFileSync(path.join(analysis, "turnkeeper_bg.wasm")) });
  const { name, text } = sampleFiles().stuckTests;
  const session = new RawPageSession(name);
  session.push(Buffer.from(text));
  session.end();
  const resultOf = (work) => {
    while (work.go(1_000) < 1);
    return JSON.parse(work.result());
  };
  const judged = resultOf(session.judge(JSON.stringify({ profile: "adaptive" })));
  const profiles = ["standard", "adaptive", "gemini-cli", "deepv", "roo", "cline"];
  const plays = profiles.map((profile) => resultOf(session.compare(profile)));
  // Nobody reads these before the worker has answered.
  for (const mark of [judged.play, ...plays].flatMap(({ marks }) => marks))
    Object.assign(mark, { feedback: "", evidence: "" });
  return { judged, plays };
}

/** The page with what it shows before its script has come, in each language. */
async function withFirstPaint(html) {
  const module = Buffer.from(drawn.outputFiles[0].text).toString("base64");
  const { firstPaint } = await import(`data:text/javascript;base64,${module}`);
  // What the page asks its browser while it is drawn.
  const browser = { languages: [], platform: "" };
  Object.defineProperty(globalThis, "navigator", { value: browser });
  Object.assign(globalThis, {
    location: { hash: "", search: "" },
    matchMedia: () => ({ matches: false }),
  });
  const drawnIn = (tag) => {
    browser.languages = [tag];
    return firstPaint();
  };
  const first = `<template lang="zh-CN">${drawnIn("zh-CN")}</template>
    <div id="page" class="first" lang="en">${drawnIn("en")}`;
  return changed(html, [['<div id="page">', first]]);
}

/** The page that opens the session of an address: its script allows the server of that alone. */
function forOthers(html) {
  return changed(html, [
    ["connect-src 'self'", "connect-src 'self' https: http:"],
    ['<div id="page">', '<div id="page" data-opens="">'],
  ]);
}

/** The page as one file, which needs no server: with its style and its script inside, and allowed by their hashes. */
function inOneFile(html) {
  const inside = textOf(oneFile, "app.js");
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const icon = `data:image/svg+xml;base64,${readFileSync(path.join(www, "icon.svg"), "base64")}`;
  return changed(html, [
    ["script-src 'self'", `script-src ${hash(inside)}`],
    ["style-src 'self'", `style-src ${hash(style)}`],
    ["img-src 'self'", "img-src data:"],
    [" connect-src 'self';", ""],
    ['href="icon.svg"', `href="${icon}"`],
    ['<link rel="stylesheet" href="style.css" />', `<style>${style}</style>`],
    ['    <script src="language.js"></script>\n', ""],
    ['    <script src="app.js" defer></script>\n', ""],
    ['<div id="page"></div>', `<div id="page"></div>\n    <script>${inside}</script>`],
  ]);
}

/** The page that is one file, for a machine without a network. */
function zipped() {
  const readMe = `Open offline.html in a browser. It needs no server, and sends nothing anywhere.
用浏览器打开 offline.html 即可。它不需要服务器，也不会把任何内容发往别处。
`;
  const files = {
    "README.txt": Buffer.from(readMe),
    "offline.html": readFileSync(path.join(site, "offline.html")),
    "licenses.txt": readFileSync(path.join(site, "licenses.txt")),
  };
  // The same bytes whenever it is made; a zip knows no time before this.
  return zipSync({ [path.parse(offlineFile).name]: files }, { mtime: new Date(1980, 0, 1) });
}

function changed(html, changes) {
  return changes.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`index.html has no ${before}`);
    return text.replace(before, () => after);
  }, html);
}

/** Addresses that the package names, and what is beside the page. */
function links() {
  const repository = manifest.repository?.url ?? manifest.repository;
  const source = repository?.replace(/^git\+/, "").replace(/\.git$/, "");
  return {
    package: packageFile,
    offline: offlineFile,
    ...(source?.startsWith("https:") && { source }),
    licences: "licenses.txt",
  };
}

/** `turnkeeper` is the installed package. */
function useInstalledPackage() {
  return {
    name: "use-installed-package",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^turnkeeper(\/|$)/ }, ({ path: name, resolveDir, kind }) =>
        resolveDir === app ? undefined : resolve(name, { resolveDir: app, kind }),
      );
    },
  };
}

/** Modules that are made here and not read from a file: the worker's script, the module of the analysis, the first answer, the samples, and the links. */
function provide() {
  const modules = {
    "worker-source": () => ({ contents: workerScript, loader: "text" }),
    "first-answer": () => ({
      contents: `export const FIRST_ANSWER = ${JSON.stringify(answer)};`,
      loader: "js",
    }),
    "analysis-module": () => ({ contents: deflated().toString("base64"), loader: "text" }),
    samples: () => ({
      contents: `export const SAMPLE_FILES = ${JSON.stringify(sampleFiles())};`,
      loader: "js",
    }),
    "site-links": () => ({
      contents: `export const SITE_LINKS = ${JSON.stringify(links())};`,
      loader: "js",
    }),
  };
  return {
    name: "provide",
    setup({ onResolve, onLoad }) {
      onResolve(
        { filter: /^(worker-source|analysis-module|first-answer|samples|site-links)$/ },
        (request) => ({
          path: request.path,
          namespace: "made",
        }),
      );
      onLoad({ filter: /.*/, namespace: "made" }, (request) => modules[request.path]());
    },
  };
}

/** The module of the analysis; a build for a look while one works has not deflated it. */
function deflated() {
  const small = path.join(analysis, "turnkeeper_bg.deflate");
  if (existsSync(small)) return readFileSync(small);
  return deflateRawSync(readFileSync(path.join(analysis, "turnkeeper_bg.wasm")), { level: 1 });
}

/** A page that had the package's sources inside would not show what users get. */
function checkSources(inputs) {
  const folders = [
    path.join(www, "src"),
    path.join(www, "style"),
    path.join(www, "style.css"),
    analysis,
    path.join(www, "node_modules"),
    path.join(app, "node_modules"),
  ];
  for (const input of inputs) {
    if (input.startsWith("made:")) continue;
    const file = path.resolve(www, input);
    const isAllowed = (folder) =>
      file === folder || file.startsWith(path.resolve(folder) + path.sep);
    if (!folders.some(isAllowed)) throw new Error(`the page may not contain ${file}`);
  }
}

/** The licences of the packages that are in the page besides Turnkeeper, and of what is in its modules. */
function licences(inputs) {
  const permissive = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"]);
  const homes = new Set();
  for (const input of inputs) {
    const found = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path.resolve(www, input));
    if (found) homes.add(found[0]);
  }
  const texts = [...homes].sort().map((home) => {
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(home, "package.json"), "utf8"),
    );
    if (!permissive.has(license))
      throw new Error(`${name} is under ${license}, not a known licence`);
    const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(home, file), "utf8").trim()}\n`;
  });
  const line = `\n${"-".repeat(72)}\n\n`;
  return `The page contains these packages.\n\n${texts.join(line)}${line}\
Its modules have these crates inside, and a table of prices.\n
${readFileSync(process.env.TURNKEEPER_LICENSES, "utf8")}`;
}
