// The page as a person uses it, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";
import { link } from "./serve.mjs";

const here = inBrowser();
const { open, settled, steps, chooseStep, picture, pointAt, head, write } = here;
const huge = "y = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)";

test("a first visit shows a picture and the steps of an example at once", async () => {
  await open();
  assert.deepEqual((await steps()).map(([, mark]) => mark), ["new", "view", "error", "copy"]);
  const colors = await here.page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colors > 20, `the picture has ${colors} colours`);
});

test("the picture stands on the colour of the page, light and dark", async () => {
  for (const theme of ["light", "dark"]) {
    await open({ code: story, theme });
    const [ground, corner] = await here.page.evaluate(() => {
      const { data } = document.getElementById("canvas").getContext("2d").getImageData(1, 1, 1, 1);
      return [
        getComputedStyle(document.body).getPropertyValue("background-color") &&
          getComputedStyle(document.documentElement).backgroundColor,
        `rgb(${data[0]}, ${data[1]}, ${data[2]})`,
      ];
    });
    assert.equal(corner, ground, theme);
  }
});

test("typing a program shows its steps, in notation, with what each is to its input", async () => {
  await open();
  await write(
    "a = torch.arange(12).reshape(3, 4)\nb = a.t()[:, 1:]\nc = b.contiguous()\nd = c.contiguous()\nb[0, 0] = 7\na.shape",
  );
  assert.deepEqual(await steps(), [
    ["a (3, 4):(4, 1)+0", "new"],
    ["b (4, 2):(1, 4)+4", "view"],
    ["c (4, 2):(2, 1)+0", "copy"],
    ["d (4, 2):(2, 1)+0", "same"],
    ["a, b changed", "write"],
    ["torch.Size([3, 4])", ""],
  ]);
});

test("a half-typed line leaves the other steps drawn and is underlined where it stops making sense", async () => {
  await open();
  await write("x = torch.arange(6).view(2, 3)\ny = x.permute(1,\nz = x.t()");
  const marks = (await steps()).map(([, mark]) => mark);
  assert.equal(marks[0], "new");
  assert.ok(await here.page.locator(".cm-lintRange-error, .cm-lintPoint-error").count());
});

test("a failing view shows the library's message and offers reshape as one click", async () => {
  await open({ code: story, step: 2 });
  const why = here.page.locator("#explanation");
  assert.match(
    await why.textContent(),
    /RuntimeError: view size is not compatible with input tensor's size and stride/,
  );
  await why.locator(".fix", { hasText: "reshape" }).first().click();
  await settled();
  assert.equal((await steps())[2][1], "copy");
  assert.match(await here.page.locator(".cm-content").textContent(), /z = y\.reshape\(-1\)/);
  await here.page.locator(".cm-content").click();
  await here.page.keyboard.press("Control+Z");
  await settled();
  assert.equal((await steps())[2][1], "error", "the fix can be undone");
});

test("hovering a cell of the grid lights up the cell of the strip, and the other way round", async () => {
  await open({ code: story, step: 1 });
  const before = await picture();
  const cell = await pointAt(/^element:/);
  await settled();
  const lit = await picture();
  assert.notEqual(lit, before);
  const strip = await pointAt(/^cell:/);
  await settled();
  assert.notEqual(await picture(), before);
  await here.page.mouse.move(5, 5);
  await settled();
  assert.equal(await picture(), before, "nothing stays lit");
  assert.ok(cell && strip);
});

test("pressing a cell of the grid moves the read head there", async () => {
  await open({ code: story, step: 1, head: 11 });
  const { x, y, hover } = await pointAt(/^element:/);
  await here.page.mouse.click(x, y);
  await settled();
  assert.equal(await head(), `read ${Number(hover.split(":")[2]) + 1} of 12`);
});

test("scrubbing moves the read head and the picture", async () => {
  await open({ code: story, step: 1 });
  const before = await picture();
  await here.page.locator("#scrub").fill("7");
  await settled();
  assert.equal(await head(), "read 8 of 12");
  assert.notEqual(await picture(), before);
});

