// Guess first: what a line comes to is hidden until it has been guessed, and every guess gets its answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindsNothing } from "./axe.mjs";
import { inBrowser } from "./browser.mjs";

const here = inBrowser({ bypassCSP: true }); // for axe
const { open, settled, steps, picture } = here;
const code =
  "x = torch.arange(35).view(5, 7)\ny = x.t()\nz = y.view(-1)\na = np.arange(6).reshape(2, 3)[::-1]\ny.stride()";

const kind = (name) => here.page.locator(`#question input[value=${name}]`);
const sizes = (text) => here.page.locator("#guess-sizes").fill(text);
const strides = (text) => here.page.locator("#guess-strides").fill(text);
const check = async () => {
  await here.page.locator("#question button").click();
  await settled();
};
const verdicts = () => here.page.locator("#question .verdict").allTextContents();
const shown = () => here.page.evaluate(() => document.body.innerText + document.getElementById("editor").shadowRoot.textContent);
const focused = () =>
  here.page.evaluate(() => document.activeElement.value ?? document.activeElement.id ?? document.activeElement.textContent);
const asks = () => here.page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("ask"));

test("switched on, the answer is nowhere on the page, and switched off it is there again", async () => {
  await open({ code, step: 1 });
  const answer = await picture();
  assert.match(await shown(), /\(7, 5\)/);
  await here.page.locator("#ask").check();
  await settled();
  assert.notEqual(await picture(), answer);
  assert.deepEqual((await steps()).map(([what]) => what).slice(1), ["?", "?", "?", "?"]);
  assert.match((await steps())[0].join(), /\(5, 7\):\(7, 1\)/, "what went before stays");
  await here.page.waitForFunction(() => document.getElementById("live").textContent.startsWith("y = x.t(): ?"));
  const everything = (await shown()) + (await here.page.locator("#description, #table, #live").allTextContents()).join();
  for (const told of [/\(7, 5\)/, /1, 7/, /RuntimeError/, /not contiguous/]) assert.doesNotMatch(everything, told);
  assert.equal(await here.page.locator("#editor .cm-lintRange").count(), 0, "nor is an error underlined");
  assert.equal(await here.page.locator("#chips li").count(), 0);
  assert.ok(await here.page.locator("#other-words").isHidden());
  await here.page.locator("#ask").uncheck();
  await settled();
  assert.equal(await picture(), answer);
  assert.match(await shown(), /\(7, 5\)/);
});

test("a right guess is told to be right, and what came of the line is shown", async () => {
  await open({ code, step: 1, ask: "yes" });
  await kind("view").check();
  await sizes("7 5");
  await strides("[1, 7]");
  await check();
  assert.deepEqual(await verdicts(), ["✓ right", "✓ right", "✓ right"]);
  assert.match(await here.page.locator("#explanation").textContent(), /\S/);
  assert.match((await steps())[1].join(), /\(7, 5\):\(1, 7\).*view/);
  assert.equal((await steps())[2][0], "?", "the next line is still a question");
  const revealed = await picture();
  await open({ code, step: 1 });
  assert.equal(await picture(), revealed);
});

test("a wrong, a missing and an unreadable guess are told the truth", async () => {
  await open({ code, step: 1, ask: "yes" });
  await kind("copy").check();
  await strides("1 <b> 7");
  await check();
  assert.deepEqual(await verdicts(), ["✗ it is a view: shares the storage", "✗ it is (7, 5)", "✗ it is (1, 7)"]);
});

test("while nothing is guessed there is nothing to check, and the answer stays open", async () => {
  await open({ code, step: 1, ask: "yes" });
  const button = here.page.locator("#question button");
  assert.ok(await button.isDisabled());
  await kind("view").focus();
  await here.page.keyboard.press("Enter");
  await sizes(" ");
  await here.page.keyboard.press("Enter");
  await settled();
  assert.deepEqual(await verdicts(), ["", "", ""]);
  assert.equal((await steps())[1][0], "?");
  await sizes("7");
  assert.ok(await button.isEnabled());
  await sizes("");
  assert.ok(await button.isDisabled());
  await kind("copy").check();
  assert.ok(await button.isEnabled());
  await check();
  assert.ok(await button.isEnabled(), "and it leads on");
});

for (const text of ["(7, 5)", "7,5", " 7  5 ", "[7,5]", "torch.Size([7, 5])", "（7，5）"])
  test(`sizes may be written as ${text}`, async () => {
    await open({ code, step: 1, ask: "yes" });
    await sizes(text);
    await check();
    assert.equal((await verdicts())[1], "✓ right");
  });

