// The element <stride-scope> in somebody else's page: what its attributes, methods, events and keys do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { child, code, escaped, inCourse, seen, strict } from "./course.mjs";
import { root } from "./serve.mjs";

const { here, course, loaded, settled, figure } = inCourse();
/** Everything that a figure says of itself from now on. */
const listen = () =>
  here.page.evaluate(() => {
    window.told = [];
    for (const name of ["load", "step", "error"])
      addEventListener(`stridescope-${name}`, ({ detail }) => window.told.push([name, detail]));
  });
const told = (name) =>
  here.page.evaluate((wanted) => window.told.filter(([kind]) => kind === wanted).map(([, detail]) => detail), name);

test("a program between the tags is drawn, and what was written there makes room", async () => {
  await course(`<stride-scope step="1" controls>${child}</stride-scope>`, { policy: strict });
  await loaded();
  assert.equal(await here.page.evaluate(seen), "live");
  assert.deepEqual(await figure().locator("#listing .outcome .mark").allTextContents(), ["new", "view", "error"]);
  assert.match(
    await figure().locator("#description").textContent(),
    /^The same cells with the dimensions in the order \(1, 0\)/,
  );
});

test("events tell what is shown and where the head is; methods move it", async () => {
  await course("<p></p>");
  await listen();
  await here.page.evaluate((text) => {
    const element = document.createElement("stride-scope");
    element.setAttribute("code", text);
    document.querySelector("main").append(element);
  }, code);
  await loaded();
  await settled();
  const [load] = await told("load");
  assert.match(load.state, /^v=1&code=x%20%3D/);
  assert.deepEqual(await told("step"), [{ step: 2, index: [0, 0], offset: 0 }]);
  await here.page.evaluate(() => document.querySelector("stride-scope").setAttribute("step", "1"));
  await settled();
  await here.page.evaluate(() => document.querySelector("stride-scope").seek(5));
  await settled();
  assert.deepEqual((await told("step")).slice(1), [
    { step: 1, index: [0, 0], offset: 0 },
    { step: 1, index: [1, 2], offset: 9 },
  ]);
  await here.page.evaluate(() => document.querySelector("stride-scope").play());
  await here.page.waitForFunction(() => window.told.at(-1)[1].offset === 2);
  await here.page.evaluate(() => document.querySelector("stride-scope").pause());
  await settled();
  const state = await here.page.evaluate(() => document.querySelector("stride-scope").getState());
  assert.match(state, /&step=1&head=6$/);
  await here.page.evaluate(
    (text) => document.querySelector("stride-scope").setState(text),
    "v=1&code=a%20%3D%20np.eye(3)",
  );
  await here.page.waitForFunction(() => /np\.eye/.test(document.querySelector("stride-scope").getState()));
  await here.page.evaluate((text) => document.querySelector("stride-scope").setState("#" + text), state);
  await here.page.waitForFunction((text) => document.querySelector("stride-scope").getState() === text, state);
  assert.deepEqual(await told("error"), []);
});

test("a figure gives itself as SVG and as PNG", async () => {
  await course(`<stride-scope step="1" theme="dark">${child}</stride-scope>`);
  const [svg, type, png] = await here.page.evaluate(async () => {
    const element = document.querySelector("stride-scope");
    const blob = await element.toBlob();
    return [
      await element.toSVG(),
      (await element.toBlob({ type: "image/svg+xml" })).type,
      [...new Uint8Array(await blob.arrayBuffer()).slice(0, 4)],
    ];
  });
  assert.match(svg, /^<svg [^>]*data-stridescope="v=1&amp;code=x/);
  assert.doesNotMatch(svg, /style=|<style|<script/);
  assert.match(svg, /#14171b/i, "the theme is the attribute's");
  assert.equal(type, "image/svg+xml");
  assert.deepEqual(png, [0x89, 0x50, 0x4e, 0x47]);
});

test("the attributes choose code, words, controls, figures, theme and language, also later", async () => {
  await course(`<stride-scope step="1">${child}</stride-scope>`);
  await loaded();
  const visible = (id) => figure().locator(`#${id}`).isVisible();
  assert.deepEqual([await visible("listing"), await visible("controls"), await visible("why")], [true, false, false]);
  const tall = (await figure().boundingBox()).height;
  await figure().evaluate((element) => {
    element.setAttribute("view", "grid why");
    element.setAttribute("controls", "");
    element.setAttribute("lang", "zh");
    element.setAttribute("theme", "dark");
    element.setAttribute("speed", "3");
    element.setAttribute("loop", "");
  });
  await settled();
  assert.deepEqual([await visible("listing"), await visible("controls"), await visible("why")], [false, true, true]);
  assert.equal(await figure().locator("#play").getAttribute("aria-label"), "播放");
  assert.equal(await figure().locator("#speed").inputValue(), "2");
  assert.equal(await figure().locator("#loop").getAttribute("aria-pressed"), "true");
  assert.ok((await figure().boundingBox()).height < tall);
  const ground = () => figure().locator("[part=background]").evaluate((rect) => getComputedStyle(rect).fill);
  assert.equal(await ground(), "rgb(20, 23, 27)");
  await figure().evaluate((element) => element.setAttribute("theme", "auto"));
  await settled();
  assert.equal(await ground(), "rgb(255, 255, 255)");
  await here.page.evaluate(() => (document.documentElement.style.colorScheme = "dark"));
  await here.page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector("stride-scope").shadowRoot.querySelector("[part=background]")).fill ===
      "rgb(20, 23, 27)",
  );
});

