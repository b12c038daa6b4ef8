// The page of operations: a list that is whole without a script, and a field that narrows it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.mjs";

const here = inBrowser();
const field = () => here.page.locator("#find");
const visit = (name) => here.page.goto(`${here.site.url}docs/${name}.html`);
const names = () => here.page.locator("nav li:not([hidden]) code").allTextContents();
const rows = () => here.page.locator("section.row:not([hidden])").count();

test("a field narrows the names and the rows to what is looked for, and Escape gives all back", async () => {
  await visit("operations");
  const all = await rows();
  assert.ok(all > 500);
  await here.page.keyboard.press("/");
  assert.equal(await here.page.evaluate(() => document.activeElement.id), "find");
  await here.page.keyboard.type("As_Strided");
  const found = await names();
  assert.ok(found.includes("as_strided") && found.every((name) => name.includes("as_strided")), found.join());
  assert.ok((await rows()) < 20);
  assert.equal(await here.page.locator("#found").textContent(), `${await rows()} / ${all}`);
  await here.page.keyboard.press("Escape");
  assert.equal(await rows(), all);
  assert.equal(await here.page.locator("#found").textContent(), "");
});

test("what is found is seen from its beginning, however far down one was", async () => {
  await visit("operations");
  // Asked again as long as the page is being laid out: the End of its first screens is not far down.
  await here.page.waitForFunction(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    return window.scrollY > 10_000;
  });
  await here.page.keyboard.press("/");
  await here.page.keyboard.type("index_fill");
  const bar = await here.page.locator("search").boundingBox();
  for (const part of [here.page.locator("nav"), here.page.locator("section.row:not([hidden]) h3").first()]) {
    const box = await part.boundingBox();
    assert.ok(box.y >= bar.y + bar.height - 1 && box.y < 600, JSON.stringify(box));
  }
});

test("Enter goes to the name that was written, though others begin so", async () => {
  await visit("operations");
  await field().fill("view");
  await field().press("Enter");
  assert.equal(await here.page.evaluate(() => decodeURIComponent(location.hash)), "#torch.view");
  const row = await here.page.locator("section.row:target").boundingBox();
  const bar = await here.page.locator("search").boundingBox();
  assert.ok(row.y >= bar.y + bar.height - 1, "its heading is not under the field");
  assert.equal(await here.page.evaluate(() => document.activeElement.textContent), "view");
});

test("words of what an operation does are found, in both languages, and a heading without anything goes", async () => {
  await visit("operations.zh");
  await field().fill("转置");
  assert.ok((await rows()) > 0);
  await visit("operations");
  await field().fill("lib.stride_tricks");
  assert.deepEqual(await here.page.locator("h2:not([hidden])").allTextContents(), ["NumPy"]);
  await field().fill("no such thing at all");
  assert.equal(await rows(), 0);
  assert.equal(await here.page.locator("h2:not([hidden]), nav h3:not([hidden])").count(), 0);
});

test("names are found by the module that they are of", async () => {
  await visit("operations");
  await field().fill("einops.");
  assert.ok((await names()).includes("rearrange"), (await names()).join());
  assert.equal((await names()).length, await rows());
  await field().fill("rfft");
  await field().press("Enter");
  assert.equal(await here.page.evaluate(() => document.activeElement.textContent), "rfft");
});

test("the field is not there without its script, nothing else is missing, and the page breaks nowhere", async () => {
  await here.page.route("**/find.js", (route) => route.fulfill({ status: 200, contentType: "text/javascript", body: "" }));
  await visit("operations");
  assert.equal(await field().isVisible(), false);
  assert.ok((await rows()) > 500);
  await here.page.unrouteAll();
  for (const width of [320, 1280]) {
    await here.page.setViewportSize({ width, height: 800 });
    await visit("operations");
    assert.equal(await here.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  }
});
