// The page in a browser, for a file of tests: before each a tab that is empty and remembers nothing, and afterwards the
// browser has nothing to complain of, a breach of the content policy included.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import { facesOf, launch, link, serve, settled, windowOf } from "./serve.mjs";

export const story = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)";

/** Registers the hooks. @returns what the tests use; `page`, `context`, `site` and `browser` are those of the moment */
export function inBrowser(options = {}) {
  const here = {
    complaints: [],
    /** Opens the page on a document and waits for its picture, its editor, its hands and its letters. */
    async open(fields) {
      // Else an address that differs in its fragment alone loads nothing.
      if (here.page.url() !== "about:blank") await here.page.goto("about:blank");
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
    /** What tells two pictures on the canvas apart: a PNG of each would take longer to make than the picture. */
    picture: () =>
      here.page.evaluate(() => {
        const canvas = document.getElementById("canvas");
        const [width, height] = ["width", "height"].map((side) =>
          Math.round(Number.parseFloat(canvas.style[side]) * devicePixelRatio),
        );
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        let sum = 0n, part = 0;
        new Uint32Array(data.buffer).forEach((pixel, at) => {
          part = Math.imul(part ^ pixel, 16777619);
          if (at % 4096 === 4095) [sum, part] = [BigInt.asUintN(64, sum * 1099511628211n + BigInt(part >>> 0)), 0];
        });
        return `${width} ${height} ${sum} ${part}`;
      }),
    /** Where on the canvas, from this part of its width on, the pointer is over a target of this kind: found by
        asking the page with the pointer, which need not wait for the screen, and left there. */
    async pointAt(pattern, part = 0) {
      const place = await here.page.evaluate(
        ({ source, part }) => {
          const [canvas, stage] = ["canvas", "stage"].map((id) => document.getElementById(id));
          const { left, top, width, height } = canvas.getBoundingClientRect();
          const [wanted, screen, frames] = [new RegExp(source), window.requestAnimationFrame, []];
          window.requestAnimationFrame = (draw) => frames.push(draw);
          try {
            for (let y = top + 10; y < top + height; y += 18)
              for (let x = left + 10 + part * width; x < left + width; x += 24) {
                canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y }));
                while (frames.length > 0) frames.shift()(performance.now());
                if (wanted.test(stage.dataset.hover ?? "")) return { x, y, hover: stage.dataset.hover };
              }
          } finally {
            window.requestAnimationFrame = screen;
          }
          return null;
        },
        { source: pattern.source, part },
      );
      assert.ok(place, `nothing on the picture is about ${pattern}`);
      await here.page.mouse.move(place.x, place.y);
      await here.settled();
      assert.equal(await here.page.locator("#stage").getAttribute("data-hover"), place.hover);
      return place;
    },
    head: () => here.page.locator("#scrub").getAttribute("aria-valuetext"),
    program: () =>
      here.page
        .locator("#editor")
        .evaluate((host) =>
          [...host.shadowRoot.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"),
        ),
    async write(program) {
      await here.page.locator(".cm-content").focus();
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
  const { pauses, ...ofContext } = options; // see windowOf
  let shared; // by the tests of the file, which find in it what was compiled for the one before
  let changed; // whether the tab of the moment was told what cannot be taken back, so that the next test has another
  const lasting = ["addInitScript", "on"];
  const viewport = { width: 1280, height: 800 };
  /** How what a tab was told is taken back. */
  const undoing = {
    emulateMedia: (page) =>
      page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none" }),
    route: (page) => page.unrouteAll(),
    setViewportSize: (page) => page.setViewportSize(ofContext.viewport ?? viewport),
  };
  let told = new Set(); // which of them are to be undone
  const tab = async (context) => {
    here.context = context;
    here.page = await context.newPage();
    changed = false;
    told = new Set();
    here.page.on(
      "console",
      (message) =>
        message.type() === "error" && here.page.url() !== "about:blank" && here.complaints.push(message.text()),
    );
    here.page.on("pageerror", (error) => here.complaints.push(String(error)));
    const watch = (name, note) => {
      const tell = here.page[name].bind(here.page);
      here.page[name] = (...what) => (note(), tell(...what));
    };
    for (const name of lasting) watch(name, () => (changed = true));
    for (const name of Object.keys(undoing)) watch(name, () => told.add(name));
  };
  /** A new tab is a new process, which takes more than all that a test does in it: a tab is used again where it can be. */
  const empty = async () => {
    if (changed || here.context !== shared || here.page.isClosed()) return tab(shared);
    if (here.page.url() !== "about:blank") await here.page.goto("about:blank");
    for (const name of told) await undoing[name](here.page);
    told.clear();
    await here.page.mouse.move(0, 0);
  };
  /** From here on the test is in a browser that was never here before, which may keep the page for when there is no
      network. */
  here.elsewhere = async () =>
    tab(await here.browser.newContext({ viewport, ...ofContext }));
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
    await empty();
    const devtools = await shared.newCDPSession(here.page);
    await devtools.send("Storage.clearDataForOrigin", {
      origin: new URL(here.site.url).origin,
      storageTypes: "local_storage",
    });
    await devtools.detach();
  });
  afterEach(async () => {
    for (const page of shared.pages().slice(1)) if (page !== here.page || changed) await page.close();
    if (here.context !== shared) await here.context.close();
    assert.deepEqual(
      here.complaints,
      [],
      "the browser has nothing to complain of, a breach of the content policy included",
    );
  });
  return here;
}
