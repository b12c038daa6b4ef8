// The built site from a plain static server, and a browser to look at it with.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

/** Serves a folder, build/site, under another name, as any host may. @returns its address, ending in "/", and `pages`:
    what a test puts there stands beside the files */
export async function serve(served = join(root, "build/site")) {
  const folder = "/some/folder/";
  const pages = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const page = pages.get(pathname.slice(folder.length));
    if (page !== undefined)
      return response
        .writeHead(200, {
          "content-type": types[extname(pathname)] ?? "application/octet-stream",
          "cache-control": "no-store",
        })
        .end(page);
    // What a browser asks for by itself where a page names no icon; a 404 would be told at any time, of any test.
    if (pathname === "/favicon.ico") return response.writeHead(204).end();
    const path = join(served, normalize("/" + pathname.slice(folder.length)));
    const file = path.endsWith("/") ? path + "index.html" : path;
    if (!pathname.startsWith(folder) || !existsSync(file) || !statSync(file).isFile())
      return response.writeHead(404).end();
    // Files under assets/ are named by their contents; so a browser that has met them does not compile them again.
    const keep = file.includes("/assets/") ? "max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": keep,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}${folder}`, pages, close: () => server.close() };
}

export const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
/** A context of which one tab stays open, the first: another tab in its window takes half of what a new window takes.
    Unless it has `pauses`, what a page does only while nobody wants anything (warm.ts) is never done: it is for later
    keys, and would take a fifth of the tests' time. */
export async function windowOf(browser, { pauses = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: "block",
    ...options,
  });
  if (!pauses)
    await context.addInitScript(() => {
      window.requestIdleCallback = (act, options) => (options?.timeout ? setTimeout(act) : 0);
    });
  await context.newPage();
  return context;
}

/** The text of a document, as core's to_text() writes it. */
export const link = (fields) =>
  "#v=1" + Object.entries(fields).map(([key, value]) => `&${key}=${encodeURIComponent(value)}`).join("");

/** Some frames later, and once what follows each of them is done, what was asked for is drawn. */
export const settled = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (let passed = 0; passed < 3; ++passed) await frame();
  });

/** What is seen of the canvas, which may be larger than the picture. */
export const pictureOf = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById("canvas"), part = document.createElement("canvas");
    for (const side of ["width", "height"])
      part[side] = Math.round(Number.parseFloat(canvas.style[side]) * devicePixelRatio);
    part.getContext("2d").drawImage(canvas, 0, 0);
    return part.toDataURL();
  });

/** Puts the open page on another document, for which nothing is loaded. The page hears of it some time after its address
    has changed: then it is drawn. */
export async function turn(page, fields) {
  await page.evaluate(
    (hash) =>
      new Promise((done) => {
        addEventListener("hashchange", done, { once: true });
        location.hash = hash;
      }),
    link(fields),
  );
  await settled(page);
}

/** The page's type faces come after its first picture, which is then made again. */
export const facesOf = (page) =>
  page.waitForFunction(() => [...document.fonts].filter((face) => face.status === "loaded").length === 3);
