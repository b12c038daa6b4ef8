// embed.html: a figure alone in a frame, the page around it, and every kind of frame.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { axeFindsNothing } from "./axe.mjs";
import { cells, child, code, document_, escaped, inCourse, seen } from "./course.mjs";
import { link } from "./serve.mjs";

// To refuse workers the browser would run a script in each frame, and complain of each sandbox that runs none.
const { here, course, loaded, figure } = inCourse({ serviceWorkers: "allow" });

const folder = mkdtempSync(join(tmpdir(), "stridescope-"));
after(() => rmSync(folder, { recursive: true }));

for (const { name, frames } of cells)
  test(`a frame with ${name}: live, or the fallback where scripts are refused`, async () => {
    for (const { kind, put, wanted } of frames) {
      await here.page.goto("about:blank");
      await here.page.goto(put(here.site, folder));
      const frame = here.page.frames().at(-1);
      let what;
      for (const end = Date.now() + 8000; (what = await frame.evaluate(seen)) !== wanted && Date.now() < end;)
        await here.page.waitForTimeout(50);
      assert.equal(what, wanted, kind);
    }
    // The scripts.
    here.complaints = here.complaints.filter((text) => !/CORS policy|ERR_FAILED|Not allowed to load local/.test(text));
  });

/** A page with a frame that holds a figure and keeps what it is told. */
async function framed(query = "", fields = { code, step: 1 }) {
  await course(
    `<iframe title="figure" width="800" height="300" src="embed.html${query}${escaped(link(fields))}"></iframe><iframe title="other" srcdoc=""></iframe>`,
    {
      script: "<script>told = []; addEventListener('message', ({ data }) => told.push(data))</script>",
    },
  );
  const frame = here.page.frames()[1];
  await frame.waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("#picture svg"));
  return frame;
}
const send = (message) => here.page.evaluate((data) => frames[0].postMessage(data, "*"), message);
const state = (frame) => frame.evaluate(() => document.querySelector("stride-scope").getState());

test("a frame tells its height in the dialects that hosts know, once a change", async () => {
  await framed();
  const height = await here.page
    .waitForFunction(() => {
      const height = Math.ceil(frames[0].document.body.getBoundingClientRect().height);
      const last = window.told.findLast((data) => typeof data === "string");
      return last && height > 400 && JSON.parse(last).height === height && height;
    })
    .then((told) => told.jsonValue());
  const all = await here.page.evaluate(() =>
    window.told.filter((data) => typeof data === "string" || "height" in data),
  );
  assert.deepEqual(all.slice(-4), [
    { type: "stridescope:resize", height },
    { height },
    { subject: "lti.frameResize", height },
    JSON.stringify({ context: "iframe.resize", height }),
  ]);
  await here.page.evaluate((to) => (document.querySelector("iframe").style.height = `${to}px`), height);
  await here.page.waitForTimeout(300);
  assert.equal(
    await here.page.evaluate(() => window.told.filter((data) => typeof data === "string").length),
    all.length / 4,
    "fitting the frame asks for no other height",
  );
});

test("a frame is led by the page around it and by nobody else", async () => {
  const frame = await framed();
  await send({ type: "stridescope:seek", element: 5 });
  await here.page.waitForFunction(() =>
    window.told.some(({ type, offset }) => type === "stridescope:step" && offset === 9),
  );
  await send({ type: "stridescope:seek", element: 2, step: 0 });
  await here.page.waitForFunction(() =>
    window.told.some(({ type, step, offset }) => type === "stridescope:step" && step === 0 && offset === 2),
  );
  await send({ type: "stridescope:getState" });
  await here.page.waitForFunction(() => window.told.some(({ type }) => type === "stridescope:state"));
  assert.match(
    await here.page.evaluate(() => window.told.find(({ type }) => type === "stridescope:state").state),
    /&step=0&head=2$/,
  );
  await send({ type: "stridescope:setState", state: "v=1&code=a%20%3D%20np.eye(3)" });
  await frame.waitForFunction(() => /np\.eye/.test(document.querySelector("stride-scope").getState()));
  for (const nonsense of [
    null,
    7,
    "x",
    [],
    {},
    { type: "stridescope:seek", element: "<b>" },
    { type: "stridescope:seek", element: NaN },
    { type: "stridescope:setState", state: {} },
  ])
    await send(nonsense);
  const before = await state(frame);
  await here.page
    .frames()[2]
    .evaluate(() => parent.frames[0].postMessage({ type: "stridescope:setState", state: "v=1&code=stolen" }, "*"));
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
  await here.page.goto(
    await frame
      .locator("#open")
      .getAttribute("href")
      .then((href) => new URL(href, here.site.url).href),
  );
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
  for (const [fragment, why] of [
    ["", /link of this figure holds no program/],
    ["#v=1&z=AAAA____", /link of this figure is damaged/],
    ["#v=1&z=" + "A".repeat(66_000), /longer than 65536 bytes/],
    ["#v=1&code=%E0", /./],
  ]) {
    await here.page.goto("about:blank");
    await here.page.goto(here.site.url + "embed.html?lang=en" + fragment);
    await figure().locator("[part=message]:visible").waitFor();
    assert.match(await figure().locator("[part=message]").textContent(), why, fragment);
    assert.equal(await here.page.evaluate(seen), "message", fragment);
  }
});

