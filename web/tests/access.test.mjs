// axe-core on every state of the page that differs in colours, words or content.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeFindsNothing } from "./axe.mjs";
import { launch, link, serve, settled, turn, windowOf } from "./serve.mjs";

let site, browser, context, page;
before(async () => {
  site = await serve();
  browser = await launch();
  context = await windowOf(browser, { bypassCSP: true });
  page = await context.newPage();
});
after(async () => {
  await browser.close();
  site.close();
});

async function visit(fields) {
  if (page.url() !== "about:blank") return turn(page, fields);
  await page.goto(site.url + link(fields));
  await page.locator(".cm-content").waitFor();
  await settled(page);
}

const code =
  "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)\ny[0, 1, 1] = 99\n# 注释\nq = torch.nonesuch(2)";

for (const theme of ["light", "dark"])
  for (const lang of ["en", "zh"])
    for (const [state, fields] of [
      ["a view", { step: 1 }],
      ["a failure", { step: 2 }],
      ["a write", { step: 4 }],
      ["an unknown name", {}],
    ])
      test(`axe finds nothing on ${state}, ${theme}, ${lang}`, async () => {
        await visit({ code, theme, lang, ...fields });
        assert.equal((await page.locator("html").getAttribute("data-theme")) === "dark", theme === "dark");
        assert.equal(await page.locator("html").getAttribute("lang"), lang === "en" ? "en" : "zh-Hans");
        await axeFindsNothing(page);
      });

const copyCode = async (page) => {
  await page.locator("#open-share").click();
  await page.locator("#copy-code").click();
};
/** What is seen there, how it is reached, and how again where it does not last. */
const states = {
  "the examples menu": [".example", (page) => page.locator("#open-examples").click()],
  "the share menu": ["#share-menu", (page) => page.locator("#open-share").click()],
  "the embed dialog": [
    "#embed-forms pre",
    async (page) => {
      await page.locator("#open-share").click();
      await page.locator("#open-embed").click();
    },
  ],
  "a completion list": [
    ".cm-tooltip-autocomplete",
    async (page) => {
      await page.locator(".cm-line").last().click();
      await page.keyboard.press("End");
      await page.keyboard.type("\ny.re");
    },
  ],
  "a problem's tip": [".cm-tooltip-lint", (page) => page.locator(".cm-lintRange-error").first().hover()],
  "a notice and a toast": [
    "#toast",
    async (page) => {
      await page.evaluate(() => (location.hash = "v=1&z=AAAA____"));
      await page.locator("#notice:visible").waitFor();
      await copyCode(page);
    },
    copyCode,
  ],
  "a narrow window, playing in a loop": [
    "#play",
    async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.locator("#loop").click();
      await page.locator("#play").click();
    },
  ],
};
for (const [state, [seen, reach, again]] of Object.entries(states))
  test(`axe finds nothing on ${state}, in light and in dark`, async () => {
    await page.close(); // with what was opened in it
    page = await context.newPage();
    await visit({ code, step: 1 });
    await reach(page);
    await page.locator(seen).first().waitFor();
    await axeFindsNothing(page, "light");
    await page.emulateMedia({ colorScheme: "dark" }); // which the page follows, with what is open in it
    await settled(page);
    await again?.(page);
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(ground, "rgb(20, 23, 27)");
    assert.ok(await page.locator(seen).first().isVisible());
    await axeFindsNothing(page, "dark");
  });

test("axe finds nothing where the engine is refused", async () => {
  await page.close();
  page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto(site.url + link({ code }));
  await page.locator("#failed:visible").waitFor();
  await axeFindsNothing(page);
});
