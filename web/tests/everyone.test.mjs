// For everyone: the keyboard, zoom, narrow and tall windows, forced colours, and engine trouble.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";
import { link } from "./serve.mjs";

const here = inBrowser();
const { open, settled, steps, program, write } = here;

test("whatever has the focus is outlined", async () => {
  await open({ code: story, step: 2 });
  await here.page.locator("#open-examples").focus();
  const bare = [];
  for (let i = 0; i < 40; ++i) {
    const [name, shown] = await here.page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || element.id === "editor") return ["", true];
      const ring = (of) =>
        of && getComputedStyle(of).outlineStyle !== "none" && parseFloat(getComputedStyle(of).outlineWidth) >= 1;
      return [element.outerHTML.slice(0, 80), Boolean(ring(element) || ring(element.closest("#stage")))];
    });
    if (!shown) bare.push(name);
    await here.page.keyboard.press("Escape");
    await here.page.keyboard.press("Tab");
  }
  assert.deepEqual(bare, []);
});

/** What of the page's parts overlaps or sticks out. Runs in the browser. */
function clashes() {
  const found = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} px wider than the window`);
  const parts = [
    ...document.querySelectorAll(
      "header h1, header button, header select, header a, #view-choices label, .chip, .panels button, #transport button, #transport input, #transport select, #position, .quantity, #why, #code",
    ),
  ]
    .filter((part) => part.checkVisibility() && !part.closest("[popover]"))
    .map((part) => [part, part.getBoundingClientRect()]);
  const called = (part) => part.id || part.className || part.textContent;
  for (const [i, [a, x]] of parts.entries())
    for (const [b, y] of parts.slice(i + 1)) {
      const cross =
        Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 &&
        Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1;
      if (cross && !a.contains(b) && !b.contains(a)) found.push(`${called(a)} and ${called(b)} overlap`);
    }
  const [canvas, stage] = ["canvas", "stage"].map((id) => document.getElementById(id).getBoundingClientRect());
  if (canvas.right > stage.right + 1) found.push("the picture is wider than its stage");
  return found;
}

// 1280 px at 200 % and 400 % zoom are 640 and 320 CSS pixels.
const windows = [[360, 740], [320, 512], [640, 400], [768, 1024], [959, 700], [960, 620], [1280, 800], [1920, 1080]];
for (const lang of ["en", "zh"])
  for (const step of [1, 2])
    test(`nothing is cut off or overlaps in any window, step ${step}, ${lang}`, async () => {
      await open({ code: story, step, lang });
      for (const [width, height] of windows) {
        await here.page.setViewportSize({ width, height });
        await settled();
        assert.deepEqual(await here.page.evaluate(clashes), [], `${width} x ${height}`);
      }
    });

test("on a phone what plays the picture stays in sight with it, and covers nothing else", async () => {
  await here.page.setViewportSize({ width: 390, height: 700 });
  await open({ code: story, step: 2 });
  const [top, bottom] = await here.page.evaluate(() => {
    const { top, bottom } = document.getElementById("stage").getBoundingClientRect();
    return [top + scrollY, bottom + scrollY];
  });
  assert.ok(bottom - top > 700, "the picture is taller than the window");
  const play = async (from) => {
    await here.page.evaluate((y) => scrollTo(0, y), from);
    await settled();
    const { top, bottom } = await here.page.evaluate(() => document.getElementById("controls").getBoundingClientRect());
    return [Math.round(top), Math.round(bottom)];
  };
  for (const from of [top - 100, (top + bottom - 700) / 2, bottom - 690])
    assert.equal((await play(from))[1], 700, `scrolled to ${from}`);
  assert.equal((await play(bottom - 300))[0], 300, "below the picture it stands where it belongs");
});

test("on a phone a question stands at its line, also when it is asked for below the picture", async () => {
  await here.page.setViewportSize({ width: 390, height: 700 });
  await open({ code: story, step: 2 });
  await here.page.locator("#ask").check();
  await settled();
  const [code, form, stage] = await here.page.evaluate(() =>
    ["code", "question", "stage"].map((id) => document.getElementById(id).getBoundingClientRect()),
  );
  assert.ok(form.top - code.bottom < 80 && form.bottom < stage.top, "between the program and the picture");
  assert.ok(await here.page.locator("#ask").evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), "what was pressed is still in sight");
});

test("in the narrowest window there is room to look for an example", async () => {
  await here.page.setViewportSize({ width: 320, height: 640 });
  await open({ code: story });
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example").first().waitFor();
  assert.ok((await here.page.locator("#find-example").boundingBox()).width > 200);
});

test("no column of the odometer stands without the names of its rows", async () => {
  await here.page.setViewportSize({ width: 1024, height: 768 });
  for (const code of ["x = torch.arange(200000).view(50, 80, 50).permute(2, 0, 1)", story]) {
    await open({ code });
    const [names, ...columns] = await here.page.evaluate(() =>
      [...document.querySelectorAll("#odometer [role=rowgroup]:last-child > .quantity")].map(
        (column) => column.getBoundingClientRect().top,
      ),
    );
    assert.deepEqual(columns, [names, names, names, names]);
  }
});

for (const page of ["figures", "figures.zh"])
  test(`docs/${page}.html scrolls in one direction on a phone, and what scrolls within it takes the focus`, async () => {
    await here.page.setViewportSize({ width: 390, height: 800 });
    await here.page.goto(`${here.site.url}docs/${page}.html`);
    const [wide, bare] = await here.page.evaluate(() => [
      document.documentElement.scrollWidth,
      [...document.querySelectorAll("pre")].filter(
        (pre) => pre.tabIndex < 0 || !document.getElementById(pre.getAttribute("aria-labelledby")),
      ).length,
    ]);
    assert.deepEqual([wide, bare], [390, 0]);
  });

test("forced colours leave a sign of what is chosen, lit or wrong", async () => {
  await here.page.emulateMedia({ forcedColors: "active" });
  await open({ code: story, step: 2 });
  await here.page.locator("#editor .outcome").nth(3).waitFor();
  assert.deepEqual((await steps()).map(([, mark]) => mark), ["new", "view", "error", "copy"], "marks are words");
  await here.page.locator("#loop").click();
  assert.notEqual(await here.page.locator("#loop").evaluate((button) => getComputedStyle(button).outlineStyle), "none");
});

test("the chosen step is read out with its outcome and its headline", async () => {
  await open({ code: story, step: 0 });
  await here.page.locator("body").press("ArrowDown");
  await here.page.waitForFunction(() =>
    /y = x\.permute\(0, 2, 1\): \(2, 2, 3\):\(6, 1, 2\)\+0 view\. /.test(document.getElementById("live").textContent),
  );
});

test("where WebAssembly is refused the page shows why, a picture and the program", async () => {
  await here.page.addInitScript(() => {
    const refuse = () => Promise.reject(new WebAssembly.CompileError("refused by a policy"));
    WebAssembly.instantiate = WebAssembly.instantiateStreaming = refuse;
  });
  await here.page.goto(here.site.url + link({ code: story }));
  await here.page.locator("#failed").waitFor();
  assert.match(await here.page.locator("#failed").textContent(), /could not start.*refused by a policy/s);
  assert.equal(await here.page.locator("#plain-editor").inputValue(), story);
  assert.equal(await here.page.locator("#plain-editor").isVisible(), true);
  await here.page.waitForFunction(() => document.querySelector("#failed img").naturalWidth > 0);
  here.complaints = [];
});

test("an engine that runs out of memory is replaced, and the program is unharmed", async () => {
  // The module's exports are wrapped, so that the first stops for good as it would for want of memory. The second is on
  // its way until it may come.
  await here.page.addInitScript(() => {
    window.stop = false;
    const dead = new Set();
    const coming = new Promise((come) => (window.come = come));
    const wrap = async (result) => {
      if (window.stop) await coming;
      const exports = {};
      for (const [name, value] of Object.entries(result.instance.exports))
        exports[name] = typeof value !== "function" ? value : Object.assign((...args) => {
          if (window.stop && dead.size === 0) dead.add(exports);
          if (dead.has(exports)) throw new WebAssembly.RuntimeError("out of memory");
          return value(...args);
        }, {});
      return { module: result.module, instance: { exports } };
    };
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = (...args) => original.apply(WebAssembly, args).then(wrap);
    }
  });
  await open({ code: story });
  await here.page.evaluate(() => (window.stop = true));
  await here.page.locator(".cm-content").focus(); // its middle can be the result of a line, where a click chooses the step
  await here.page.keyboard.press("Control+End");
  await here.page.keyboard.type("1");
  await here.page.locator("#notice:visible").waitFor();
  assert.match(await here.page.locator("#notice").textContent(), /engine stopped/);
  assert.equal(await program(), story + "1");
  // What is written and pointed at meanwhile is not what stopped it.
  await write("x = torch.arange(5)");
  await here.page.locator("#canvas").hover();
  await here.page.evaluate(() => window.come());
  await here.page.waitForFunction(
    () => document.getElementById("editor").shadowRoot.querySelector(".outcome .what")?.textContent.startsWith("x"),
  ); // until then beside it stands what was known of the line that was there
  assert.deepEqual(await steps(), [["x (5,):(1,)+0", "new"]]);
});

test("on a phone what the picture is drawn like has one row, and the picture begins in the first window", async () => {
  await here.page.setViewportSize({ width: 360, height: 760 });
  await open();
  const box = (selector) => here.page.locator(selector).boundingBox();
  assert.ok((await box("#view-choices")).height < 40);
  assert.ok((await box("#stage")).y < 560);
  await here.page.locator("#view-choices .zoom button").last().click();
  await here.settled();
  assert.equal(await here.page.locator("#view-choices .fit").textContent(), "1.4×");
});
