// What happens between keys: brackets that are written twice, lines left unfinished, line ends of other systems, a reload
// right after a key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.mjs";

const here = inBrowser({ pauses: true });
const { open, settled, program, steps, write } = here;
const code = "x = torch.arange(12).view(3, 4)\ny = x.t()";

async function complete(text) {
  await write(`${code}\n`);
  await here.page.keyboard.type(text);
  await here.page.locator(".cm-tooltip-autocomplete li").first().waitFor();
  await here.page.waitForTimeout(200); // a list that has only just come takes no key
  await here.page.keyboard.press("Enter");
}

test("who types the bracket that a completion has written has it once", async () => {
  await open({ code });
  await complete("z = y.permu");
  await here.page.keyboard.type("(1, 0)");
  assert.equal(await program(), `${code}\nz = y.permute(1, 0)`);
  await complete("z = y.permu");
  await here.page.keyboard.type("*(1, 0)");
  assert.equal(await program(), `${code}\nz = y.permute(*(1, 0))`, "a bracket after something else is one more");
});

for (const pause of [0, 60])
  test(`Enter behind an unfinished line takes the picture from nobody, with ${pause} ms between keys`, async () => {
    await open({ code });
    await here.page.locator(".cm-content").focus();
    await here.page.keyboard.press("Control+End");
    await here.page.keyboard.type("\nz = y.", { delay: pause });
    if (pause) await settled();
    await here.page.keyboard.press("Escape");
    await here.page.keyboard.press("Enter");
    await here.page.locator("#unfinished").waitFor();
  });

test("the picture stays while a statement is written over several lines", async () => {
  const unfinished = here.page.locator("#unfinished"); // it follows the picture, on a busy machine late
  for (const [begun, end] of [
    ["z = torch.tensor([\n[1, 2],\n[3, 4],\n[5, ", "6]])"],
    ["for row in x:\nfirst = row[0]\nlast = row.", "t()"],
  ]) {
    await open({ code });
    await here.page.locator(".cm-content").focus();
    await here.page.keyboard.press("Control+End");
    // As hands type: where several lines came between two pictures, it would be that of another program.
    await here.page.keyboard.type(`\n${begun}`, { delay: 40 });
    await unfinished.waitFor();
    await here.page.keyboard.press("Escape");
    await here.page.keyboard.type(end);
    await unfinished.waitFor({ state: "hidden" });
  }
});

test("line ends of any system count alike: each row stands under its line", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    await open({ code: ["x = torch.arange(6)", "y = x.view(2, 3)", "z = y.t()"].join(end) });
    const under = await here.page.locator("#editor").evaluate((host) =>
      [...host.shadowRoot.querySelectorAll(".cm-line")].map(
        (line) => line.textContent[0] === line.nextElementSibling?.querySelector(".what b")?.textContent,
      ),
    );
    assert.deepEqual(under, [true, true, true]);
    assert.equal((await steps()).length, 3);
  }
});

test("a reload right after a key shows what was typed", async () => {
  await open({ code });
  await here.page.locator(".cm-content").focus();
  await here.page.keyboard.press("Control+End");
  await here.page.keyboard.type("\nz = y.permute");
  await Promise.all([here.page.waitForNavigation(), here.page.evaluate(() => location.reload())]);
  await here.page.locator(".cm-content").waitFor();
  await settled();
  assert.equal(await program(), `${code}\nz = y.permute`);
  await here.page.goto("about:blank");
  await open({ code });
  assert.equal(await program(), code, "a link that is opened is opened");
});

test("of a block whose header is not read the row stands under the header", async () => {
  await open({ code: "x = torch.arange(6)\nfor i in range(3)\n    y = x + i\nz = x.view(2, 3)" });
  const under = await here.page.locator("#editor").evaluate((host) => {
    const row = host.shadowRoot.querySelector(".outcome.error");
    return row.previousElementSibling.textContent;
  });
  assert.equal(under, "for i in range(3)");
});

test("what is printed in several lines stands in a row as one", async () => {
  await open({ code: "m = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())" });
  assert.match((await steps())[0][0], /^Sequential\( \(0\): Linear/);
});
