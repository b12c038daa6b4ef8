// From a cold cache to the first picture, and what goes over the wire until the editor is asked for.
import { basename, extname } from "node:path";
import { onTheWire } from "./page_host.mjs";

export const networks = {
  localhost: {},
  // 1.6 Mb/s down, 750 kb/s up, 150 ms to there and back; a quarter of this machine's processor.
  "slow 4G, 4x CPU": {
    network: { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 },
    slowdown: 4,
  },
};

const settling = 2500; // ms

/** Runs in the page before anything else: notes when a frame with `selector` in it has been shown. Of an image the
    browser itself tells; what else is drawn is there when the frame is made. */
function watch(selector) {
  new PerformanceObserver((list) => (window.firstPicture ??= list.getEntries()[0].renderTime)).observe({ type: "element" });
  new MutationObserver((_, observer) => {
    const found = document.querySelector(selector);
    if (!found) return;
    observer.disconnect();
    if (found instanceof HTMLImageElement) return found.setAttribute("elementtiming", "first picture");
    requestAnimationFrame(() => {
      const channel = new MessageChannel(); // its message comes once the frame is made
      channel.port1.onmessage = () => (window.firstPicture = performance.now());
      channel.port2.postMessage(0);
    });
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Milliseconds from navigating until the first frame with `selector` in it, with nothing kept from before. */
export async function firstPicture(browser, url, selector, { network, slowdown } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    if (network) {
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", network);
    }
    if (slowdown) await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.addInitScript(watch, selector);
    await page.waitForTimeout(settling); // a new window has things of its own to do
    await page.goto(url, { waitUntil: "commit" });
    const picture = await page.waitForFunction(() => window.firstPicture, null, { timeout: 60_000 });
    return await picture.jsonValue();
  } finally {
    await context.close();
  }
}

/** The files that a first visit fetches before it asks for the editor, gzipped: [{name, bytes}]. */
export async function wire(browser, url, fileOf) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(url);
    await page.locator(".cm-content").waitFor();
    const editor = asked.findIndex((one) => /\/editor-[^/]*\.js$/.test(one));
    if (editor < 0) throw new Error("the editor is no file of its own");
    return asked
      .slice(0, editor)
      .map((one) => fileOf(one))
      .map((file) => ({
        name: basename(file).replace(/-[\w-]{8}(?=\.)/, ""),
        bytes: onTheWire(file).length,
        type: extname(file),
      }));
  } finally {
    await context.close();
  }
}
