// axe-core on every state of the page that differs in colours, words or content.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, link, serve, settled, turn, windowOf } from "./serve.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let site, browser, context, page;
before(async () => {
  site = await serve();
  browser = await launch();
  // axe is run from outside the page's content policy, which rightly refuses it.
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

async function nothingFound() {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join("; ")}`,
    ),
    [],
  );
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
        await nothingFound();
      });

const states = {
  "the examples menu": async (page) => {
    await page.locator("#open-examples").click();
    await page.locator(".example").first().waitFor();
  },
  "the share menu": (page) => page.locator("#open-share").click(),
  "the embed dialog": async (page) => {
    await page.locator("#open-share").click();
    await page.locator("#open-embed").click();
    await page.locator("#embed-forms pre").first().waitFor();
  },
  "a completion list": async (page) => {
    await page.locator(".cm-line").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type("\ny.re");
    await page.locator(".cm-tooltip-autocomplete").waitFor();
  },
  "a problem's tip": async (page) => {
    await page.locator(".cm-lintRange-error").first().hover();
    await page.locator(".cm-tooltip-lint").waitFor();
  },
  "a notice and a toast": async (page) => {
    await page.evaluate(() => (location.hash = "v=1&z=AAAA____"));
    await page.locator("#notice:visible").waitFor();
    await page.locator("#open-share").click();
    await page.locator("#copy-code").click();
    await page.locator("#toast:visible").waitFor();
  },
  "a narrow window, playing in a loop": async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator("#loop").click();
    await page.locator("#play").click();
  },
};
for (const theme of ["light", "dark"])
  for (const [state, reach] of Object.entries(states))
    test(`axe finds nothing on ${state}, ${theme}`, async () => {
      await page.close(); // with what was opened in it
      page = await context.newPage();
      await visit({ code, theme, step: 1 });
      await reach(page);
      await nothingFound();
    });

test("axe finds nothing where the engine is refused", async () => {
  await page.close();
  page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto(site.url + link({ code }));
  await page.locator("#failed:visible").waitFor();
  await nothingFound();
});
