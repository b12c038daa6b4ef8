// A smoke run in Firefox ESR, over WebDriver BiDi: the page draws, is written in, plays, switches and keeps.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { cells, seen } from "./course.mjs";
import { link, serve } from "./serve.mjs";

let site, browser, page, complaints;
before(async () => {
  site = await serve();
  // The window is the viewport: older Firefox does not know all that puppeteer sends to set another.
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    defaultViewport: null,
    args: ["--width=1280", "--height=800"],
  });
  page = await browser.newPage();
  complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
});
after(async () => {
  await browser.close();
  site.close();
});

const code = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)";
const inEditor = (selector) =>
  page.evaluate(
    (what) => [...document.getElementById("editor").shadowRoot.querySelectorAll(what)].map((part) => part.textContent),
    selector,
  );
/** Not page.waitForFunction: that needs eval, which the page's policy refuses. */
async function until(test, ...args) {
  for (
    const end = Date.now() + 30_000;
    !(await page.evaluate(test, ...args));
    await new Promise((next) => setTimeout(next, 50))
  )
    if (Date.now() > end) assert.fail(`not in 30 s: ${test}`);
}

test("Firefox draws a link, shows what each line came to, and complains of nothing", async () => {
  await page.goto(site.url + link({ code, step: 1 }));
  await until(() => document.getElementById("editor").shadowRoot?.querySelectorAll(".outcome").length === 3);
  assert.deepEqual(await inEditor(".outcome .mark"), ["new", "view", "error"]);
  const colors = await page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colors > 20, `${colors} colours`);
});

test("Firefox scrubs, plays and pauses", async () => {
  await page.evaluate(() => {
    const scrub = document.getElementById("scrub");
    scrub.value = "4";
    scrub.dispatchEvent(new Event("input"));
  });
  await until(() => document.getElementById("scrub").getAttribute("aria-valuetext") === "read 5 of 12");
  await page.click("#play");
  await until(() => /^read [7-9]/.test(document.getElementById("scrub").getAttribute("aria-valuetext")));
  await page.click("#play");
});

test("Firefox takes what is typed, and the examples menu opens one", async () => {
  await page.evaluate(() => document.getElementById("editor").shadowRoot.querySelector(".cm-content").focus());
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type("\nw = x.t");
  await until(() => document.getElementById("editor").shadowRoot.querySelectorAll(".outcome").length === 4);
  await page.click("#open-examples");
  await page.waitForSelector(".example");
  await page.click(".example");
  await until(() => /Strides for beginners/.test(document.getElementById("editor").shadowRoot.textContent));
});

test("Firefox switches to Chinese and opens a deflated link", async () => {
  await page.select("#language", "zh");
  await until(() => document.documentElement.lang === "zh-Hans");
  const z =
    "S1SwVSjJL0rO0EssSsxLT9UwMtHUK8tMLdcw0lEw1lEw0eRKUrBVSNQrSC3KLS1JBQkb6CgYanIlK9gqJOkVpRZnJBakapjoKJhpcqWgiOkaanKlgkWS8_NKMtNL80uLNaCmg-SUFZ427AEA";
  await page.goto("about:blank");
  await page.goto(`${site.url}#v=1&z=${z}&step=1&lang=en`);
  await until(() => document.getElementById("editor").shadowRoot?.querySelectorAll(".outcome").length === 5);
  assert.deepEqual(complaints, []);
});

test("Firefox shows a figure, or what its author wrote, in every kind of frame", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stridescope-"));
  const wrong = [];
  for (const { name, frames } of cells)
    for (const { kind, put, wanted } of frames) {
      await page.goto("about:blank");
      await page.goto(put(site, folder));
      const frame = page.frames().at(-1);
      // To Firefox such a document is no 'self'.
      const here = name.endsWith("strict policy, from srcdoc") ? "fallback" : wanted;
      const well = [here, "live"]; // and where the figure comes alive it stays so
      let what;
      for (
        const end = Date.now() + 8000;
        !well.includes((what = await frame.evaluate(seen).catch(String))) && Date.now() < end;
      )
        await new Promise((next) => setTimeout(next, 50));
      if (!well.includes(what)) wrong.push(`${name}, ${kind}: ${what}`);
    }
  rmSync(folder, { recursive: true });
  assert.deepEqual(wrong, []);
  complaints = [];
});
