// axe-core on every state of the page that differs in colours, words or content.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, link, serve } from "./serve.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let site, browser;
before(async () => {
  site = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  site.close();
});

const code = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)\ny[0, 1, 1] = 99\n# 注释\nq = torch.nonesuch(2)";

for (const theme of ["light", "dark"])
  for (const lang of ["en", "zh"])
    for (const [state, fields] of [["a view", { step: 1 }], ["a failure", { step: 2 }], ["a write", { step: 4 }], ["an unknown name", {}]])
      test(`axe finds nothing on ${state}, ${theme}, ${lang}`, async () => {
        // axe is run from outside the page's content policy, which rightly refuses it.
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
        const page = await context.newPage();
        await page.goto(site.url + link({ code, theme, lang, ...fields }));
        await page.locator(".cm-content").waitFor();
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join("; ")}`), []);
        await context.close();
      });
