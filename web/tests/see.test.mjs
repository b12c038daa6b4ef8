// Seeing: what is pointed at lights up wherever it stands, and each of the things to see can be asked for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";

const here = inBrowser();
const { open, settled, picture, pointAt, share } = here;

/** Notes the picture as it is when nothing is lit. @returns a function that tells of each figure how many rows of
    its pixels look other than that: below `strip` stands the strip, above it the grid, with the path at its right */
async function figures() {
  const box = await here.page.locator("#canvas").boundingBox();
  const strip = (await pointAt(/^cell:/)).y - box.y - 70;
  await here.page.mouse.move(5, 5);
  await settled();
  await here.page.evaluate(() => {
    window.pixels = () => {
      const canvas = document.getElementById("canvas");
      return canvas.getContext("2d").getImageData(0, 0, canvas.clientWidth, canvas.clientHeight);
    };
    window.unlit = window.pixels().data;
  });
  return async () => {
    await settled();
    return here.page.evaluate((strip) => {
      const { data, width } = window.pixels();
      const rows = { grid: new Set(), path: new Set(), strip: new Set() };
      for (let at = 0; at < data.length; ++at) {
        if (data[at] === window.unlit[at]) continue;
        const x = (at >> 2) % width, y = Math.floor((at >> 2) / width);
        rows[y > strip ? "strip" : x < 0.55 * width ? "grid" : "path"].add(y);
      }
      return Object.fromEntries(Object.entries(rows).map(([name, set]) => [name, set.size]));
    }, strip);
  };
}

test("a cell of the grid, a cell of the strip and a point of the path light up one another", async () => {
  await open({ code: story, step: 1 });
  const lit = await figures();
  for (const [what, target, part] of [
    ["the grid's cell", /^element:/, 0],
    ["the strip's cell", /^cell:/, 0],
    ["the path's point", /^element:/, 0.6],
  ]) {
    await pointAt(target, part);
    const { grid, path, strip } = await lit();
    assert.ok(grid > 0 && path > 0 && strip > 0, `${what}: ${JSON.stringify({ grid, path, strip })}`);
    await here.page.mouse.move(5, 5);
    assert.deepEqual(await lit(), { grid: 0, path: 0, strip: 0 }, "nothing stays lit");
  }
});

test("a cell that is read several times lights up every element that reads it", async () => {
  await open({ code: "x = torch.arange(3).expand(4, 3)" });
  const lit = await figures();
  await pointAt(/^cell:/);
  const one = 30; // px that a cell is high at least
  assert.ok((await lit()).grid > 4 * one, JSON.stringify(await lit()));
});

test("an axis lights up from its chip and from its arrow, a tensor from its line of code", async () => {
  await open({ code: story, step: 1 });
  const lit = await figures();
  const { hover } = await pointAt(/^axis:/);
  assert.ok((await lit()).grid > 0, "the arrow");
  await here.page.locator(".chip").nth(Number(hover.split(":")[2])).hover();
  assert.equal(await here.page.locator("#stage").getAttribute("data-hover"), hover);
  assert.ok((await lit()).grid > 0, "the chip");
  await here.page.locator('#editor .outcome[data-step="1"]').hover();
  assert.match(await here.page.locator("#stage").getAttribute("data-hover"), /^tensor:/);
  assert.ok((await lit()).grid > 0, "the line");
});

test("other tensors on the same storage are drawn where that is asked for, and stay in the link", async () => {
  await open({ code: "x = torch.arange(12).view(3, 4)\ny = x.t()\nz = x[1:, ::2]" });
  const alone = await picture();
  await here.page.locator("#open-figures").click();
  await here.page.getByLabel("Aliases").check();
  await settled();
  assert.notEqual(await picture(), alone);
  await here.page.waitForFunction(() => decodeURIComponent(location.hash).includes("sharing"));
});

test("elements out of reach and the cache lines touched are counted in the picture", async () => {
  await open({ code: "x = torch.arange(32)[::4]", unit: "bytes", line: 64 });
  const download = here.page.waitForEvent("download");
  await share("save-svg");
  const words = readFileSync(await (await download).path(), "utf8").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  assert.match(words, /24 of 32 elements unreachable/);
  assert.match(words, /reads 4 of 4 cache lines of 64 bytes/);
});

test("coloured by memory bank, the picture counts what the warp of the head costs", async () => {
  await open({ code: "x = torch.arange(1024.).view(32, 32).t()" });
  await here.page.getByLabel("Colour").selectOption("bank");
  const download = here.page.waitForEvent("download");
  await share("save-svg");
  const words = readFileSync(await (await download).path(), "utf8").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  assert.match(words, /warp of elements 0 to 31: 32 sectors of 32 bytes \(contiguous 4\)/);
  assert.match(words, /32 passes over 32 memory banks \(contiguous 1\)/);
});

test("an array that begins inside its memory is drawn in the room that the same tensor has", async () => {
  const heights = [];
  for (const code of ["x = torch.arange(12)[5:]", "x = np.arange(12)[5:]"]) {
    await open({ code });
    heights.push(await here.page.locator("#canvas").evaluate((canvas) => canvas.getBoundingClientRect().height));
  }
  assert.equal(heights[0], heights[1]);
});