test("play moves the head by itself, glides between reads, and pause stops it", async () => {
  await open({ code: "y = torch.arange(10**3).view(10, 10, 10).permute(2, 0, 1)" }); // too long to end meanwhile
  await here.page.locator("#speed").selectOption("8");
  await here.page.locator("#play").click();
  await here.page.waitForFunction(() =>
    /^read ([3-9]|\d\d)/.test(document.getElementById("scrub").getAttribute("aria-valuetext")),
  );
  assert.equal(await here.page.locator("#play").getAttribute("aria-label"), "Pause");
  await here.page.locator("#play").click();
  await settled();
  const still = await picture();
  await here.page.waitForTimeout(300);
  assert.equal(await picture(), still);
});

test("where motion is not wanted the head jumps from read to read", async () => {
  await here.page.emulateMedia({ reducedMotion: "reduce" });
  await open({ code: story, step: 1 });
  await here.page.evaluate(() => {
    window.phases = new Set();
    const stage = document.getElementById("stage");
    new MutationObserver(() => window.phases.add(stage.dataset.phase)).observe(stage, { attributes: true });
  });
  await here.page.locator("#play").click();
  await here.page.waitForFunction(() =>
    /^read [3-9]/.test(document.getElementById("scrub").getAttribute("aria-valuetext")),
  );
  await here.page.locator("#play").click();
  assert.deepEqual(await here.page.evaluate(() => [...window.phases]), [""]);
});

test("the keyboard alone steps, reads, plays and walks the elements", async () => {
  await open({ code: story, step: 1 });
  await here.page.locator("body").press("ArrowRight");
  await settled();
  assert.equal(await head(), "read 2 of 12");
  await here.page.locator("body").press("End");
  await settled();
  assert.equal(await head(), "read 12 of 12");
  await here.page.locator("body").press("Home");
  await settled();
  assert.equal(await head(), "read 1 of 12");
  await here.page.locator("body").press("ArrowDown");
  await settled();
  await here.page.waitForFunction(() => /step=2/.test(location.hash));
  await here.page.locator("body").press("ArrowUp");
  await settled();
  await here.page.locator("body").press("Space");
  await settled();
  assert.equal(await here.page.locator("#play").getAttribute("aria-label"), "Pause");
  await here.page.locator("body").press("Space");

  const focused = () => here.page.evaluate(() => document.activeElement.textContent);
  await here.page.locator("#scrub").fill("0");
  await settled();
  await here.page.locator('[role=gridcell][tabindex="0"]').focus();
  assert.equal(await focused(), "y[0, 0, 0] is 0, storage 0");
  await here.page.keyboard.press("ArrowRight");
  await settled();
  assert.equal(await focused(), "y[0, 0, 1] is 2, storage 2");
  await here.page.keyboard.press("ArrowDown");
  await settled();
  assert.equal(await focused(), "y[0, 1, 1] is 3, storage 3");
  await here.page.keyboard.press("PageDown");
  await settled();
  assert.equal(await focused(), "y[1, 1, 1] is 9, storage 9");
  await here.page.keyboard.press("Home");
  await settled();
  assert.equal(await focused(), "y[1, 1, 0] is 7, storage 7");
  assert.equal(await head(), "read 10 of 12", "the head follows the focus");
  await here.page.waitForFunction(() => document.getElementById("live").textContent === "y[1, 1, 0] is 7, storage 7");
});