test("a figure that asks gives nothing away, and shows the answer once it no longer asks", async () => {
  await course(`<stride-scope step="1" view="code,why,strip,grid" ask>${child}</stride-scope>`);
  await loaded();
  const results = () => figure().locator("#listing .outcome .what").allTextContents();
  assert.deepEqual((await results()).slice(1), ["?", "?"]);
  assert.equal(await figure().locator("#why").textContent(), "");
  assert.match(await figure().locator("#description").textContent(), /^What will come of it/);
  assert.match(await here.page.evaluate(() => document.querySelector("stride-scope").getState()), /&ask=yes/);
  await here.page.evaluate(() => document.querySelector("stride-scope").removeAttribute("ask"));
  await settled();
  assert.ok(!(await results()).includes("?"));
  assert.match(await figure().locator("#why").textContent(), /same cells/);
});

test("a call that fails leads to the line that raises", async () => {
  const code = "def flat(t):\n    return t.view(-1)\nx = torch.ones(2, 3).t()\ny = flat(x)";
  await course(`<stride-scope view="code,why,grid"><pre>${code}</pre></stride-scope>`);
  await listen();
  await loaded();
  await figure().locator("#why .word", { hasText: "Line 2" }).click();
  await settled();
  assert.equal((await told("step")).at(-1).step, 2);
  assert.match(await figure().locator("#why").textContent(), /cannot be merged/);
});

test("lines are chosen and the head is moved by pointer and by keyboard", async () => {
  await course(`<stride-scope controls>${child}</stride-scope>`);
  await listen();
  await loaded();
  await figure().locator("#listing li").first().click();
  await settled();
  assert.equal((await told("step")).at(-1).step, 0);
  await figure().locator("#listing code[role=button]").nth(1).focus();
  await here.page.keyboard.press("Enter");
  await settled();
  assert.equal((await told("step")).at(-1).step, 1);
  await here.page.keyboard.press("ArrowRight");
  await settled();
  assert.deepEqual((await told("step")).at(-1), { step: 1, index: [0, 1], offset: 4 });
  await here.page.keyboard.press("ArrowDown");
  await settled();
  assert.equal((await told("step")).at(-1).step, 2);
  await figure().locator('[role=gridcell][tabindex="0"]').focus();
  await here.page.keyboard.press("ArrowDown");
  await settled();
  assert.deepEqual((await told("step")).at(-1).index, [1, 0]);
});

test("a press on a cell of the strip takes the head to the element that reads it", async () => {
  await course(`<stride-scope step="1" view="strip">${child}</stride-scope>`);
  await listen();
  await loaded();
  await figure().locator("[part=strip] [part=cell]").nth(6).click({ force: true }); // its number lies over it
  await settled();
  assert.deepEqual((await told("step")).at(-1), { step: 1, index: [2, 1], offset: 6 });
});

test("what changes while a figure stands in no page is done once it does", async () => {
  await course(`<stride-scope step="1" controls>${child}</stride-scope>`);
  await loaded();
  await figure().evaluate((element) => {
    const main = element.parentElement;
    element.remove();
    for (const [name, value] of [["code", "a = np.eye(3)\nb = a.T"], ["step", "0"], ["view", "grid"], ["speed", "4"]])
      element.setAttribute(name, value);
    element.removeAttribute("controls");
    main.append(element);
  });
  await here.page.waitForFunction(() => /np\.eye.*&step=0&figures=grid/.test(document.querySelector("stride-scope").getState()));
  await settled();
  for (const part of ["listing", "controls"]) assert.ok(await figure().locator(`#${part}`).isHidden());
  assert.equal(await figure().locator("#speed").inputValue(), "4");
});

test("of several programs that are asked for the newest is shown, however long the others take", async () => {
  const held = [];
  await here.page.route("**/slow*.py", (route) => held.push(route));
  await course(`<stride-scope loading="eager" src="slow1.py"></stride-scope>`);
  const state = () => figure().evaluate((element) => decodeURIComponent(element.getState()));
  const answer = async () => {
    for (const route of held.splice(0)) await route.fulfill({ body: "old = torch.arange(2)" });
    await here.page.waitForTimeout(100);
    await settled();
  };
  const asked = async (count) => {
    while (held.length < count) await here.page.waitForTimeout(20);
  };
  await asked(1);
  await figure().evaluate((element) => element.setAttribute("code", "x = torch.arange(3)"));
  await loaded();
  await answer();
  assert.match(await state(), /code=x = /, "while the first was still on its way");
  await figure().evaluate((element) => {
    element.removeAttribute("code");
    element.setAttribute("src", "slow2.py");
  });
  await asked(1);
  await figure().evaluate((element) => element.setState("v=1&code=y%20%3D%20torch.arange(4)"));
  await here.page.waitForFunction(() => /code=y/.test(document.querySelector("stride-scope").getState()));
  await answer();
  assert.match(await state(), /code=y = /);
  assert.ok(await figure().locator("[part=message]").isHidden());
});

