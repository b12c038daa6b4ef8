// By finger: what the pointer does, without standing in the way of a page that scrolls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.mjs";

const here = inBrowser({ hasTouch: true, viewport: { width: 412, height: 700 } });
const { open, settled, program } = here;
const code = "x = torch.arange(40).view(5, 8)";

/** Fingers on the page, as the browser's own input. @returns a function that puts one down, moves or lifts it */
async function fingers() {
  const session = await here.context.newCDPSession(here.page);
  return (type, ...points) =>
    session.send("Input.dispatchTouchEvent", { type: `touch${type}`, touchPoints: points.map(([x, y]) => ({ x, y })) });
}
const wait = (time) => new Promise((done) => setTimeout(done, time));
const scrolled = () => here.page.evaluate(() => scrollY);
/** How far the page is scrolled once it stands still: it glides on for a while after a swipe, and a tap then only stops
    it.  @param from where it was before one that surely scrolls it */
async function stillness(from = NaN) {
  let at = NaN, before;
  for (let tries = 0; tries < 20 && (at === from || at !== before); ++tries) {
    await wait(300);
    [before, at] = [at, await scrolled()];
  }
  return at;
}
/** Where the canvas begins in the window now. */
const corner = () =>
  here.page.evaluate(() => {
    const { left, top } = document.getElementById("canvas").getBoundingClientRect();
    return [left, top];
  });
/** Taps at [x, y] of the canvas until `done` holds in the page. A busy browser may hold that the page glides long after it
    stands still, and a tap then only stops it. */
