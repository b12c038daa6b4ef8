// Cells larger and smaller, and windows that go where one wants to look.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.mjs";
import { facesOf } from "./serve.mjs";

const here = inBrowser();
const { open, settled, head, picture } = here;
const factor = () => here.page.locator("#view-choices .fit").textContent();
const wheel = async (x, y, key) => {
  const box = await here.page.locator("#canvas").boundingBox();
  await here.page.mouse.move(box.x + box.width / 3, box.y + 200);
  if (key) await here.page.keyboard.down(key);
  // A wheel's event comes when the browser likes.
  await here.page.evaluate(() => {
    window.wheeled = new Promise((done) => addEventListener("wheel", done, { capture: true, once: true }));
  });
  await here.page.mouse.wheel(x, y);
  if (key) await here.page.keyboard.up(key);
  await here.page.evaluate(() => window.wheeled.then(() => {}));
  await settled();
};
const large = "x = torch.arange(10**6).view(1000, 1000)";

test("plus and minus, their buttons, and Control with the wheel make cells larger and smaller, and 0 as they were", async () => {
  await open({ code: large });
  const best = await picture();
  await here.page.locator("body").press("+");
  await settled();
  assert.equal(await factor(), "1.4×");
  const larger = await picture();
  assert.notEqual(larger, best);
  await here.page.getByRole("button", { name: /Larger cells/ }).click();
  await settled();
  assert.equal(await factor(), "2×");
  await here.page.getByRole("button", { name: /Smaller cells/ }).click();
  await settled();
  assert.equal(await picture(), larger);
  await here.page.locator("body").press("0");
  await settled();
  assert.equal(await picture(), best);
  await wheel(0, 100, "Control");
  assert.equal(await factor(), "0.71×");
  await wheel(0, -200, "Control");
  assert.notEqual(await factor(), "0.71×");
  assert.equal(await here.page.evaluate(() => visualViewport.scale), 1, "the page itself does not grow");
});

test("a zoom is in the link", async () => {
  await open({ code: large });
  await here.page.locator("body").press("-");
  await here.page.waitForFunction(() => /zoom=-1/.test(location.hash));
  const [small, hash] = [await picture(), await here.page.evaluate(() => location.hash)];
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url + hash);
  await here.page.locator("#chips .chip").first().waitFor();
  await here.page.evaluate(() => document.fonts.ready);
  await settled();
  assert.equal(await picture(), small);
});

test("Shift and the wheel go along the rows, Alt and the wheel down them, and the windows follow", async () => {
  await open({ code: large });
  const first = await picture();
  await wheel(0, 400, "Shift");
  assert.equal(await head(), "read 11 of 1\u2009000\u2009000");
  await wheel(0, 200, "Alt");
  assert.equal(await head(), "read 5\u2009011 of 1\u2009000\u2009000");
  assert.notEqual(await picture(), first);
  await wheel(-40_000, 0);
  assert.equal(await head(), "read 5\u2009001 of 1\u2009000\u2009000", "no further than to the end of the row");
});

test("the wheel takes the windows on by one place at a time, and where they are is in the link", async () => {
  await open({ code: large, head: 500_500 });
  await wheel(0, 40, "Shift");
  const places = [];
  for (let i = 0; i < 6; ++i) {
    places.push(await picture());
    await wheel(0, 40, "Shift");
  }
  assert.equal(new Set(places).size, places.length, "each turn shows other columns");
  await here.page.mouse.move(5, 5); // nothing is pointed at
  await here.page.waitForFunction(() => /pan=500507/.test(location.hash));
  await settled();
  const [there, hash] = [await picture(), await here.page.evaluate(() => location.hash)];
  await here.page.locator("body").press("ArrowLeft");
  await settled();
  assert.equal(await here.page.evaluate(() => /pan=500507/.test(location.hash)), true, "the head walks inside");
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url + hash);
  await here.page.locator("#chips .chip").first().waitFor();
  await facesOf(here.page);
  await settled();
  assert.ok((await picture()) === there, "opened again it is where it was");
});

test("a press on the strip or on its map takes the head to the element that reads the cell", async () => {
  await open({ code: "y = torch.arange(10**6).view(1000, 1000).t()" });
  const box = await here.page.locator("#canvas").boundingBox();
  const met = { strip: 0, map: 0 };
  for (let y = box.y + box.height - 30; y > box.y + box.height / 2 && !(met.strip && met.map); y -= 4) {
    await here.page.mouse.move(box.x + box.width * 0.6, y);
    await settled();
    const [kind, , number] = (await here.page.locator("#stage").getAttribute("data-hover")).split(":");
    if (kind !== "cell" || met[Number(number) > 1000 ? "map" : "strip"]) continue;
    met[Number(number) > 1000 ? "map" : "strip"] = Number(number);
    await here.page.mouse.down();
    await here.page.mouse.up();
    await settled();
    const cell = Number(number), element = (cell % 1000) * 1000 + Math.floor(cell / 1000);
    assert.equal(Number((await head()).replace(/\u2009/g, "").match(/read (\d+)/)[1]), element + 1);
    await here.page.locator("#scrub").fill("0");
    await settled();
  }
  assert.ok(met.strip > 0 && met.map > 1000, JSON.stringify(met));
});

test("sizes that follow each other are drawn on one canvas, which has the room of the stage once they rest", async () => {
  await open({ code: large });
  const found = await here.page.evaluate(async () => {
    const [canvas, stage] = ["canvas", "stage"].map((id) => document.getElementById(id));
    const look = () => {
      const { clientWidth: width, clientHeight: height } = canvas, { objectPosition } = getComputedStyle(canvas);
      const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
      return { data, size: [width, height], objectPosition };
    };
    const frame = () => new Promise(requestAnimationFrame);
    const rested = async () => {
      while (canvas.width !== Math.max(stage.clientWidth, canvas.clientWidth)) await frame();
    };
    await rested();
    // They rest ten times as late: sizes follow each other, however late the frames come.
    const { setTimeout } = window;
    window.setTimeout = (act, time) => setTimeout(act, 10 * time);
    const before = canvas.width, wide = stage.clientWidth;
    for (let i = 0; i < 10; ++i) {
      stage.style.width = `${wide - 20 * (1 + (i % 3))}px`;
      await frame();
      await frame();
    }
    const hasty = { ...look(), kept: canvas.width === before, fit: canvas.style.objectFit };
    await rested();
    const { data, ...rest } = look();
    return { hasty: { ...hasty, data: 0 }, rest, same: data.every((part, i) => part === hasty.data[i]) };
  });
  const { size } = found.hasty, objectPosition = "0% 0%";
  assert.deepEqual(found, {
    hasty: { data: 0, size, objectPosition, kept: true, fit: "none" },
    rest: { size, objectPosition },
    same: true,
  });
});

test("in a page that scrolls the canvas is the picture's own once sizes rest", async () => {
  await here.page.setViewportSize({ width: 700, height: 800 });
  await open({ code: large });
  await here.page.setViewportSize({ width: 640, height: 800 });
  await here.page.waitForFunction(() => {
    const canvas = document.getElementById("canvas");
    return canvas.width === canvas.clientWidth && canvas.height === canvas.clientHeight && !canvas.style.objectFit;
  });
  await here.page.setViewportSize({ width: 1280, height: 800 });
});
