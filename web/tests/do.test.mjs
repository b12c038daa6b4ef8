// By hand: chips, their menu, the grid's corner, poking and the shapes, each by pointer and by keyboard; what they do is a
// line of the program, and one step of undo. Of the raw panel: raw.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindsNothing } from "./axe.mjs";
import { inBrowser } from "./browser.mjs";

const here = inBrowser({ bypassCSP: true }); // for axe
const { open, settled, program } = here;
const base = "x = torch.arange(12).view(2, 3, 2)";
const lines = async () => (await program()).split("\n").slice(1);
const last = async () => (await lines()).at(-1);
const chipNames = () => here.page.locator(".chip").evaluateAll((chips) => chips.map((chip) => chip.textContent));
const chip = (dim) => here.page.locator(".chip").nth(dim);
const said = (text) =>
  here.page.waitForFunction((part) => document.getElementById("live").textContent.includes(part), text);
/** What the picture shows, in words. */
const picture = () => here.page.locator("#description").textContent();
const undo = async () => {
  await here.page.locator("#undo").click();
  await settled();
};
const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};
async function pull(locator, to, drop = true) {
  const { mouse } = here.page;
  await mouse.move(...(await middle(locator)));
  await mouse.down();
  await mouse.move(...to, { steps: 6 });
  await settled();
  if (drop) await mouse.up();
  await settled();
}

const accessible = (state) => axeFindsNothing(here.page, state);
/** Nothing sticks out of the window. */
const fits = async (state) =>
  assert.ok(
    (await here.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0,
    `${state} is wider than the window`,
  );

test("a chip that is dragged shows the order, and where it is let go the line is written", async () => {
  await open({ code: base });
  assert.deepEqual(await chipNames(), ["dim 0 size 2 stride 6", "dim 1 size 3 stride 2", "dim 2 size 2 stride 1"]);
  const still = await picture();
  await pull(chip(2), await middle(chip(0)), false);
  assert.notEqual(await picture(), still, "the picture shows the order that is tried");
  assert.equal(await program(), base);
  await here.page.keyboard.press("Escape");
  await here.page.mouse.up();
  await settled();
  assert.equal(await picture(), still);
  assert.equal(await program(), base);
  await pull(chip(2), await middle(chip(0)));
  assert.deepEqual(await lines(), ["y = x.permute(2, 0, 1)"]);
  assert.deepEqual(await chipNames(), ["dim 0 size 2 stride 1", "dim 1 size 2 stride 6", "dim 2 size 3 stride 2"]);
  assert.equal(await here.page.locator("#chip-menu:popover-open").count(), 0, "a drag is no press");
  await undo();
  assert.equal(await program(), base);
  assert.equal(await picture(), still);
});

test("the chips beside the one that is dragged glide, and stand still at once where motion is not wanted", async () => {
  await open({ code: base });
  await here.page.evaluate(() => {
    // Counted as they begin: on a busy machine they are over before anybody can ask what moves.
    const { animate } = Element.prototype;
    window.glides = 0;
    Element.prototype.animate = function (...how) {
      if (this.closest("#chips")) ++window.glides;
      return animate.apply(this, how);
    };
  });
  const drag = async () => {
    await here.page.evaluate(() => (window.glides = 0));
    await here.page.mouse.move(...(await middle(chip(0))));
    await here.page.mouse.down();
    await here.page.mouse.move(...(await middle(chip(1))), { steps: 3 });
    const count = await here.page.evaluate(() => window.glides);
    await here.page.keyboard.press("Escape");
    await here.page.mouse.up();
    await settled();
    return count;
  };
  await here.page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await drag(), 0);
  await here.page.emulateMedia({ reducedMotion: "no-preference" });
  assert.ok((await drag()) > 0);
});

test("the picture stays where it is, however many dimensions there are to be dragged", async () => {
  const code = "x = torch.arange(24)\ns = x.sum()\ny = x.view(2, 3, 4)\nz = x.view(2, 1, 3, 4)\nw = z.view(2, 1, 3, 2, 2, 1, 1)";
  for (const lang of ["en", "zh"])
    for (const [width, height] of [[360, 740], [768, 1024], [1024, 768], [1280, 800]]) {
      await here.page.setViewportSize({ width, height });
      const tops = [];
      for (let step = 0; step < 5; ++step) {
        await open({ code, step, lang });
        tops.push(await here.page.evaluate(() => document.getElementById("stage").offsetTop - document.getElementById("chips").offsetTop));
      }
      assert.equal(new Set(tops).size, 1, `${width} px, ${lang}: ${tops}`);
    }
});

