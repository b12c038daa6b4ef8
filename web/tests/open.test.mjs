// A file from outside, dropped on the page or chosen: a program, a figure that carries one, or neither.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inBrowser, story } from "./browser.mjs";
import { root } from "./serve.mjs";

const here = inBrowser();
const { open, program, settled, write } = here;
const mine = "mine = torch.zeros(3)";
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "stridescope-"))));
after(() => rmSync(folder, { recursive: true }));

/** Drops a file where the pointer would be: on the program's text. */
async function drop(name, bytes, onto = ".cm-content") {
  await here.page.locator(onto).evaluate(
    (target, [file, list]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(list)], file));
      for (const type of ["dragenter", "dragover", "drop"])
        target.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, composed: true }),
        );
    },
    [name, [...Buffer.from(bytes)]],
  );
}
const program_is = (text) =>
  here.page.waitForFunction(
    (wanted) =>
      [...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line")]
        .map((line) => line.textContent)
        .join("\n") === wanted,
    text,
  );
const notice = () => here.page.locator("#notice-text").textContent();
const hash = (pattern) =>
  here.page.waitForFunction(([source]) => new RegExp(source).test(location.hash), [pattern.source]);

/** A figure as the command line writes it. */
function figure(format, ...options) {
  const [source, picture] = [join(folder, "figure.py"), join(folder, `figure.${format}`)];
  writeFileSync(source, story.replace("z = y.view(-1)\n", ""));
  execFileSync(join(root, "build/bin/stridescope"), ["render", source, "-o", picture, "--step", "1", ...options]);
  return readFileSync(picture);
}

for (const format of ["svg", "png", "pdf", "html"])
  test(`a figure as ${format} opens its program and its view; undo returns to what was typed`, async () => {
    await open();
    await write(mine);
    await drop(`figure.${format}`, figure(format, "--labels", "offset", "--theme", "dark", "--lang", "zh"));
    await program_is(story.replace("z = y.view(-1)\n", ""));
    await hash(/step=1.*labels=offset/);
    assert.equal(await here.page.locator("html").getAttribute("lang"), "en", "the language stays the reader's");
    assert.match(await here.page.locator("#toast").textContent(), new RegExp(`figure\\.${format}`));
    await here.page.locator("#undo").click();
    await program_is(mine);
  });

test("a program opens, also one that was chosen by the button, and what was typed is kept among the examples", async () => {
  await open();
  await write(mine);
  await drop("lesson.py", "a = np.eye(3)\nb = a.T");
  await program_is("a = np.eye(3)\nb = a.T");
  await here.page.locator("#open-examples").click();
  assert.ok((await here.page.locator(".example.own").allTextContents()).includes(mine));
  const chooser = here.page.waitForEvent("filechooser");
  await here.page.locator("#open-file").click();
  await (
    await chooser
  ).setFiles({ name: "other.py", mimeType: "text/x-python", buffer: Buffer.from("c = torch.ones(2)") });
  await program_is("c = torch.ones(2)");
  assert.ok(!(await here.page.locator("#examples").isVisible()));
});

test("a file that is damaged, not ours, or no text gets one clear line, and nothing else changes", async () => {
  await open();
  await write(mine);
  const svg = figure("svg");
  for (const [name, bytes, why] of [
    ["damaged.svg", Buffer.from(svg.toString().replace(/v=1&amp;code=[^"]*/, "v=1&amp;code=%")), /damaged/],
    ["cut.png", figure("png").subarray(0, 60), /damaged/],
    ["other.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>hacked=1</script></svg>', /carries no program/],
    ["photo.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16], /UTF-8/],
    ["huge.py", "x".repeat(20_001), /20001|20 001|at most/],
  ]) {
    await drop(name, bytes);
    await here.page.waitForFunction(
      (file) => document.getElementById("notice-text").textContent.startsWith(file),
      name,
    );
    assert.match(await notice(), why, name);
    assert.equal(await here.page.locator("#notice-text p").count(), 1);
    assert.equal(await program(), mine);
  }
  assert.equal(await here.page.evaluate(() => typeof hacked), "undefined");
});

test("while a file is held over the page it says that it may be dropped; what is no file is the editor's", async () => {
  await open();
  const held = (type, related) =>
    here.page.evaluate(
      ([kind, leaves]) => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "x.py"));
        document.body.dispatchEvent(
          new DragEvent(kind, {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
            relatedTarget: leaves ? null : document.body,
          }),
        );
      },
      [type, related],
    );
  await held("dragenter", false);
  assert.ok(await here.page.locator("#drop").isVisible());
  await held("dragleave", true);
  assert.ok(!(await here.page.locator("#drop").isVisible()));
  const taken = await here.page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "x");
    const event = new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  });
  assert.equal(taken, false);
  await settled();
});
