// The embed dialog: each form that it hands out, pasted where it belongs, is the same figure.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inBrowser, story } from "./browser.mjs";
import { root } from "./serve.mjs";

const here = inBrowser({ permissions: ["clipboard-read", "clipboard-write"] });
const { open, settled } = here;
const stridescope = join(root, "build/bin/stridescope");
/** What every form has to quote: its own ends, markup, arguments. */
const nasty =
  'x = torch.arange(6)  # """ \\n ``` </code></pre><b>&amp; $(id) `id` ${PATH} \'\nEND = x.view(2, 3)\nEND\ny = END.t()  # \\';
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "stridescope-"))));
after(() => rmSync(folder, { recursive: true }));

/** The forms of a document by their names. */
async function formsOf(fields) {
  await open(fields);
  await here.share("open-embed");
  await here.page.locator("#embed-forms pre").first().waitFor();
  return Object.fromEntries(
    await here.page
      .locator("#embed-forms section")
      .evaluateAll((all) => all.map((section) => [section.dataset.form, section.querySelector("pre").textContent])),
  );
}
/** The program in an SVG. */
const carried = (svg) => decodeURIComponent(/data-stridescope="v=1&amp;code=([^&"]*)/.exec(svg)[1]);
const chosen = { step: 1, labels: "offset", figures: "strip,grid", ask: "yes", theme: "dark" };

for (const [kind, code] of [["a plain program", story], ["a program full of quotes", nasty]]) {
  test(`the shell, Markdown and Python draw the same picture from their forms, ${kind}`, async () => {
    const { command, fence, notebook } = await formsOf({ code, ...chosen });
    const options = {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${join(root, "build/bin")}:${process.env.PATH}`,
        PYTHONPATH: join(root, "native/publish/python"),
        STRIDESCOPE_BIN: stridescope,
      },
    };
    execFileSync("bash", ["-c", command], { ...options, stdio: ["ignore", "ignore", "pipe"] });
    const svg = readFileSync(join(folder, "figure.svg"), "utf8");
    assert.equal(carried(svg).trimEnd(), code);
    assert.match(svg, /step=1/);
    assert.match(svg, /labels=offset/);
    assert.match(svg, /ask=yes/);
    execFileSync("/usr/bin/python3", ["-c", notebook.replace(/\)$/, ').save("notebook.svg")')], options);
    assert.equal(readFileSync(join(folder, "notebook.svg"), "utf8").replace(/%0A&/, "&"), svg.replace(/%0A&/, "&"));
    writeFileSync(join(folder, "in.md"), fence + "\n");
    execFileSync(stridescope, ["markdown", "in.md", "-o", "out.md"], options);
    const [file] = readdirSync(join(folder, "figures"));
    const drawn = readFileSync(join(folder, "figures", file), "utf8");
    rmSync(join(folder, "figures"), { recursive: true });
    assert.ok(carried(drawn).includes(code), "the block's program, with its options");
    assert.match(drawn, /labels=offset/);
    assert.match(drawn, /ask=yes/);
  });

  test(`frame, element and link show the same program, ${kind}`, async () => {
    const { link, frame, element } = await formsOf({ code, ...chosen });
    here.site.pages.set(
      "course.html",
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title><link rel="icon" href="data:,">${element}${frame}`,
    );
    await here.page.goto(here.site.url + "course.html");
    const [page, inside] = here.page.frames();
    const ready = () => document.querySelector("stride-scope").shadowRoot?.querySelector("#picture svg");
    await page.waitForFunction(ready);
    await inside.waitForFunction(ready);
    const state = () => document.querySelector("stride-scope").getState();
    const program = (text) => decodeURIComponent(/code=([^&]*)/.exec(text)[1]).trimEnd();
    assert.equal(program(await page.evaluate(state)), code);
    assert.equal(program(await inside.evaluate(state)), code);
    assert.match(await page.evaluate(state), /step=1.*figures=strip.*ask=yes/);
    assert.match(await inside.evaluate(state), /step=1.*labels=offset.*ask=yes/);
    const { height, title } = await inside
      .frameElement()
      .then((iframe) => iframe.evaluate(({ height, title }) => ({ height: Number(height), title })));
    assert.ok(title.length > 0);
    const real = await inside.evaluate(() => document.body.getBoundingClientRect().height);
    assert.ok(Math.abs(height - real) < 0.25 * real, `the frame is ${height} high, its figure ${real}`);
    assert.equal(await page.evaluate(() => document.querySelectorAll("b").length), 0);
    await here.page.goto(link);
    await here.page.locator(".cm-content").waitFor();
    assert.equal((await here.program()).trimEnd(), code);
  });
}

test("a frame has room for its whole figure in a column of 700 px, and says how it fits another", async () => {
  for (const fields of [{ step: 1 }, { step: 2 }, { step: 3, figures: "strip" }]) {
    const { frame } = await formsOf({ code: story, ...fields });
    assert.match(await here.page.locator("section[data-form=frame]").innerText(), /700 px/);
    here.site.pages.set(
      "column.html",
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title><link rel="icon" href="data:,"><div style="width: 700px">${frame}</div>`,
    );
    await here.page.goto(here.site.url + "column.html");
    const inside = here.page.frames()[1];
    await inside.waitForFunction(() => document.querySelector("stride-scope").shadowRoot?.querySelector("#picture svg"));
    const room = await inside.evaluate(() => innerHeight - document.body.getBoundingClientRect().height);
    assert.ok(room >= 0 && room < 32, `${JSON.stringify(fields)}: ${room} px are left`);
  }
});

test("a form is copied by its button, the dialog says so, and Escape leaves it", async () => {
  const { element } = await formsOf({ code: story, step: 1 });
  await here.page.locator("section[data-form=element] button").focus();
  await here.page.keyboard.press("Enter");
  await here.page.waitForFunction(() => document.getElementById("embed-said").textContent === "Copied");
  assert.equal(await here.page.evaluate(() => navigator.clipboard.readText()), element);
  await here.page.keyboard.press("Escape");
  await settled();
  assert.ok(!(await here.page.locator("#embed").isVisible()));
});