test("the whole page is reached by the Tab key", async () => {
  await open({ code: story, step: 1 });
  const written = () => here.page.locator("#editor .cm-line").allTextContents();
  const before = await written(), reached = new Set();
  await here.page.locator("#open-examples").focus();
  for (let i = 0; i < 40; ++i) {
    reached.add(
      await here.page.evaluate(() => document.activeElement.id || document.activeElement.closest("[id]")?.id),
    );
    await here.page.keyboard.press("Tab"); // in the editor, too, which it came to by Tab
  }
  assert.deepEqual(await written(), before);
  for (const place of [
    "open-examples",
    "open-share",
    "undo",
    "redo",
    "language",
    "theme",
    "editor",
    "explanation",
    "view-choices",
    "table",
    "back",
    "play",
    "forward",
    "loop",
    "scrub",
    "speed",
  ])
    assert.ok(reached.has(place), `${place} is not reached; reached: ${[...reached].join(" ")}`);
});

test("reloading the address gives the same state and the same picture", async () => {
  await open({ code: story, step: 1, head: 5 });
  await chooseStep(3);
  await here.page.locator("#scrub").fill("9");
  await here.page.locator("#theme").selectOption("dark");
  await here.page.waitForFunction(
    () => /step=3/.test(location.hash) && /head=9/.test(location.hash) && /theme=dark/.test(location.hash),
  );
  await here.page.locator("h1").hover();
  await settled();
  const [before, address] = [await picture(), here.page.url()];
  assert.match(address, /#v=1&/);
  await here.elsewhere();
  await here.page.goto(address);
  await here.page.locator(".cm-content").waitFor();
  await settled();
  assert.equal(await picture(), before);
  assert.equal(await here.page.locator("#editor .outcome.current").getAttribute("data-step"), "3");
});

test("what was typed is there again after leaving without the link", async () => {
  await open();
  await write("mine = torch.zeros(3)");
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url);
  await here.page.locator(".cm-content").waitFor();
  assert.match(await here.page.locator(".cm-content").textContent(), /mine = torch\.zeros\(3\)/);
});

test("a link opened later does not cost what was typed before", async () => {
  await open();
  await write("mine = torch.zeros(3)");
  await open({ code: story });
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url);
  await here.page.locator(".cm-content").waitFor();
  assert.match(await here.page.locator(".cm-content").textContent(), /mine/);
});

test("the page works where storage is refused", async () => {
  await here.page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("no", "SecurityError");
      },
    }),
  );
  await open();
  await write("x = torch.arange(4)");
  assert.equal((await steps())[0][1], "new");
});

test("a hostile link shows a message, and nothing of it becomes markup or runs", async () => {
  const links = {
    "a program beyond the limit": "#v=1&code=" + encodeURIComponent("x = torch.zeros(2)\n".repeat(3000)),
    "a later version": "#v=99&code=x",
    "broken encoding": "#v=1&code=%E0%A4%A",
    "values out of range": "#v=1&step=999999999999999999999&head=-1&theme=%3Cscript%3E",
  };
  for (const [what, hash] of Object.entries(links)) {
    await here.page.goto("about:blank");
    await here.page.goto(here.site.url + hash);
    await here.page.locator(".cm-content").waitFor();
    await settled();
    assert.ok(
      (await here.page.locator("#notice:visible, #explanation .problem").textContent()).length > 10,
      `a message for ${what}`,
    );
  }
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url + "#".padEnd(200_000, "A&="));
  await here.page.locator(".cm-content").waitFor();
  assert.ok((await steps()).length > 0, "nonsense is no program: the example is shown");

  const markup = `x = torch.arange(4) # <img src=x onerror=alert(1)>\n"<script>alert(1)</script>"\ny = x.view(2, 2, "</text><script>alert(1)</script>")`;
  here.page.on("dialog", () => here.complaints.push("a script of the link ran"));
  await open({ code: markup });
  assert.equal(
    await here.page.evaluate(() => document.querySelectorAll("main img, main script, main iframe").length),
    0,
  );
});

