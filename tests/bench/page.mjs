// How soon the page shows something, how quickly it follows, and what it keeps: the promised figures, measured in a
// headless Chromium whose flags are printed, beside other pages that draw with their engine in the browser. Asserts
// nothing.
//
//   page.mjs [--only load,keys,frames,memory] [--runs N] [--edits N]
//
// Needs build/site (or another one, in SITE), and build/rivals/node_modules for the comparison (./dev bench --page
// makes both).
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { flags, launch, link, root } from "../../web/tests/serve.mjs";
import { frames, keystrokes } from "./page_frames.mjs";
import { host } from "./page_host.mjs";
import { firstPicture, networks, wire } from "./page_load.mjs";
import { edits, findWasmMemory } from "./page_memory.mjs";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "load,keys,frames,memory" },
    runs: { type: "string", default: "7" },
    edits: { type: "string", default: "10000" },
  },
});
const wanted = (part) => options.only.split(",").includes(part);

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, q) => sorted(numbers)[Math.min(numbers.length - 1, Math.ceil(q * numbers.length) - 1)];
const p95 = (numbers) => quantile(numbers, 0.95), median = (numbers) => quantile(numbers, 0.5);

const rows = [];
/** A line of the table; `target` is the most that is promised, undefined where nothing is. */
function figure(name, value, unit, target, digits = 1) {
  const met = target === undefined ? "" : value <= target ? "met" : "NOT MET";
  rows.push([name, `${value.toFixed(digits)} ${unit}`, target === undefined ? "" : `<= ${target} ${unit}`, met]);
  console.log(rows.at(-1).join(" | "));
}

/** A folder with a page for each of the others: its first diagram, as its manual says to make one. */
function rivals() {
  const packages = join(root, "build/rivals");
  if (!existsSync(join(packages, "node_modules/mermaid"))) return {};
  mkdirSync(packages, { recursive: true });
  const page = (script) =>
    `<!doctype html><meta charset="utf-8"><title>A diagram</title><div id="out"></div><script type="module">${script}</script>`;
  const shown = 'document.getElementById("out")';
  writeFileSync(
    join(packages, "mermaid.html"),
    page(`import mermaid from "./node_modules/mermaid/dist/mermaid.esm.min.mjs"; mermaid.initialize({ startOnLoad: false });
      ${shown}.innerHTML = (await mermaid.render("picture", "graph TD; A[storage] --> B[view]; A --> C[copy]; B --> D[read]; C --> D")).svg;`),
  );
  writeFileSync(
    join(packages, "viz.html"),
    page(`import { instance } from "./node_modules/@viz-js/viz/dist/viz.js";
      ${shown}.append((await instance()).renderSVGElement("digraph { storage -> view; storage -> copy; view -> read; copy -> read }"));`),
  );
  return { Mermaid: "mermaid.html", "viz.js": "viz.html" };
}

const others = rivals();
const server = await host({
  "/site/": process.env.SITE ?? join(root, "build/site"),
  "/rivals/": join(root, "build/rivals"),
});
const browser = await launch();
const site = `${server.url}/site/`;
console.log(`Chromium ${browser.version()} ${flags.join(" ")}`);
console.log(`${cpus().length} x ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}\n`);

async function load() {
  const files = await wire(browser, site, server.fileOf);
  for (const { name, bytes } of files) console.log(`  ${(bytes / 1000).toFixed(1).padStart(8)} KB  ${name}`);
  const sum = (list) => list.reduce((whole, { bytes }) => whole + bytes, 0) / 1000;
  figure("wire of a first visit's picture, gzipped", sum(files.filter(({ name }) => !name.endsWith(".wasm"))), "KB");
  figure("wire before the editor, gzipped", sum(files), "KB", 170);
  const live = "#stage[data-items]";
  // A first visit's is drawn when the site is built; a link's by the engine, once it has come.
  const pages = {
    picture: [site, `#first-picture, ${live}`],
    "live picture": [site, live],
    ...Object.fromEntries(
      Object.entries(others).map(([name, file]) => [
        `diagram of ${name}`,
        [`${server.url}/rivals/${file}`, "#out svg"],
      ]),
    ),
  };
  for (const [network, conditions] of Object.entries(networks)) {
    const times = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
    for (let run = 0; run < Number(options.runs); ++run)
      // in turn, so that what else the machine does meets them all
      for (const [name, [url, selector]] of Object.entries(pages))
        times[name].push(await firstPicture(browser, url, selector, conditions));
    for (const [name, list] of Object.entries(times))
      figure(
        `first ${name}, ${network}, median of ${list.length}`,
        median(list),
        "ms",
        name.startsWith("diagram") ? undefined : network === "localhost" ? 200 : 1200,
        0,
      );
  }
}

