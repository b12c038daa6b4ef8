// Figures in other people's pages: the element <stride-scope> and the frame embed.html.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inBrowser } from "./browser.mjs";
import { cells, child, code, document_, escaped, seen, strict } from "./course.mjs";
import { link, root } from "./serve.mjs";

const here = inBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Opens a page of a course that stands beside the site's files. */
async function course(body, options = {}) {
  here.site.pages.set("course.html", document_(body, options));
  await here.page.goto(here.site.url + "course.html");
}
const loaded = (count = 1) =>
  here.page.waitForFunction((wanted) => [...document.querySelectorAll("stride-scope")].filter((figure) => figure.shadowRoot?.querySelector("canvas")?.width > 0).length === wanted, count);
const settled = () => here.settled();
const figure = () => here.page.locator("stride-scope");
/** Everything that a figure says of itself from now on. */
const listen = () =>
  here.page.evaluate(() => {
    window.told = [];
    for (const name of ["load", "step", "error"]) addEventListener(`stridescope-${name}`, ({ detail }) => window.told.push([name, detail]));
  });
const told = (name) => here.page.evaluate((wanted) => window.told.filter(([kind]) => kind === wanted).map(([, detail]) => detail), name);

test("a program between the tags is drawn, and what was written there makes room", async () => {
  await course(`<stride-scope step="1" controls>${child}</stride-scope>`, { policy: strict });
  await loaded();
  assert.equal(await here.page.evaluate(seen), "live");
  assert.deepEqual(await figure().locator("#listing .outcome .mark").allTextContents(), ["new", "view", "error"]);
  assert.match(await figure().locator("#description").textContent(), /^The same cells with the dimensions in the order \(1, 0\)/);
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
  assert.deepEqual((await told("step")).slice(1), [{ step: 1, index: [0, 0], offset: 0 }, { step: 1, index: [1, 2], offset: 9 }]);
  await here.page.evaluate(() => document.querySelector("stride-scope").play());
  await here.page.waitForFunction(() => window.told.at(-1)[1].offset === 2);
  await here.page.evaluate(() => document.querySelector("stride-scope").pause());
  await settled();
  const state = await here.page.evaluate(() => document.querySelector("stride-scope").getState());
  assert.match(state, /&step=1&head=6$/);
  await here.page.evaluate((text) => document.querySelector("stride-scope").setState(text), "v=1&code=a%20%3D%20np.eye(3)");
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
    return [await element.toSVG(), (await element.toBlob({ type: "image/svg+xml" })).type, [...new Uint8Array(await blob.arrayBuffer()).slice(0, 4)]];
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
  const ground = () => figure().locator("canvas").evaluate((canvas) => [...canvas.getContext("2d").getImageData(1, 1, 1, 1).data].slice(0, 3).join());
  assert.equal(await ground(), "20,23,27");
  await figure().evaluate((element) => element.setAttribute("theme", "auto"));
  await settled();
  assert.equal(await ground(), "255,255,255");
  await here.page.evaluate(() => (document.documentElement.style.colorScheme = "dark"));
  await here.page.waitForFunction(() => document.querySelector("stride-scope").shadowRoot.querySelector("canvas").getContext("2d").getImageData(1, 1, 1, 1).data[0] === 20);
});