test("the order that is tried is seen in the grid, too, where the window is small", async () => {
  await here.page.setViewportSize({ width: 1024, height: 768 });
  await open({ code: "y = torch.arange(48).view(2, 4, 2, 3)" });
  const before = await here.page.locator("#stage").evaluate((stage) => stage.scrollHeight);
  await pull(chip(3), await middle(chip(0)), false);
  assert.equal(await here.page.locator("#preview").isVisible(), true);
  assert.ok((await here.page.locator("#stage").evaluate((stage) => stage.scrollHeight)) >= before);
  await here.page.mouse.up();
  await settled();
  assert.equal(await last(), "z = y.permute(3, 0, 1, 2)");
});

test("a chip dragged to an end of its row scrolls it", async () => {
  await here.page.setViewportSize({ width: 360, height: 740 });
  await open({ code: "x = torch.arange(24).view(2, 1, 3, 2, 2, 1, 1)" });
  const row = await here.page.locator("#chips").boundingBox();
  await here.page.mouse.move(...(await middle(chip(0))));
  await here.page.mouse.down();
  for (let k = 0; k < 60; ++k) await here.page.mouse.move(row.x + row.width - 8 - (k % 2), row.y + 20);
  await settled();
  await here.page.mouse.up();
  await settled();
  assert.equal(await last(), "y = x.permute(1, 2, 3, 4, 5, 6, 0)");
});

test("a chip is moved with Alt or Control and the arrows, and what happens is read out", async () => {
  await open({ code: "a = np.arange(6, dtype='int8').reshape(2, 3)" });
  await chip(0).focus();
  await here.page.keyboard.down("Alt");
  await here.page.keyboard.press("ArrowRight");
  await said("axis 0 is now in place 2: axis 1, axis 0");
  await here.page.keyboard.press("Escape");
  await here.page.keyboard.up("Alt");
  assert.deepEqual(await lines(), []);
  await here.page.keyboard.press("Control+ArrowRight");
  await settled();
  assert.deepEqual(await lines(), ["b = a.transpose(1, 0)"]);
  assert.equal(
    await chip(1).evaluate((button) => button === document.activeElement),
    true,
    "the focus stays on the chip that moved",
  );
  await said("Written: b = a.transpose(1, 0)");
  await here.page.keyboard.press("Control+z");
  await settled();
  assert.deepEqual(await lines(), []);
});

test("the menu of a chip splits, flips, selects, slices, adds, drops, widens and merges, or says why not", async () => {
  await open({ code: "x = torch.arange(24).view(4, 6).t()", lang: "en" });
  const menu = here.page.locator("#chip-menu");
  const act = async (dim, name, before = async () => {}) => {
    await chip(dim).click();
    await menu.locator("button").first().waitFor();
    await before();
    await menu.getByRole("button", { name, exact: true }).click();
    await settled();
    const line = await last();
    await undo();
    return line;
  };
  assert.equal(await act(0, "3 × 2"), "y = x.view(3, 2, 4)");
  assert.equal(await act(1, "Flip"), "y = x.flip(1)");
  assert.equal(
    await act(0, "Select index", () => menu.getByRole("spinbutton", { name: "Select index" }).fill("5")),
    "y = x[5]",
  );
  assert.equal(await act(1, "New dim of 1 before it"), "y = x.unsqueeze(1)");
  assert.equal(await act(1, "New dim of 1 after it"), "y = x.unsqueeze(2)");
  const slice = async () => {
    await menu.getByRole("slider", { name: "from" }).press("ArrowRight");
    await menu.getByRole("slider", { name: "to before" }).press("ArrowLeft");
    await menu.getByRole("spinbutton", { name: "step" }).fill("2");
    assert.equal(await menu.locator(".line").textContent(), "y = x[1:5:2]");
  };
  assert.equal(await act(0, "Slice", slice), "y = x[1:5:2]");

  // By keyboard, to a reason and out again.
  await chip(0).press("Enter");
  const merge = menu.getByRole("button", { name: "Merge with the next" });
  assert.equal(await merge.isDisabled(), true);
  assert.match(await menu.locator("#merge-reason").textContent(), /a step along dim 0 is 1, not 6 × 4 = 24/);
  await accessible("the menu of a chip");
  await here.page.keyboard.press("Escape");
  assert.equal(await chip(0).evaluate((button) => button === document.activeElement), true);

  await open({ code: "x = torch.arange(6).view(1, 2, 3)", lang: "zh" });
  assert.equal(await act(1, "与下一个合并"), "y = x.view(1, 6)");
  assert.equal(await act(0, "去掉此维（squeeze）"), "y = x.squeeze(0)");
  assert.equal(await act(0, "扩展到"), "y = x.expand(3, -1, -1)");
});