const programs = {
  "10^3": "x = torch.arange(10**3).view(10, 10, 10)\ny = x.permute(2, 0, 1)",
  "10^6": "x = torch.arange(10**6).view(100, 100, 100)\ny = x.permute(2, 0, 1)",
  "10^12": "x = torch.arange(10**12).view(10**4, 10**4, 10**4)\ny = x.permute(2, 0, 1)",
};
const pixels = { code: "x = torch.arange(10**6).view(1000, 1000).t()", figures: "grid" };

/** The page on a document, its editor there and nothing more to do. */
async function visit(fields, viewport = { width: 1280, height: 800 }) {
  const context = await browser.newContext({ viewport, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(findWasmMemory);
  await page.goto(site + link(fields));
  await page.locator(".cm-content").waitFor();
  await page.waitForTimeout(3000); // a new window has things of its own to do
  return page;
}

async function keys() {
  // Every key changes the program: brackets close themselves and are typed over, so there is none.
  const lines = ["z = y.mT + 12 # and so on", "w = z.T * z.mT # a second", "v = w.mT - 3", "u = v.mH + y.mT + x"];
  const typed = lines
    .flatMap((line) => ["Enter", ...line, "Backspace", "Backspace"])
    .map((key) => (key === " " ? "Space" : key));
  for (const [size, code] of Object.entries(programs)) {
    const page = await visit({ code });
    const strokes = await keystrokes(page, typed);
    figure(
      `keystroke, ${size} elements: work, p95 of ${strokes.length}`,
      p95(strokes.map(({ work }) => work)),
      "ms",
      12,
    );
    figure(`keystroke, ${size} elements: and what follows the frame, p95`, p95(strokes.map(({ all }) => all)), "ms");
    figure(`keystroke, ${size} elements: event to frame, p95`, p95(strokes.map(({ latency }) => latency)), "ms");
    figure(
      `keystroke, ${size} elements: not in the very next frame`,
      strokes.filter(({ next }) => !next).length,
      "keys",
      0,
      0,
    );
    await page.context().close();
  }
}

async function moves() {
  for (const [size, fields, viewport] of [
    ...Object.entries(programs).map(([size, code]) => [size, { code }]),
    ["10^6 in a large window", pixels, { width: 2560, height: 2200 }], // some of them, as cells or pixels
    ["10^6 as pixels", pixels, { width: 2800, height: 2400 }], // room for all of them
  ]) {
    const page = await visit(fields, viewport);
    for (const action of ["scrub", "pan", "point", "zoom", "resize"]) {
      const list = await frames(page, action, 200);
      figure(`${action}, ${size}: frame, p95 of ${list.length}`, p95(list.map(({ between }) => between)), "ms", 17);
      figure(`${action}, ${size}: work, p95`, p95(list.map(({ work }) => work)), "ms");
    }
    await page.context().close();
  }
}

async function memory() {
  const page = await visit({ code: programs["10^6"] });
  const kept = await edits(page, Number(options.edits));
  for (const { after, heap, wasm, nodes } of kept)
    console.log(
      `  after ${after} edits: heap ${(heap / 1e6).toFixed(2)} MB, wasm memory ${(wasm / 1e6).toFixed(2)} MB, ${nodes} nodes`,
    );
  const [begin, , end] = kept;
  figure(`heap over ${options.edits} edits, growth`, (100 * (end.heap - begin.heap)) / begin.heap, "%", 2);
  figure(`wasm memory over ${options.edits} edits, growth`, (100 * (end.wasm - begin.wasm)) / begin.wasm, "%", 0);
  await page.context().close();
}

try {
  for (const [part, run] of Object.entries({ load, keys, frames: moves, memory })) if (wanted(part)) await run();
} finally {
  await browser.close();
  server.close();
}
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
console.log();
for (const [name, value, target, met] of [["figure", "", "target", ""], ...rows])
  console.log(name.padEnd(widths[0]), value.padStart(widths[1]), target.padStart(widths[2]), met);