test("the style of the page reaches a figure by its parts and by the names it offers", async () => {
  await course(`<stride-scope controls>${child}</stride-scope>`, { script: '<script type="module" src="stridescope.min.js"></script><style>stride-scope { --stridescope-panel: rgb(1, 2, 3); --stridescope-rule: rgb(4, 5, 6) } stride-scope::part(controls) { background: rgb(7, 8, 9) } button { display: none }</style>' });
  await loaded();
  const styleOf = (id, property) => figure().locator(`#${id}`).evaluate((element, name) => getComputedStyle(element)[name], property);
  assert.equal(await styleOf("figure", "borderTopColor"), "rgb(4, 5, 6)");
  assert.equal(await styleOf("controls", "backgroundColor"), "rgb(7, 8, 9)");
  assert.notEqual(await styleOf("play", "display"), "none");
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

test("a figure far below is not drawn before it is near; an eager one is", async () => {
  const far = '<div style="height: 5000px"></div>';
  await course(`<stride-scope id="first">${child}</stride-scope>${far}<stride-scope id="far">${child}</stride-scope>${far}<stride-scope id="eager" loading="eager">${child}</stride-scope>`);
  await loaded(2);
  await settled();
  assert.equal(await here.page.locator("#far canvas").count(), 0);
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
  const figures = Array.from({ length: 20 }, (_, i) => `<stride-scope loading="eager" code="x = torch.arange(${12 + i})&#10;y = x[1::2]"></stride-scope>`).join("");
  await course(figures);
  await loaded(20);
  context.diagnostic(`twenty figures were ready ${Math.round(await here.page.evaluate(() => performance.now()))} ms after the page began`);
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

test("src is a program or a figure; what is neither leaves the fallback and one clear line", async () => {
  const svg = await (async () => {
    await course(`<stride-scope step="1">${child}</stride-scope>`);
    return here.page.evaluate(() => document.querySelector("stride-scope").toSVG());
  })();
  const files = { "x.py": "a = np.eye(3)", "x.svg": svg, "broken.svg": svg.replace(/v=1&amp;code=[^"]*/, "v=1&amp;code=%"), "foreign.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]), "binary.bin": Buffer.from([255, 254, 0, 1]) };
  for (const [name, body] of Object.entries(files)) here.site.pages.set(`files/${name}`, body);
  const shows = async (src) => {
    await course(`<stride-scope src="${src}"><p>A picture of memory.</p></stride-scope>`);
    await here.page.waitForFunction(() => {
      const element = document.querySelector("stride-scope");
      return element.shadowRoot?.querySelector("canvas")?.width > 0 || element.shadowRoot?.querySelector("[part=message]:not([hidden])");
    });
    return [await here.page.evaluate(seen), await figure().locator("[part=message]").textContent(), await figure().evaluate((element) => element.getState())];
  };
  const [python, figureFile] = [await shows("files/x.py"), await shows("files/x.svg")];
  assert.deepEqual([python[0], figureFile[0]], ["live", "live"]);
  assert.match(python[2], /code=a%20%3D%20np\.eye\(3\)/);
  assert.match(figureFile[2], /code=x%20%3D.*&step=1$/);
  for (const [name, why] of [["broken.svg", /damaged/], ["foreign.png", /damaged|carries no program/], ["binary.bin", /UTF-8/], ["not-there.py", /not-there\.py cannot be read/]]) {
    const [what, message] = await shows(`files/${name}`);
    assert.equal(what, "fallback", name);
    assert.match(message, why, name);
  }
  here.complaints = here.complaints.filter((text) => !text.includes("404"));
});

test("where wasm is refused the fallback stays and says why, in the reader's language", async () => {
  for (const [lang, why] of [["en", /could not start/], ["zh-CN", /未能启动/]]) {
    await course(`<stride-scope loading="eager">${child}</stride-scope><stride-scope loading="eager" code="${escaped(code)}"></stride-scope>`, { policy: "script-src 'self'; style-src 'self'", lang });
    await figure().last().locator("[part=message]:visible").waitFor();
    assert.equal(await here.page.evaluate(seen), "fallback");
    assert.match(await figure().first().locator("[part=message]").textContent(), why);
    assert.equal(await figure().last().locator("[part=program]").textContent(), code, "without a fallback of its own the program is shown");
  }
  assert.ok(here.complaints.every((text) => /wasm|WebAssembly|Content Security/i.test(text)), here.complaints.join("\n"));
  here.complaints = [];
});

test("a figure that stops the engine says so and keeps what was written; the others, and its next program, get another engine", async () => {
  await here.page.addInitScript(() => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      const { module, instance } = await instantiate.apply(WebAssembly, args);
      const exports = {};
      const dead = () => window.halt && (window.killed ??= exports) === exports;
      for (const [name, value] of Object.entries(instance.exports))
        exports[name] = typeof value !== "function" ? value : (...given) => {
          if (dead() || window.killed === exports) throw new WebAssembly.RuntimeError("out of memory");
          return value(...given);
        };
      return { module, instance: { exports } };
    };
  });
  await course(`<stride-scope step="1">${child}</stride-scope><stride-scope step="1">${child}</stride-scope>`);
  await loaded(2);
  await here.page.evaluate(() => {
    window.halt = true;
    document.querySelector("stride-scope").seek(3);
  });
  await figure().first().locator("[part=message]:visible").waitFor();
  assert.match(await figure().first().locator("[part=message]").textContent(), /engine stopped/);
  assert.equal(await here.page.evaluate(seen), "fallback");
  await here.page.waitForTimeout(600); // for the other engine
  await figure().last().evaluate((element) => element.seek(4));
  await here.page.waitForFunction(() => /head=4/.test(document.querySelectorAll("stride-scope")[1].getState()));
  await figure().first().evaluate((element) => element.setAttribute("code", "x = torch.arange(5)"));
  await loaded(2);
  assert.equal(await here.page.evaluate(seen), "live");
});

test("hostile attributes and states become text or a message, never markup, script or an exception", async () => {
  const evil = ['"><img src=x onerror=hacked=1>', "<script>hacked=1</script>", "javascript:hacked=1", "1e999", "-1", "NaN", "\u202e\u0000\uFFFF", "%", "__proto__", "a".repeat(30_000), "x = torch.arange(2**62).view(2**31, 2**31)", "(".repeat(5000), "v=1&z=AAAA", "v=99&code=x", "}</style><style>*{display:none}"];
  await course(evil.map((text) => ["code", "step", "view", "theme", "speed", "lang", "src"].map((name) => `<stride-scope loading="eager" ${name === "code" || name === "src" ? "" : 'code="x = torch.arange(6)"'} ${name}="${escaped(text)}"></stride-scope>`).join("")).join(""));
  await here.page.waitForFunction(() => [...document.querySelectorAll("stride-scope")].every((element) => element.shadowRoot?.querySelector("canvas, [part=message]:not([hidden])")));
  for (const text of evil) await figure().first().evaluate((element, state) => element.setState(state), text);
  await settled();
  const found = await here.page.evaluate(() => ({
    hacked: typeof hacked,
    markup: [...document.querySelectorAll("stride-scope")].flatMap((element) => [...element.shadowRoot.querySelectorAll("img, script, style, iframe, [onerror]")].map((node) => node.outerHTML)),
    proto: Object.keys(Object.prototype).length,
    empty: [...document.querySelectorAll("stride-scope")].filter((element) => element.getBoundingClientRect().height < 10).map((element) => element.outerHTML.slice(0, 80)),
  }));
  assert.deepEqual(found, { hacked: "undefined", markup: [], proto: 0, empty: [] });
  here.complaints = here.complaints.filter((text) => !/404|Failed to load resource|ERR_|CORS policy|URL scheme/.test(text)); // of src
});

test("on paper stands the author's picture, else the one that is shown, as vectors", async () => {
  await course(`<stride-scope step="1">${child}</stride-scope><stride-scope step="1" code="${escaped(code)}"><img alt="twin" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width="40" height="40"></stride-scope>`);
  await loaded(2);
  await here.page.emulateMedia({ media: "print" });
  await here.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await figure().first().locator("#paper svg").isVisible());
  assert.ok(await figure().first().locator("#paper .listing").isVisible());
  assert.ok(!(await figure().first().locator("canvas").isVisible()));
  assert.ok(await figure().last().locator("img").isVisible());
  assert.equal(await figure().last().locator("#paper svg").count(), 0);
  await here.page.emulateMedia({ media: "screen" });
  await here.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await here.page.evaluate(seen), "live");
});

