// The read head: playing, looping, keys, and the odometer that counts along.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";

const here = inBrowser();
const { open, settled, head } = here;
const quantity = (name) => here.page.locator(`.quantity.${name} [role=cell]`).allTextContents();
const scrubTo = async (position) => {
  await here.page.locator("#scrub").fill(String(position));
  await settled();
};

test("the odometer says that NumPy's offsets are bytes", async () => {
  await open({ code: "x = np.arange(6).reshape(2, 3)\ny = x.T", step: 1 });
  await scrubTo(1);
  assert.deepEqual(await quantity("offset"), ["24 B", ""]);
});

test("the odometer shows index, offset and value, and what the walk has cost so far beside a contiguous copy's", async () => {
  await open({ code: story, step: 1 });
  await scrubTo(3);
  // y reads 0 2 4 1 3 5 6 8 10 7 9 11
  assert.deepEqual(await quantity("index"), ["[0, 1, 0]", ""]);
  assert.deepEqual(await quantity("offset"), ["1", ""]);
  assert.deepEqual(await quantity("value"), ["1", ""]);
  assert.deepEqual(
    (await quantity("walk_travel")).map((text) => text.match(/\d+/g)),
    [
      ["7", "23"],
      ["3", "11"],
    ],
  );
  assert.deepEqual(
    (await quantity("walk_back")).map((text) => text.match(/\d+/g)),
    [["1", "2"], ["0"]],
  );
  assert.deepEqual(await quantity("walk_run"), ["2", "12"]);
  await scrubTo(11);
  assert.deepEqual(await quantity("walk_travel"), ["23", "11"]);
});

test("the odometer calls a tensor by a name of its own, in the letters of the program", async () => {
  await open({ code: "m = torch.nn.Linear(3, 2)\nw = m.weight" });
  const name = here.page.locator("#odometer .own[role=columnheader]");
  assert.equal(await name.textContent(), "w");
  assert.match(await name.evaluate((header) => getComputedStyle(header).fontFamily), /^"JetBrains Mono"/);
});

test("repeats are counted where a cell is read again", async () => {
  await open({ code: "y = torch.arange(3).view(3, 1).expand(3, 4)" });
  await scrubTo(11);
  assert.deepEqual((await quantity("walk_repeats")), ["9", "0"]);
});

test("no column of the odometer moves while the head walks", async () => {
  await open({ code: "y = torch.arange(2000).view(40, 50).t()" });
  const places = () =>
    here.page
      .locator(".quantity")
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().left)));
  const before = await places();
  for (const position of [7, 999, 1999]) {
    await scrubTo(position);
    assert.deepEqual(await places(), before);
  }
});

test("nothing plays by itself", async () => {
  await open();
  await here.page.waitForTimeout(1200);
  assert.equal(await head(), "read 1 of 12");
  assert.equal(await here.page.locator("#play").getAttribute("aria-label"), "Play");
});

test("in a loop the first read follows the last", async () => {
  await open({ code: "x = torch.arange(4)" });
  await here.page.locator("#loop").click();
  assert.equal(await here.page.locator("#loop").getAttribute("aria-pressed"), "true");
  await here.page.locator("#speed").selectOption("8");
  await here.page.evaluate(() => {
    window.heads = [];
    const scrub = document.getElementById("scrub");
    new MutationObserver(() => window.heads.push(Number(scrub.getAttribute("aria-valuetext").split(" ")[1]))).observe(
      scrub,
      { attributeFilter: ["aria-valuetext"] },
    );
  });
  await here.page.locator("#play").click();
  await here.page.waitForFunction(
    () => window.heads.length > 60 || window.heads.some((at, i) => at === 1 && window.heads[i - 1] === 4),
    null,
    { timeout: 15_000 },
  );
  await here.page.locator("#play").click();
  const heads = await here.page.evaluate(() => window.heads.filter((at, i) => at !== window.heads[i - 1]));
  assert.ok(heads.some((at, i) => at === 1 && heads[i - 1] === 4), heads.join(" "));
});

test("without a loop playing ends at the last read, and starts over from there", async () => {
  await open({ code: "x = torch.arange(4)" });
  await here.page.locator("#speed").selectOption("32");
  await here.page.locator("#play").click();
  await here.page.waitForFunction(
    () =>
      document.getElementById("scrub").getAttribute("aria-valuetext") === "read 4 of 4" &&
      document.getElementById("play").getAttribute("aria-label") === "Play",
  );
  await here.page.locator("#play").click();
  await here.page.waitForFunction(
    () => document.getElementById("scrub").getAttribute("aria-valuetext") === "read 4 of 4",
  );
});

test("a faster speed reads more in the same time", async () => {
  const reads = async (speed) => {
    await open({ code: "x = torch.arange(100000)" });
    await here.page.locator("#speed").selectOption(speed);
    await here.page.locator("#play").click();
    await here.page.waitForTimeout(1000);
    await here.page.locator("#play").click();
    return Number((await head()).replace(/\u2009/g, "").split(" ")[1]);
  };
  const [slow, fast] = [await reads("1"), await reads("32")];
  assert.ok(fast > 3 * slow, `${slow} and ${fast}`);
});

test("labels, colours and the ruler change the picture and stay in the link", async () => {
  await open({ code: story, step: 1 });
  const before = await here.picture();
  for (const [choice, value] of [["Labels", "index"], ["Colour", "axis"], ["Ruler", "bytes"], ["Cache lines", "64"]]) {
    await here.page.locator(".choice", { hasText: choice }).first().locator("select").selectOption(value);
    await settled();
    const now = await here.picture();
    assert.ok(now !== before, choice);
    await here.page.waitForFunction((text) => location.hash.includes(text), "=" + value);
  }
});

test("before and after stand side by side where that is asked for", async () => {
  await open({ code: story, step: 1 });
  const before = await here.picture();
  await here.page.locator("#open-figures").click();
  await here.page.getByLabel("Before and after").check();
  await settled();
  assert.ok((await here.picture()) !== before);
  await here.page.waitForFunction(() =>
    decodeURIComponent(location.hash).includes("figures=strip,grid,path,verdict,before"),
  );
  await here.page.getByLabel("Before and after").uncheck();
  await settled();
  assert.ok((await here.picture()) === before);
});