async function tap([x, y], done) {
  for (let tries = 1; ; ++tries) {
    const [left, top] = await corner();
    await here.page.touchscreen.tap(left + x, top + y);
    try {
      return await here.page.waitForFunction(done, undefined, { timeout: 5000 });
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}
const last = async () => (await program()).split("\n")[1];

/** The middles of the first element of the grid and of the last, in the window. */
async function ends() {
  const corner = here.page.locator("#corner");
  await corner.scrollIntoViewIfNeeded();
  const { x, y } = await corner.boundingBox();
  const cell = await here.page.evaluate(() => document.getElementById("canvas").getBoundingClientRect().width / 12);
  return { last: [x - 4, y - 4], before: [x - 4 - 2 * cell, y - 4 - cell], cell };
}

test("a finger that rests on a cell drags a box out of the grid, and the page stands still", async () => {
  await open({ code });
  const finger = await fingers(), { last: end, before } = await ends();
  const at = await scrolled();
  await here.page.evaluate(() => {
    let put = NaN;
    addEventListener("pointerdown", ({ timeStamp }) => (put = timeStamp), { capture: true, once: true });
    new MutationObserver((_, observer) => {
      window.rested = performance.now() - put;
      observer.disconnect();
    }).observe(document.getElementById("box"), { childList: true });
  });
  await finger("Start", end);
  await here.page.locator("#box span").first().waitFor({ state: "attached" });
  assert.equal(await here.page.locator("#box span").count(), 1, "the cell that it begins with is marked");
  assert.ok((await here.page.evaluate(() => window.rested)) > 300, "not at once");
  for (const part of [0.3, 0.7, 1]) {
    await finger("Move", end.map((from, k) => from + part * (before[k] - from)));
    await settled();
  }
  const shown = await here.page.locator("#box .badge").textContent();
  assert.match(shown, /^y = x\[\d:, \d:\]$/);
  assert.equal(await last(), undefined, "nothing is written while it is held");
  assert.equal(await scrolled(), at);
  await finger("End");
  await settled();
  assert.equal(await last(), shown);
});

test("a finger that moves at once scrolls, one that only rests writes nothing, and a tap moves the head", async () => {
  await open({ code });
  const finger = await fingers(), { before } = await ends();
  const from = await here.page.evaluate(() => scrollY);
  await finger("Start", before);
  for (let k = 1; k <= 8; ++k) await finger("Move", [before[0], before[1] - 25 * k]);
  await finger("End");
  assert.ok((await stillness(from)) > from, "it scrolls");
  assert.equal(await here.page.locator("#box span").count(), 0);
  assert.match(await here.head(), /read 1 of/, "the head stays where it was");
  const place = await ends();
  await finger("Start", place.last);
  await wait(600);
  await finger("End");
  await settled();
  assert.equal(await here.page.locator("#box span").count(), 0);
  await here.page.touchscreen.tap(...place.last);
  await settled();
  assert.equal(await last(), undefined);
  assert.match(await here.head(), /40/);
});

test("what works is applied by a tap on it in the picture, and not by a scroll that begins there", async () => {
  await open({ code: "x = torch.arange(6).view(2, 3).t()\ny = x.view(6)", step: "1" });
  await here.page.evaluate(() => document.getElementById("stage").scrollIntoView());
  const { x, y, hover } = await here.pointAt(/^fix:/);
  assert.equal(hover, "fix:0");
  const [left, top] = await corner(), finger = await fingers(), from = await scrolled();
  await finger("Start", [x, y]);
  for (let k = 1; k <= 8; ++k) await finger("Move", [x, y - 15 * k]);
  await finger("End");
  assert.ok((await stillness(from)) > from, "it scrolls");
  assert.equal(await last(), "y = x.view(6)");
  await tap([x - left, y - top], () => {
    const lines = document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line");
    return lines[1]?.textContent === "y = x.reshape(6)";
  });
});

for (const [figure, target] of [["the strip", /^cell:/], ["the path", /^element:/]])
  test(`a swipe that begins on ${figure} leaves the head, in whichever direction, and a tap there moves it`, async () => {
    await open({ code: "x = torch.arange(12)", figures: figure === "the path" ? "path" : "strip" });
    const { x, y } = await here.pointAt(target, 0.5), [left, top] = await corner(), finger = await fingers();
    for (const [dx, dy] of [[0, 12], [12, 0]]) {
      await finger("Start", [x, y]);
      for (let k = 1; k <= 4; ++k) await finger("Move", [x + dx * k, y + dy * k]);
      await finger("End");
      await stillness();
      assert.match(await here.head(), /read 1 of/);
    }
    await tap([x - left, y - top], () => !/read 1 of/.test(document.getElementById("scrub").ariaValueText));
  });

test("a finger that moves over the chips scrolls the page; by its grip, or once it rests, it drags one", async () => {
  await open({ code: "x = torch.arange(24).view(2, 3, 4)" });
  const chips = here.page.locator(".chip"), finger = await fingers();
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const drag = async ([x, y], [toX, toY], rests = false) => {
    await finger("Start", [x, y]);
    if (rests) await here.page.locator("#chips .held").waitFor();
    for (let k = 1; k <= 8; ++k) {
      await finger("Move", [x + ((toX - x) * k) / 8, y + ((toY - y) * k) / 8]);
      await settled();
    }
    await finger("End");
    await settled();
  };
  const [x, y] = await middle(chips.first());
  await drag([x, y], [x, y - 120]);
  assert.ok((await stillness(0)) > 0, "it scrolls");
  assert.equal(await last(), undefined);
  await here.page.evaluate(() => scrollTo(0, 0));
  await drag(await middle(chips.first().locator(".grip")), await middle(chips.nth(1)));
  assert.equal(await last(), "y = x.permute(1, 0, 2)");
  assert.equal(await scrolled(), 0);
  await drag(await middle(chips.nth(2)), await middle(chips.nth(1)), true);
  assert.match((await program()).split("\n")[2], /^\w = y\.permute\(0, 2, 1\)$/);
  await drag(await middle(chips.first()), await middle(chips.first()), true);
  assert.equal(await here.page.locator("#chip-menu:popover-open").count(), 0, "one that only rests does nothing");
  await here.page.touchscreen.tap(...(await middle(chips.first())));
  await here.page.locator("#chip-menu:popover-open").waitFor();
});
