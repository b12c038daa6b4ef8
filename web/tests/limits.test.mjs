// Programs as large as the engine takes them: as many operations, as many names, as many dimensions, as much text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.mjs";

const here = inBrowser();
const { open, settled, program } = here;

const lines = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join("\n");
const ones = Array(44).fill(1).join(", "), twos = Array(20).fill(2).join(", ");
const largest = {
  "operations on one name": `x = torch.arange(4).view(2, 2)\n${lines(250, () => "x = x.t()")}`,
  "names that are alive": `x0 = torch.arange(4).view(2, 2)\n${lines(250, (i) => `x${i + 1} = x${i}.t()`)}`,
  dimensions: `x0 = torch.arange(2**20).view(${twos}, ${ones})\n${lines(200, (i) => `x${i + 1} = x${i}.mT`)}`,
  "lines that fail": lines(250, () => "y.view(3)"),
  text: `${lines(440, () => "# a comment that says nothing at all here")}\nx = torch.arange(4)`,
};

/** Counts how often the page asks what its program comes to. */
const counting = () =>
  here.page.evaluate(() => {
    window.asked = 0;
    const read = TextDecoder.prototype.decode;
    TextDecoder.prototype.decode = function (...bytes) {
      const text = read.apply(this, bytes);
      if (text.startsWith('{"diagnostics":') && text.includes('"x249"')) ++window.asked;
      return text;
    };
  });

for (const [what, code] of Object.entries(largest))
  test(`as many ${what} as there may be: no key is lost, and the last line has its picture`, async () => {
    await open({ code });
    await here.page.locator(".cm-content").focus();
    await here.page.keyboard.press("Control+End");
    const line = "last = torch.arange(6).view(2, 3)";
    await here.page.keyboard.press("Enter");
    await here.page.keyboard.type(line);
    await settled();
    const written = await here.page.evaluate(() =>
      new URLSearchParams(localStorage.getItem("stridescope.document")).get("code"),
    );
    assert.equal(written, `${code}\n${line}`);
    await here.page.waitForFunction(() => document.getElementById("description").textContent.includes("last"));
    assert.match(await program(), /last = torch\.arange\(6\)\.view\(2, 3\)$/);
  });

test("keys that come faster than a program can be read are answered together", async () => {
  await open({ code: `${largest["names that are alive"]}\nz = x0` });
  await here.page.locator(".cm-content").focus();
  await here.page.keyboard.press("Control+End");
  await counting();
  const { frames, keys } = await here.page.evaluate(async () => {
    let frames = 0, typing = true;
    const tick = () => typing && (++frames, requestAnimationFrame(tick));
    requestAnimationFrame(tick);
    const keys = " + x1 + x2 + x3";
    for (const key of keys) {
      document.execCommand("insertText", false, key);
      await Promise.resolve(); // the editor hears of it
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
    typing = false;
    return { frames, keys: keys.length };
  });
  const asked = await here.page.evaluate(() => window.asked);
  assert.ok(asked > 0 && asked <= frames && asked < keys / 2, `${keys} keys, ${frames} frames, ${asked} readings`);
  assert.match(await program(), /z = x0 \+ x1 \+ x2 \+ x3$/);
});

test("of a program so long that nothing of it is read that is said, until it is shorter", async () => {
  await open();
  const notice = here.page.locator("#notice");
  await here.write(lines(4000, () => "x = torch.arange(4)"));
  assert.match(await notice.textContent(), /at most 65536/);
  await here.page.locator("#undo").click();
  await settled();
  assert.equal(await notice.isVisible(), false);
});