test("a figure that is gone leaves nothing that listens", async () => {
  await here.page.addInitScript(() => {
    window.listening = 0;
    const { addEventListener } = MediaQueryList.prototype;
    MediaQueryList.prototype.addEventListener = function (...what) {
      ++window.listening;
      return addEventListener.apply(this, what);
    };
  });
  await course(`<stride-scope step="1">${child}</stride-scope>`);
  await loaded();
  assert.equal(await here.page.evaluate(() => window.listening), 0);
});

test("a figure far below is not drawn before it is near; an eager one is", async () => {
  const far = '<div style="height: 5000px"></div>';
  await course(
    `<stride-scope id="first">${child}</stride-scope>${far}<stride-scope id="far">${child}</stride-scope>${far}<stride-scope id="eager" loading="eager">${child}</stride-scope>`,
  );
  await loaded(2);
  await settled();
  assert.equal(await here.page.locator("#far #picture").count(), 0);
  assert.ok(await here.page.locator("#far pre[tabindex]").isVisible());
  await here.page.locator("#far").scrollIntoViewIfNeeded();
  await loaded(3);
});

test("twenty figures share one engine", async (context) => {
  await here.page.addInitScript(() => {
    window.engines = 0;
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = (...args) => (++window.engines, instantiate(...args));
  });
  const figures = Array.from(
    { length: 20 },
    (_, i) => `<stride-scope loading="eager" code="x = torch.arange(${12 + i})&#10;y = x[1::2]"></stride-scope>`,
  ).join("");
  await course(figures);
  await loaded(20);
  context.diagnostic(
    `twenty figures were ready ${Math.round(await here.page.evaluate(() => performance.now()))} ms after the page began`,
  );
  assert.equal(await here.page.evaluate(() => window.engines), 1);
});

test("nothing moves by itself where less motion is preferred, and what moves can be stopped", async () => {
  const body = `<stride-scope step="1" autoplay loop>${child}</stride-scope>`;
  await here.page.emulateMedia({ reducedMotion: "reduce" });
  await course(body);
  await listen();
  await loaded();
  await here.page.waitForTimeout(900); // nearly two reads
  assert.equal(await figure().evaluate((element) => /head=/.test(element.getState())), false);
  await here.page.emulateMedia({ reducedMotion: "no-preference" });
  await here.page.reload();
  await loaded();
  await here.page.waitForFunction(() => /head=2/.test(document.querySelector("stride-scope").getState()));
  await figure().locator("#play").click();
  const stopped = await figure().evaluate((element) => element.getState());
  await here.page.waitForTimeout(700);
  assert.equal(await figure().evaluate((element) => element.getState()), stopped);
});

test("on paper stands the author's picture, else the one that is shown, as vectors", async () => {
  await course(
    `<stride-scope step="1">${child}</stride-scope><stride-scope step="1" code="${escaped(code)}"><img alt="twin" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width="40" height="40"></stride-scope>`,
  );
  await loaded(2);
  await here.page.emulateMedia({ media: "print" });
  await here.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await figure().first().locator("#paper svg").isVisible());
  assert.ok(await figure().first().locator("#paper .listing").isVisible());
  assert.ok(!(await figure().first().locator("#picture").isVisible()));
  assert.ok(await figure().last().locator("img").isVisible());
  assert.equal(await figure().last().locator("#paper svg").count(), 0);
  await here.page.emulateMedia({ media: "screen" });
  await here.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await here.page.evaluate(seen), "live");
});

test("what the documentation shows works as it is written there", async () => {
  const text = readFileSync(join(root, "native/publish/figures.html"), "utf8");
  const shown = Object.fromEntries(
    [...text.matchAll(/<pre [^>]*data-page="(\w+)">([^]*?)<\/pre>/g)].map(([, name, html]) => [
      name,
      html
        .replaceAll("https://stridescope.example/", here.site.url)
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&"),
    ]),
  );
  await course(shown.element + shown.frame, { script: "" });
  await loaded();
  await here.page
    .frames()[1]
    .waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("#picture svg"));
  const height = await here.page.frames()[1].evaluate(() => document.body.getBoundingClientRect().height);
  assert.ok(Math.abs(height - 640) < 64, `the example's frame is 640 high, its figure ${height}`);
  const said = [];
  here.page.on("console", (message) => said.push(message.text()));
  await here.page.evaluate(async (script) => {
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction(script)();
  }, shown.script);
  await settled();
  assert.ok(said.some((line) => /^1 .* 2$/.test(line)), said.join("\n"));
  assert.match(shown.npm, /from "stridescope"/); // package.test.mjs imports it so
});