test("what the documentation shows works as it is written there", async () => {
  const text = readFileSync(join(root, "native/publish/figures.html"), "utf8");
  const shown = Object.fromEntries([...text.matchAll(/<pre data-page="(\w+)">([^]*?)<\/pre>/g)].map(([, name, html]) => [name, html.replaceAll("https://stridescope.example/", here.site.url).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")]));
  await course(shown.element + shown.frame, { script: "" });
  await loaded();
  await here.page.frames()[1].waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("canvas")?.width > 0);
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

// ---- everywhere

const folder = mkdtempSync(join(tmpdir(), "stridescope-"));
after(() => rmSync(folder, { recursive: true }));

for (const { name, frames } of cells)
  test(`a frame with ${name}: live, or the fallback where scripts are refused`, async () => {
    await here.elsewhere(); // the shared browser is told to refuse workers by a script that no sandbox likes
    for (const { kind, put, wanted } of frames) {
      await here.page.goto("about:blank");
      await here.page.goto(put(here.site, folder));
      const frame = here.page.frames().at(-1);
      let what;
      for (const end = Date.now() + 8000; (what = await frame.evaluate(seen)) !== wanted && Date.now() < end; ) await here.page.waitForTimeout(50);
      assert.equal(what, wanted, kind);
    }
    here.complaints = here.complaints.filter((text) => !/CORS policy|ERR_FAILED|Not allowed to load local/.test(text)); // the scripts
  });

// ---- the frame

/** A page with a frame that holds a figure and keeps what it is told. */
async function framed(query = "", fields = { code, step: 1 }) {
  await course(`<iframe title="figure" width="800" height="300" src="embed.html${query}${escaped(link(fields))}"></iframe><iframe title="other" srcdoc=""></iframe>`, {
    script: "<script>told = []; addEventListener('message', ({ data }) => told.push(data))</script>",
  });
  const frame = here.page.frames()[1];
  await frame.waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("canvas")?.width > 0);
  return frame;
}
const send = (message) => here.page.evaluate((data) => frames[0].postMessage(data, "*"), message);
const state = (frame) => frame.evaluate(() => document.querySelector("stride-scope").getState());

test("a frame tells its height in the dialects that hosts know, once a change", async () => {
  const frame = await framed();
  await here.page.waitForFunction(() => window.told.some((data) => data.height > 400));
  const height = await frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
  const all = await here.page.evaluate(() => window.told.filter((data) => typeof data === "string" || "height" in data));
  assert.deepEqual(all.slice(-4), [{ type: "stridescope:resize", height }, { height }, { subject: "lti.frameResize", height }, JSON.stringify({ context: "iframe.resize", height })]);
  await here.page.evaluate((to) => (document.querySelector("iframe").style.height = `${to}px`), height);
  await here.page.waitForTimeout(300);
  assert.equal(await here.page.evaluate(() => window.told.filter((data) => typeof data === "string").length), all.length / 4, "fitting the frame asks for no other height");
});

test("a frame is led by the page around it and by nobody else", async () => {
  const frame = await framed();
  await send({ type: "stridescope:seek", element: 5 });
  await here.page.waitForFunction(() => window.told.some(({ type, offset }) => type === "stridescope:step" && offset === 9));
  await send({ type: "stridescope:seek", element: 2, step: 0 });
  await here.page.waitForFunction(() => window.told.some(({ type, step, offset }) => type === "stridescope:step" && step === 0 && offset === 2));
  await send({ type: "stridescope:getState" });
  await here.page.waitForFunction(() => window.told.some(({ type }) => type === "stridescope:state"));
  assert.match(await here.page.evaluate(() => window.told.find(({ type }) => type === "stridescope:state").state), /&step=0&head=2$/);
  await send({ type: "stridescope:setState", state: "v=1&code=a%20%3D%20np.eye(3)" });
  await frame.waitForFunction(() => /np\.eye/.test(document.querySelector("stride-scope").getState()));
  for (const nonsense of [null, 7, "x", [], {}, { type: "stridescope:seek", element: "<b>" }, { type: "stridescope:seek", element: NaN }, { type: "stridescope:setState", state: {} }]) await send(nonsense);
  const before = await state(frame);
  await here.page.frames()[2].evaluate(() => parent.frames[0].postMessage({ type: "stridescope:setState", state: "v=1&code=stolen" }, "*"));
  await here.page.waitForTimeout(200);
  assert.equal(await state(frame), before);
});

test("a slide that is shown plays its frame, and one that is left stops it", async () => {
  const frame = await framed();
  await send("slide:start");
  await frame.waitForFunction(() => /head=1/.test(document.querySelector("stride-scope").getState()));
  await send("slide:stop");
  await here.page.waitForTimeout(100);
  const stopped = await state(frame);
  await here.page.waitForTimeout(700);
  assert.equal(await state(frame), stopped);
});

test("a frame leads to the playground on what it shows, packed links too", async () => {
  const frame = await framed("?ui=full&theme=dark&lang=zh");
  await frame.locator("#listing li").first().click();
  await frame.waitForFunction(() => /step=0/.test(document.getElementById("open").href));
  assert.equal(await frame.locator("#open").textContent(), "在练习场中打开");
  await here.page.goto(await frame.locator("#open").getAttribute("href").then((href) => new URL(href, here.site.url).href));
  await here.page.locator(".cm-content").waitFor();
  assert.equal((await here.program()).split("\n")[0], "x = torch.arange(12).view(3, 4)");
  const long = Array.from({ length: 20 }, (_, i) => `x${i} = torch.arange(12).view(3, 4).t()`).join("\n");
  await here.open({ code: long });
  await here.page.waitForFunction(() => /[#&]z=/.test(location.hash));
  const packed = new URL(here.page.url()).hash;
  await here.page.goto(here.site.url + "embed.html" + packed);
  await loaded();
  assert.equal(await here.page.locator("#listing li").count(), 20);
});

test("a frame without a program, or with a damaged one, says so", async () => {
  for (const [fragment, why] of [["", /has no program/], ["#v=1&z=AAAA____", /damaged/], ["#v=1&code=%E0", /./]]) {
    await here.page.goto("about:blank");
    await here.page.goto(here.site.url + "embed.html?lang=en" + fragment);
    await figure().locator("[part=message]:visible").waitFor();
    assert.match(await figure().locator("[part=message]").textContent(), why, fragment);
    assert.equal(await here.page.evaluate(seen), "fallback", fragment);
  }
});

test("hostile addresses of a frame become text or a message", async () => {
  for (const query of ["?theme=%3Cscript%3E&ui=__proto__&lang=%00&speed=1e999&autoplay=%3Cb%3E", "?theme=dark%22%20onload%3D%22hacked%3D1&speed=-1&loop=javascript:1"])
    for (const fragment of [link({ code: '"><img src=x onerror=hacked=1>', step: "<b>", lang: "zh\"onload=", theme: "javascript:1" }), "#v=1&code=x&code=y&__proto__=1&hover=%3Cscript%3E&head=-9", "#" + "%".repeat(5000), "#v=1&z=" + "A".repeat(70_000)]) {
      await here.page.goto("about:blank");
      await here.page.goto(here.site.url + "embed.html" + query + fragment);
      await here.page.waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("canvas, [part=message]:not([hidden])"));
      const found = await here.page.evaluate(() => [typeof hacked, document.querySelectorAll("img, b, [onload], [onerror]").length, document.querySelector("stride-scope").shadowRoot.querySelectorAll("img, b, script").length]);
      assert.equal(found[0], "undefined");
      assert.equal(found[1], 0, fragment.slice(0, 40));
      assert.match(await here.page.evaluate(seen), /live|fallback/);
    }
});

for (const theme of ["light", "dark"])
  test(`axe finds nothing on figures and frames, ${theme}`, async () => {
    const context = await here.browser.newContext({ bypassCSP: true, viewport: { width: 900, height: 800 }, colorScheme: theme });
    const page = await context.newPage();
    here.site.pages.set("course.html", document_(`<stride-scope step="1" controls view="code,why">${child}</stride-scope><stride-scope code="x = torch.nonesuch(2)" view="why" autoplay></stride-scope><stride-scope></stride-scope>`));
    for (const address of ["course.html", `embed.html?ui=full&theme=${theme}${link({ code, step: 2 })}`, `embed.html?lang=zh${link({ code, step: 1 })}`, "embed.html"]) {
      await page.goto("about:blank");
      await page.goto(here.site.url + address);
      await page.waitForFunction(() => [...document.querySelectorAll("stride-scope")].every((element) => element.shadowRoot?.querySelector("canvas, [part=message]:not([hidden])")));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${address} ${id}: ${nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join("; ")}`), []);
    }
    await context.close();
  });