test("a first visit has its picture and its program before the engine has come, and then the engine's own", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await here.page.route("**/*.wasm", (route) => held.then(() => route.continue()));
  await here.page.goto(here.site.url);
  const image = here.page.locator("#first-picture");
  await image.waitFor();
  assert.ok(
    await image.evaluate((picture) => picture.complete && picture.naturalWidth > 300 && picture.alt.length > 10),
  );
  assert.match(await here.page.locator("#plain-editor").inputValue(), /permute/);
  assert.equal(await here.page.locator("#plain-editor").evaluate((editor) => getComputedStyle(editor).opacity), "1");
  release();
  await here.page.locator("#stage[data-items]").waitFor();
  assert.equal(await image.count(), 0);
  assert.ok(await here.page.locator("#canvas").isVisible());
});

test("a link waits for its own picture: an example's is never seen in its place", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await here.page.route("**/*.wasm", (route) => held.then(() => route.continue()));
  await here.page.goto(here.site.url + link({ code: story }));
  await here.page.waitForFunction(() => document.getElementById("plain-editor").value !== "");
  await settled();
  assert.equal(await here.page.locator("#first-picture").count(), 0);
  release();
  await here.page.locator("#stage[data-items]").waitFor();
});

test("without its engine the page shows a message and the program, never a blank", async () => {
  await here.page.route("**/*.wasm", (route) => route.abort());
  await here.page.goto(here.site.url + link({ code: story }));
  await here.page.locator("#failed").waitFor();
  assert.match(await here.page.locator("#failed").textContent(), /could not start/);
  assert.equal(await here.page.locator("#plain-editor").inputValue(), story);
  here.complaints = [];
});

test("10**12 elements scrub with no more to draw than a thousand", async () => {
  const items = async () => Number(await here.page.locator("#stage").getAttribute("data-items"));
  await open({ code: "y = torch.arange(10**3).view(10, 10, 10).permute(2, 0, 1)" });
  const small = await items();
  await open({ code: huge });
  assert.equal(await head(), "read 1 of 1\u2009000\u2009000\u2009000\u2009000");
  for (let mark = 0; mark <= 100_000; mark += 2_500) {
    await here.page.locator("#scrub").fill(String(mark));
    await settled();
    const now = await items();
    assert.ok(now > 50 && now < 2 * small + 500, `${now} items at mark ${mark}, ${small} for a thousand elements`);
  }
  assert.equal(await head(), "read 1\u2009000\u2009000\u2009000\u2009000 of 1\u2009000\u2009000\u2009000\u2009000");
  await here.page.locator("#scrub").press("ArrowLeft");
  await settled();
  assert.match(await head(), /^read 999\u2009999\u2009999\u2009999 of/);
  await here.page.locator('[role=gridcell][tabindex="0"]').focus();
  await here.page.keyboard.press("ArrowUp");
  await settled();
  assert.match(await here.page.evaluate(() => document.activeElement.textContent), /^y\[9999, 9998, 9998\] is/);
  assert.ok((await here.page.locator("[role=gridcell]").count()) <= 128);
});

test("the language changes every word of the page, and stays", async () => {
  await open({ code: story, step: 1 });
  await here.page.locator("#language").selectOption("zh");
  await settled();
  assert.equal(await here.page.evaluate(() => document.documentElement.lang), "zh-Hans");
  assert.deepEqual((await steps()).map(([, mark]) => mark), ["新建", "视图", "错误", "副本"]);
  assert.match(await here.page.locator("#explanation").textContent(), /[\u4e00-\u9fff]/);
  const english = await here.page
    .locator("button, h2, #scrub")
    .evaluateAll((elements) =>
      elements
        .map((e) => e.getAttribute("aria-label") ?? "")
        .filter((label) => /[A-Za-z]{4,}/.test(label) && !/[\u4e00-\u9fff]/.test(label)),
    );
  assert.deepEqual(english, []);
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url);
  await here.page.locator(".cm-content").waitFor();
  assert.equal(await here.page.evaluate(() => document.documentElement.lang), "zh-Hans");
});

test("the page asks no other host for anything", async () => {
  const hosts = new Set();
  here.page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await open({ code: story });
  assert.deepEqual([...hosts].filter(Boolean), [new URL(here.site.url).host]);
});