test("the grid's corner goes through the rectangles that are legal, as a view or as a copy", async () => {
  await open({ code: "x = torch.arange(12).view(3, 4)" });
  const corner = here.page.locator("#corner");
  const still = await picture();
  const [x, y] = await middle(corner);
  await pull(corner, [x + 90, y], false); // half as wide again
  assert.match(await corner.getAttribute("aria-valuetext"), /^\(2, 6\), a view$/);
  assert.notEqual(await picture(), still);
  await here.page.keyboard.press("Escape");
  await here.page.mouse.up();
  await settled();
  assert.equal(await picture(), still);
  await pull(corner, [x, y + 140]);
  assert.deepEqual(await lines(), ["y = x.view(6, 2)"]);
  await undo();

  await open({ code: "x = torch.arange(12).view(3, 4).t()" });
  await corner.focus();
  await here.page.keyboard.press("ArrowRight");
  await settled();
  assert.equal(await corner.getAttribute("aria-valuetext"), "(3, 4), copied");
  await here.page.keyboard.press("Enter");
  await settled();
  assert.deepEqual(await lines(), ["y = x.reshape(3, 4)"]);
});

test("a shape that was dragged is drawn with the figures that it has when it is chosen", async () => {
  const lines = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)";
  await open({ code: lines + "\nz = y.reshape(4, 3)", step: 2 });
  const items = () => here.page.locator("#stage").getAttribute("data-items");
  const chosen = await items();
  await open({ code: lines, step: 1 });
  const corner = here.page.locator("#corner");
  await corner.focus();
  for (let k = 0; k < 12 && !/^\(4, 3\)/.test(await corner.getAttribute("aria-valuetext")); ++k) {
    await here.page.keyboard.press("ArrowDown");
    await settled();
  }
  await here.page.keyboard.press("Enter");
  await settled();
  assert.equal(await items(), chosen);
});

test("a poked cell is written, every name that sees it is told, and what the library refuses shows its message", async () => {
  await open({ code: "x = torch.arange(6).view(2, 3)\ny = x.t()", step: 1 });
  const { x, y } = await here.page.locator("#canvas").boundingBox();
  const box = await here.page.locator("#corner").boundingBox();
  assert.ok(box.x > x && box.y > y);
  await here.page.mouse.dblclick(box.x - 4, box.y - 6); // the last cell
  await here.page.locator("#poke input").waitFor();
  assert.equal(await here.page.locator("#poke").textContent(), "y[2, 1] =");
  await accessible("a cell that is asked for");
  await here.page.keyboard.type("-7");
  await here.page.keyboard.press("Enter");
  await here.page.locator(".flash").first().waitFor({ state: "attached" });
  assert.equal(await last(), "y[2, 1] = -7");
  await said("Changed too: x, y");
  await undo();

  await here.page.emulateMedia({ reducedMotion: "reduce" });
  await here.page.locator('#table [tabindex="0"]').focus();
  await here.page.keyboard.press("ArrowRight");
  await settled();
  await here.page.keyboard.press("Enter");
  await here.page.keyboard.type("5");
  await here.page.keyboard.press("Enter");
  await settled();
  assert.equal(await last(), "y[0, 1] = 5");
  assert.equal(
    await here.page
      .locator(".flash")
      .first()
      .evaluate((mark) => getComputedStyle(mark).outlineStyle),
    "solid",
    "outlined where motion is not wanted",
  );

  await undo();

  const onCell = () => here.page.locator("#stage").evaluate((stage) => stage.dataset.hover === "cell:0:0");
  let low = y + 560; // the first cell of the storage is found from below
  do {
    await here.page.mouse.move(x + 60, (low -= 16));
    await settled();
  } while (low > y && !(await onCell()));
  await here.page.mouse.dblclick(x + 60, low);
  await here.page.locator("#poke input").waitFor();
  assert.equal(await here.page.locator("#poke").textContent(), "y[0, 0] =");
  await here.page.keyboard.press("Escape");

  await open({ code: "a = np.arange(3)\nb = np.broadcast_to(a, (2, 3))", step: 1 });
  await here.page.locator('#table [tabindex="0"]').focus();
  await here.page.keyboard.press("Enter");
  await here.page.keyboard.type("5");
  await here.page.keyboard.press("Enter");
  await settled();
  assert.match(await here.page.locator("#why").textContent(), /ValueError: assignment destination is read-only/);
});