test("until a frame's script has read the address nothing else is taken for its program", async () => {
  await here.elsewhere(); // where no script is kept
  let go;
  const late = new Promise((resolve) => (go = resolve));
  await here.page.route("**/embed.js", (route) => late.then(() => route.continue()));
  try {
    await here.page.goto(here.site.url + "embed.html?lang=en" + link({ code, step: 1 }), { waitUntil: "commit" });
    await here.page.waitForFunction(() => document.querySelector("stride-scope")?.shadowRoot);
    await here.page.waitForTimeout(1500); // longer than the engine takes
    assert.equal(await here.page.evaluate(seen), "fallback");
    assert.equal(await figure().locator("[part=message]:visible").count(), 0);
  } finally {
    go();
  }
  await loaded();
  await here.settled();
  assert.equal(await here.page.evaluate(seen), "live");
});

test("hostile addresses of a frame become text or a message", async () => {
  for (const query of [
    "?theme=%3Cscript%3E&ui=__proto__&lang=%00&speed=1e999&autoplay=%3Cb%3E",
    "?theme=dark%22%20onload%3D%22hacked%3D1&speed=-1&loop=javascript:1",
  ])
    for (const fragment of [
      link({ code: '"><img src=x onerror=hacked=1>', step: "<b>", lang: 'zh"onload=', theme: "javascript:1" }),
      "#v=1&code=x&code=y&__proto__=1&hover=%3Cscript%3E&head=-9",
      "#" + "%".repeat(5000),
      "#v=1&z=" + "A".repeat(70_000),
    ]) {
      await here.page.goto("about:blank");
      await here.page.goto(here.site.url + "embed.html" + query + fragment);
      await here.page.waitForFunction(() =>
        document.querySelector("stride-scope").shadowRoot?.querySelector("#picture, [part=message]:not([hidden])"),
      );
      const found = await here.page.evaluate(() => [
        typeof hacked,
        document.querySelectorAll("img, b, [onload], [onerror]").length,
        document.querySelector("stride-scope").shadowRoot.querySelectorAll("img, b, script").length,
      ]);
      assert.equal(found[0], "undefined");
      assert.equal(found[1], 0, fragment.slice(0, 40));
      let what = ""; // a picture that is there is not yet painted
      for (const end = Date.now() + 10_000; !/live|message/.test(what) && Date.now() < end; ) {
        await here.settled();
        what = await here.page.evaluate(seen);
      }
      assert.match(what, /live|message/);
    }
});

for (const theme of ["light", "dark"])
  test(`axe finds nothing on figures and frames, ${theme}`, async () => {
    const context = await here.browser.newContext({
      bypassCSP: true,
      viewport: { width: 900, height: 800 },
      colorScheme: theme,
    });
    const page = await context.newPage();
    here.site.pages.set(
      "course.html",
      document_(
        `<stride-scope step="1" controls view="code,why">${child}</stride-scope><stride-scope code="x = torch.nonesuch(2)" view="why" autoplay></stride-scope><stride-scope></stride-scope>`,
      ),
    );
    for (const address of [
      "course.html",
      `embed.html?ui=full&theme=${theme}${link({ code, step: 2 })}`,
      `embed.html?lang=zh${link({ code, step: 1 })}`,
      "embed.html",
    ]) {
      await page.goto("about:blank");
      await page.goto(here.site.url + address);
      await page.waitForFunction(() =>
        [...document.querySelectorAll("stride-scope")].every((element) =>
          element.shadowRoot?.querySelector("#picture, [part=message]:not([hidden])"),
        ),
      );
      await axeFindsNothing(page, address);
    }
    await context.close();
  });
