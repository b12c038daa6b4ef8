// The page in a browser, for a file of tests: before each a fresh tab that remembers nothing, and afterwards the
// browser has nothing to complain of, a breach of the content policy included.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import { facesOf, launch, link, pictureOf, serve, settled, windowOf } from "./serve.mjs";

export const story = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)";

/** Registers the hooks. @returns what the tests use; `page`, `context`, `site` and `browser` are those of the moment */
export function inBrowser(options = {}) {
  const here = {
    complaints: [],
    /** Opens the page on a document and waits for its picture, its editor, its hands and its letters. */
    async open(fields) {
      await here.page.goto("about:blank");
      await here.page.goto(here.site.url + (fields ? link(fields) : ""));
      await here.page.locator(".cm-content").waitFor();
      await here.page.locator("#chips[aria-label]").waitFor({ state: "attached" });
      await facesOf(here.page);
      await here.settled();
    },
    settled: () => settled(here.page),
    /** What stands under each line. */
    steps: () =>
      here.page
        .locator("#editor .outcome")
        .evaluateAll((rows) =>
          rows.map((row) => [row.querySelector(".what").textContent, row.querySelector(".mark").textContent]),
        ),
    chooseStep: (number) => here.page.locator(`#editor .outcome[data-step="${number}"]`).click(),
    picture: () => pictureOf(here.page),
    /** Where on the canvas, from this part of its width on, the pointer is over a target of this kind: found by
        asking the page with the pointer. */
    async pointAt(pattern, part = 0) {
      const box = await here.page.locator("#canvas").boundingBox();
      for (let y = 10; y < box.height; y += 18)
        for (let x = 10 + part * box.width; x < box.width; x += 24) {
          await here.page.mouse.move(box.x + x, box.y + y);
          const hover = await here.page.evaluate(
            () =>
              new Promise((done) => requestAnimationFrame(() => done(document.getElementById("stage").dataset.hover))),
          );
          if (pattern.test(hover ?? "")) return { x: box.x + x, y: box.y + y, hover };
        }
      return assert.fail(`nothing on the picture is about ${pattern}`);
    },
    head: () => here.page.locator("#scrub").getAttribute("aria-valuetext"),
    program: () =>
      here.page
        .locator("#editor")
        .evaluate((host) =>
          [...host.shadowRoot.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"),
        ),
    async write(program) {
      await here.page.locator(".cm-content").click();
      await here.page.keyboard.press("Control+A");
      await here.page.keyboard.insertText(program);
      await here.settled();
    },
    async paste(text) {
      await here.page.evaluate((data) => {
        const transfer = new DataTransfer();
        transfer.setData("text/plain", data);
        const target = document.getElementById("editor").shadowRoot.querySelector(".cm-content");
        target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
      }, text);
      await here.settled();
    },
    async share(action) {
      await here.page.locator("#open-share").click();
      await here.page.locator(`#${action}`).click();
    },
  };
  let shared; // by the tests of the file, which find in it what was compiled for the one before
  const tab = async (context) => {
    here.context = context;
    here.page = await context.newPage();
    here.page.on(
      "console",
      (message) =>
        message.type() === "error" && here.page.url() !== "about:blank" && here.complaints.push(message.text()),
    );
    here.page.on("pageerror", (error) => here.complaints.push(String(error)));
  };
  /** From here on the test is in a browser that was never here before, which may keep the page for when there is no
      network. */
  here.elsewhere = async () =>
    tab(await here.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }));
  before(async () => {
    here.site = await serve();
    here.browser = await launch();
    shared = await windowOf(here.browser, options);
  });
  after(async () => {
    await here.browser.close();
    here.site.close();
  });
  beforeEach(async () => {
    here.complaints = [];
    await tab(shared);
    const devtools = await shared.newCDPSession(here.page);
    await devtools.send("Storage.clearDataForOrigin", {
      origin: new URL(here.site.url).origin,
      storageTypes: "local_storage",
    });
    await devtools.detach();
  });
  afterEach(async () => {
    for (const page of shared.pages().slice(1)) await page.close();
    if (here.context !== shared) await here.context.close();
    assert.deepEqual(
      here.complaints,
      [],
      "the browser has nothing to complain of, a breach of the content policy included",
    );
  });
  return here;
}
