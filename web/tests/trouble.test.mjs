// What goes wrong around a figure: files that are none, an engine that is refused or stops, hostile attributes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { child, code, escaped, inCourse, seen } from "./course.mjs";

const { here, course, loaded, settled, figure } = inCourse();

test("src is a program or a figure; what is neither leaves the fallback and one clear line", async () => {
  const svg = await (async () => {
    await course(`<stride-scope step="1">${child}</stride-scope>`);
    return here.page.evaluate(() => document.querySelector("stride-scope").toSVG());
  })();
  const files = {
    "x.py": "a = np.eye(3)",
    "x.svg": svg,
    "broken.svg": svg.replace(/v=1&amp;code=[^"]*/, "v=1&amp;code=%"),
    "foreign.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]),
    "binary.bin": Buffer.from([255, 254, 0, 1]),
  };
  for (const [name, body] of Object.entries(files)) here.site.pages.set(`files/${name}`, body);
  const shows = async (src) => {
    await course(`<stride-scope src="${src}"><p>A picture of memory.</p></stride-scope>`);
    await here.page.waitForFunction(() => {
      const element = document.querySelector("stride-scope");
      return (
        element.shadowRoot?.querySelector("#picture svg") ||
        element.shadowRoot?.querySelector("[part=message]:not([hidden])")
      );
    });
    return [
      await here.page.evaluate(seen),
      await figure().locator("[part=message]").textContent(),
      await figure().evaluate((element) => element.getState()),
    ];
  };
  const [python, figureFile] = [await shows("files/x.py"), await shows("files/x.svg")];
  assert.deepEqual([python[0], figureFile[0]], ["live", "live"]);
  assert.match(python[2], /code=a%20%3D%20np\.eye\(3\)/);
  assert.match(figureFile[2], /code=x%20%3D.*&step=1$/);
  for (const [name, why] of [
    ["broken.svg", /damaged/],
    ["foreign.png", /damaged|carries no program/],
    ["binary.bin", /UTF-8/],
    ["not-there.py", /not-there\.py cannot be read/],
  ]) {
    const [what, message] = await shows(`files/${name}`);
    assert.equal(what, "fallback", name);
    assert.match(message, why, name);
  }
  here.complaints = here.complaints.filter((text) => !text.includes("404"));
});

test("where wasm is refused the fallback stays and says why, in the reader's language", async () => {
  for (const [lang, why] of [["en", /could not start/], ["zh-CN", /未能启动/]]) {
    await course(
      `<stride-scope loading="eager">${child}</stride-scope><stride-scope loading="eager" code="${escaped(code)}"></stride-scope>`,
      { policy: "script-src 'self'; style-src 'self'", lang },
    );
    await figure().last().locator("[part=message]:visible").waitFor();
    assert.equal(await here.page.evaluate(seen), "fallback");
    assert.match(await figure().first().locator("[part=message]").textContent(), why);
    assert.equal(
      await figure().last().locator("[part=program]").textContent(),
      code,
      "without a fallback of its own the program is shown",
    );
  }
  assert.ok(
    here.complaints.every((text) => /wasm|WebAssembly|Content Security/i.test(text)),
    here.complaints.join("\n"),
  );
  here.complaints = [];
});

test("a figure that stops the engine says so and keeps what was written; the others, and its next program, get another engine", async () => {
  await here.page.addInitScript(() => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      if (window.killed) await new Promise((done) => setTimeout(done, 500)); // meanwhile the others are drawn, too
      const { module, instance } = await instantiate.apply(WebAssembly, args);
      const exports = {};
      const dead = () => window.halt && (window.killed ??= exports) === exports;
      for (const [name, value] of Object.entries(instance.exports))
        exports[name] =
          typeof value !== "function"
            ? value
            : (...given) => {
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
  // What the pointer meets meanwhile is no trouble of the page.
  const { x, y } = await figure().last().locator("#picture").boundingBox();
  for (let k = 1; k < 8; ++k) await here.page.mouse.move(x + 30 * k, y + 40 * k);
  await here.page.mouse.down();
  await here.page.mouse.up();
  await figure()
    .last()
    .evaluate((element) => {
      element.setAttribute("step", "0"); // is drawn at once, with the engine that stopped
      element.seek(4);
    });
  await settled();
  await here.page.waitForFunction(() => /head=4/.test(document.querySelectorAll("stride-scope")[1].getState()));
  await figure()
    .first()
    .evaluate((element) => element.setAttribute("code", "x = torch.arange(5)"));
  await loaded(2);
  assert.equal(await here.page.evaluate(seen), "live");
});

test("an engine that was refused once is asked for again with the next program", async () => {
  await here.page.addInitScript(() => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (...args) => {
      WebAssembly.instantiate = instantiate;
      return Promise.reject(new Error("not now"));
    };
  });
  await course(`<stride-scope loading="eager" code="${escaped(code)}"></stride-scope>`);
  await figure().locator("[part=message]:visible").waitFor();
  await figure().evaluate((element) => element.setAttribute("code", "x = torch.arange(5)"));
  await loaded();
  assert.ok(await figure().locator("[part=message]").isHidden(), "what was wrong is no longer said");
  here.complaints = here.complaints.filter((text) => !/not now/.test(text));
});

test("hostile attributes and states become text or a message, never markup, script or an exception", async () => {
  const evil = [
    '"><img src=x onerror=hacked=1>',
    "<script>hacked=1</script>",
    "javascript:hacked=1",
    "1e999",
    "-1",
    "NaN",
    "\u202e\u0000\uFFFF",
    "%",
    "__proto__",
    "a".repeat(30_000),
    "x = torch.arange(2**62).view(2**31, 2**31)",
    "(".repeat(5000),
    "v=1&z=AAAA",
    "v=99&code=x",
    "}</style><style>*{display:none}",
  ];
  await course(
    evil
      .map((text) =>
        ["code", "step", "view", "theme", "speed", "lang", "src"]
          .map(
            (name) =>
              `<stride-scope loading="eager" ${name === "code" || name === "src" ? "" : 'code="x = torch.arange(6)"'} ${name}="${escaped(text)}"></stride-scope>`,
          )
          .join(""),
      )
      .join(""),
  );
  await here.page.waitForFunction(() =>
    [...document.querySelectorAll("stride-scope")].every((element) =>
      element.shadowRoot?.querySelector("#picture, [part=message]:not([hidden])"),
    ),
  );
  for (const text of evil)
    await figure()
      .first()
      .evaluate((element, state) => element.setState(state), text);
  await settled();
  const found = await here.page.evaluate(() => ({
    hacked: typeof hacked,
    markup: [...document.querySelectorAll("stride-scope")].flatMap((element) =>
      [...element.shadowRoot.querySelectorAll("img, script, style, iframe, [onerror]")].map((node) => node.outerHTML),
    ),
    proto: Object.keys(Object.prototype).length,
    empty: [...document.querySelectorAll("stride-scope")]
      .filter((element) => element.getBoundingClientRect().height < 10)
      .map((element) => element.outerHTML.slice(0, 80)),
  }));
  assert.deepEqual(found, { hacked: "undefined", markup: [], proto: 0, empty: [] });
  here.complaints = here.complaints.filter(
    (text) => !/404|Failed to load resource|ERR_|CORS policy|URL scheme/.test(text),
  ); // of src
});