test("a box is cut out of the grid with Shift, by pointer and by arrow keys, and is one line", async () => {
  await open({ code: "x = torch.arange(40).view(5, 8)" });
  const { mouse, keyboard } = here.page;
  const shown = () => here.page.locator("#box .badge").textContent();
  const corner = await here.page.locator("#corner").boundingBox();
  const [from, to] = [100, 4].map((far) => ({ x: corner.x - far, y: corner.y - far })); // to: the last cell
  await mouse.move(from.x, from.y);
  await settled();
  const first = Number((await here.page.locator("#stage").getAttribute("data-hover")).split(":")[2]);
  const [row, column] = [Math.floor(first / 8), first % 8];
  assert.ok(row > 0 && row < 4 && column > 0 && column < 7, "a cell in the middle");
  const line = `y = x[${row}:, ${column}:]`;
  await keyboard.down("Shift");
  await mouse.move(to.x, to.y);
  await mouse.down();
  await mouse.move(from.x, from.y, { steps: 5 }); // from any corner to the one across
  assert.equal(await shown(), line);
  await accessible("a box that is being cut out");
  assert.equal(await last(), undefined, "nothing is written while it is held");
  await keyboard.press("Escape");
  await mouse.up();
  await settled();
  assert.equal(await here.page.locator("#box span").count(), 0);
  assert.equal(await last(), undefined, "Escape lets it go");
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 5 });
  await mouse.up();
  await keyboard.up("Shift");
  await settled();
  assert.equal(await last(), line);
  assert.ok((await picture()).includes(`(${5 - row}, ${8 - column}):(8, 1)+${first}`));
  await undo();
  assert.equal(await last(), undefined, "one step");

  await here.page.locator('#table [tabindex="0"]').focus();
  for (const key of ["Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"]) {
    await keyboard.press(key);
    await settled();
  }
  assert.match(await shown(), /^y = x\[\d*:\d*, :3\]$/);
  await keyboard.press("ArrowLeft");
  await settled();
  assert.equal(await here.page.locator("#box span").count(), 0, "an arrow without Shift lets it go");
  await keyboard.press("Shift+ArrowRight");
  await settled();
  await keyboard.press("Enter");
  await settled();
  assert.match(await last(), /^y = x\[\d:\d, 1:3\]$/);
});

test("all shapes are listed, by rank, and a press writes one", async () => {
  await open({ code: "x = torch.arange(12).view(2, 2, 3).permute(0, 2, 1)" });
  await here.page.locator("#open-shapes").click();
  const names = (kind) => here.page.locator(`.${kind} .shape`).allTextContents();
  assert.deepEqual(await names("views"), ["(2, 3, 2)"]);
  assert.equal((await names("copies")).length, 17);
  await here.page.locator("#shapes select").selectOption("1");
  assert.deepEqual([await names("views"), await names("copies")], [[], ["(12,)"]]);
  await accessible("the shapes");
  await here.page.locator(".copies .shape").press("Enter");
  await settled();
  assert.equal(await last(), "y = x.reshape(12)");
});

test("everything done by hand fits a narrow window, in both languages and themes", async () => {
  await here.page.setViewportSize({ width: 360, height: 740 });
  for (const [lang, theme] of [["en", "dark"], ["zh", "light"]]) {
    await open({ code: base, lang, theme });
    await fits("the chips");
    await chip(1).click();
    await here.page.locator("#chip-menu").waitFor();
    const { x, width } = await here.page.locator("#chip-menu").boundingBox();
    assert.ok(x >= 0 && x + width <= 360, "the menu");
    await accessible(`the menu, ${lang}`);
    await here.page.keyboard.press("Escape");
    for (const panel of ["raw", "shapes"]) {
      await here.page.locator(`#open-${panel}`).click();
      await fits(panel);
      await accessible(`${panel}, ${lang}`);
    }
  }
});

test("a line that is half typed leaves the last picture, and says beside itself what is wrong", async () => {
  await open({ code: base + "\ny = x.t", step: 0 });
  const still = await picture();
  await here.page.locator(".cm-line").last().click();
  await here.page.keyboard.press("End");
  await here.page.keyboard.press("Backspace");
  await here.page.keyboard.insertText("resh");
  await settled();
  assert.equal(await here.page.locator("#stage.stale").count(), 1);
  assert.equal(await here.page.locator("#unfinished").isVisible(), true);
  assert.match((await here.steps()).at(-1)[0], /AttributeError: .*resh/);
  await accessible("a half-typed line");
  await here.page.keyboard.insertText("ape(-1)");
  await settled();
  assert.equal(await here.page.locator("#stage.stale").count(), 0);
  assert.notEqual(await picture(), still);
});