/** What the canvas is told to write, from now on. @returns a function that gives what it wrote since it was last asked */
async function written() {
  await here.page.addInitScript(() => {
    window.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      window.written.push(text);
      fillText.call(this, text, ...place);
    };
  });
  await here.page.reload();
  return () => here.page.evaluate(() => window.written.splice(0).join("\n"));
}

test("a copy shows both strips, also where there is no room for all at once: then the stage scrolls", async () => {
  const words = await written();
  for (const [width, height] of [[1280, 800], [1920, 1080], [1280, 640]]) {
    await here.page.setViewportSize({ width, height });
    await open({ code: story, step: 3 });
    await words();
    await open({ code: story, step: 3, labels: "index" });
    const shown = await words();
    assert.match(shown, /storage 0: 12 elements/, `${width} x ${height}`);
    assert.match(shown, /storage 1: 12 elements/, `${width} x ${height}`);
  }
});

test("why stands once: beside the picture, in it where that is narrow, and in a picture that leaves the page", async () => {
  const words = await written();
  const code = "x = torch.arange(12).view(3, 4)\ny = x.t()\nz = y.view(12)";
  for (const [width, within] of [[1280, false], [700, true]]) {
    await here.page.setViewportSize({ width, height: 800 });
    await open({ code });
    await words();
    await open({ code, labels: "index" });
    const shown = await words();
    assert.match(shown, /1 ≠ 4 × 3/, `${width}: the verdict is the picture`);
    assert.equal(/cannot be merged/.test(shown), within, `${width}: ${shown}`);
    assert.equal(/What works/.test(shown), within, `${width}: ${shown}`);
    assert.match(await here.page.locator("#why").innerText(), /cannot be merged/);
    const download = here.page.waitForEvent("download");
    await share("save-svg");
    assert.match(readFileSync(await (await download).path(), "utf8"), /What works/);
  }
});

test("the figures are chosen on the page, stay in the link, and are those of what leaves it; one always stays", async () => {
  await open({ code: story, step: 1 });
  const whole = await picture();
  const choice = (name) => here.page.locator("#figures").getByLabel(name, { exact: true });
  const svg = async () => {
    const download = here.page.waitForEvent("download");
    await share("save-svg");
    return readFileSync(await (await download).path(), "utf8").replace(/<[^>]*>/g, " ");
  };
  const all = await svg();
  for (const heading of [/logical grid/, /read path/, /storage 0/]) assert.match(all, heading);
  await here.page.locator("#open-figures").click();
  await choice("Logical grid").uncheck();
  await choice("Read path").uncheck();
  await here.page.waitForFunction(() => /figures=strip,verdict(&|$)/.test(decodeURIComponent(location.hash)));
  assert.ok(await choice("Storage").isDisabled(), "the last one");
  await here.page.keyboard.press("Escape");
  await settled();
  assert.notEqual(await picture(), whole);
  const alone = await svg();
  assert.match(alone, /storage 0/);
  assert.doesNotMatch(alone, /logical grid|offset in elements against read order/);
  await share("open-embed");
  for (const form of ["element", "fence", "command", "notebook"])
    assert.match(await here.page.locator(`[data-form=${form}] pre`).textContent(), /strip,verdict/, form);
  await here.page.keyboard.press("Escape");
  await here.page.reload();
  await here.page.locator("#chips[aria-label]").waitFor({ state: "attached" });
  await here.page.locator("#open-figures").click();
  assert.ok(!(await choice("Logical grid").isChecked()));
  await choice("Logical grid").check();
  await choice("Read path").check();
  await here.page.waitForFunction(() => !location.hash.includes("figures"));
  assert.equal(await picture(), whole);
});

test("on a screen with finer pixels the picture is drawn in them, though no size has changed", async () => {
  await here.page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) => {
      const media = matchMedia.call(window, query);
      if (query.includes("resolution")) window.screen_ = media;
      return media;
    };
  });
  await open({ code: story, step: 1 });
  const session = await here.context.newCDPSession(here.page);
  await session.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false });
  await here.page.waitForFunction(() => devicePixelRatio === 2);
  await here.page.evaluate(() => window.screen_.dispatchEvent(new Event("change"))); // of this the headless browser tells nothing
  await settled();
  const finer = () => here.page.locator("#canvas").evaluate(({ width, style }) => Math.round(width / Number.parseFloat(style.width)));
  assert.equal(await finer(), 2);
  assert.ok(await here.page.evaluate(() => window.screen_.media.includes("2dppx")), "and the next change is waited for");
});

test("letters of the program are not joined in the picture: an operator stays what was written", async () => {
  const sign = async (operator) => {
    await open({ code: `x = torch.arange(3)\nm = x ${operator} 2` });
    return here.page.evaluate(() => {
      const at = 32 + 17 * 0.6 * 6; // of the title's letters, each 0.6 em of 17 px
      return [...document.getElementById("canvas").getContext("2d").getImageData(at, 8, 10, 26).data].join();
    });
  };
  assert.equal(await sign(">="), await sign("> "));
});