test("of an error only that is judged, and its message comes with the answer", async () => {
  await open({ code, step: 2, ask: "yes" });
  await kind("error").check();
  assert.ok(await here.page.locator("#guess-sizes").isDisabled(), "an error has no sizes");
  await check();
  assert.deepEqual(await verdicts(), ["✓ right", "", ""]);
  assert.match(await here.page.locator("#explanation .raised").textContent(), /RuntimeError: view size/);
  assert.ok((await here.page.locator("#editor .cm-lintRange").count()) > 0);
});

test("an array's strides are asked for in bytes, a query has no tensor", async () => {
  await open({ code, step: 3, ask: "yes" });
  assert.equal(await here.page.locator("label[for=guess-strides]").textContent(), "strides in bytes");
  await kind("view").check();
  await sizes("2, 3");
  await strides("-24, 8");
  await check();
  assert.deepEqual(await verdicts(), ["✓ right", "✓ right", "✓ right"]);
  await open({ code, step: 4, ask: "yes" });
  await kind("none").check();
  await check();
  assert.deepEqual(await verdicts(), ["✓ right", "", ""]);
});

test("by keyboard alone: guess, Enter, Enter for the next line, after the last one the first", async () => {
  await open({ code, step: 3, ask: "yes" });
  const { keyboard } = here.page;
  await here.page.locator("#ask").focus();
  await keyboard.press("Tab");
  await keyboard.press("Space");
  assert.equal(await focused(), "view");
  await keyboard.press("Tab");
  await keyboard.type("2 3");
  await keyboard.press("Tab");
  await keyboard.type("-24 8");
  await keyboard.press("Enter");
  await settled();
  assert.deepEqual(await verdicts(), ["✓ right", "✓ right", "✓ right"]);
  await here.page.waitForFunction(() => /sizes: right/.test(document.getElementById("live").textContent));
  await keyboard.press("Enter");
  await settled();
  assert.equal(await here.page.locator("#question input:checked").count(), 0, "nothing is guessed yet of the next");
  assert.equal((await steps())[3][0].startsWith("a (2, 3)"), true);
  assert.equal((await steps())[4][0], "?");
  assert.equal(await focused(), "view", "the keyboard is at the first choice");
  await keyboard.press("Space");
  await keyboard.press("Enter");
  await settled();
  assert.deepEqual(await verdicts(), ["✗ it is no tensor", "", ""]);
  await keyboard.press("Enter");
  await settled();
  assert.deepEqual((await steps()).map(([what]) => what), ["?", "?", "?", "?", "?"], "it starts over");
});

test("another line that is chosen is asked about, and a link to a question opens as one", async () => {
  await open({ code, step: 1, ask: "yes" });
  await kind("copy").check();
  await check();
  await here.chooseStep(0);
  await settled();
  assert.deepEqual(await verdicts(), ["", "", ""]);
  await here.page.waitForFunction(() => /step=0/.test(location.hash));
  assert.equal(await asks(), "yes");
  const link = here.page.url();
  const question = await picture();
  await here.page.goto("about:blank");
  await here.page.goto(link);
  await here.page.locator(".cm-content").waitFor();
  await settled();
  assert.ok(await here.page.locator("#ask").isChecked());
  assert.equal(await picture(), question);
  assert.deepEqual((await steps()).map(([what]) => what), ["?", "?", "?", "?", "?"]);
});

test("what is typed while the page asks is asked about, too", async () => {
  await open({ code, ask: "yes" });
  const write = async (program) => {
    await here.page.locator(".cm-content").focus();
    await here.page.keyboard.press("Control+A");
    await here.page.keyboard.press("Delete");
    await here.page.keyboard.insertText(program);
    await settled();
  };
  await write("x = torch.arange(6)\ny = x.view(2, 3)\nz = y.foo(");
  assert.equal((await steps()).at(-1)[0], "?");
  await write("x = torch.arange(6)\ny = x.view(2, 3)");
  assert.equal(await here.page.locator("#question legend").textContent(), "Compared with x, the result is");
  await write("");
  assert.ok(await here.page.locator("#question").isHidden());
});

for (const theme of ["light", "dark"])
  for (const lang of ["en", "zh"])
    test(`axe finds nothing on a question and on its answer, ${theme}, ${lang}`, async () => {
      await open({ code, step: 1, ask: "yes", theme, lang });
      await axeFindsNothing(here.page, "the question");
      await kind("view").check();
      await check();
      await axeFindsNothing(here.page, "the answer");
    });
