// The examples menu opens the real thing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readExamples } from "../examples.js";
import { inBrowser } from "./browser.mjs";
import { root } from "./serve.mjs";

const here = inBrowser();
const { open, settled, steps, program } = here;
const examples = readExamples(root + "assets/examples");
const menu = async () => {
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example").first().waitFor();
};

test("every example is in the menu, with its introduction, in the language of the page", async () => {
  for (const lang of ["en", "zh"]) {
    await open({ code: "x = torch.arange(3)", lang });
    await menu();
    const cards = await here.page
      .locator(".example:not(.own)")
      .evaluateAll((list) =>
        list.map((card) => [card.querySelector("b").textContent, card.querySelector("span").textContent]),
      );
    assert.equal(cards.length, examples.length);
    for (const { title, intro } of examples)
      assert.ok(
        cards.some(([name, text]) => name === title[lang] && text === intro[lang]),
        title[lang],
      );
    await here.page.keyboard.press("Escape");
  }
});

test("every example opens as a program in one language, without what the tests expect of it, and draws", async () => {
  for (const { code, name } of examples)
    for (const lang of ["en", "zh"]) assert.doesNotMatch(code[lang], /# -> |# (en|zh|topic): /, name);
  await open();
  await menu(); // which has loaded them
  await here.page.keyboard.press("Escape");
  for (const { name, title } of examples) {
    // Pressed by the page itself: that each can be pressed by a pointer takes as long again, and they are all alike.
    await here.page.evaluate((name) => {
      document.getElementById("open-examples").click();
      const cards = [...document.querySelectorAll(".example:not(.own)")];
      cards.find((card) => card.querySelector("b").textContent === name).click();
    }, title.en);
    await settled();
    assert.ok((await steps()).length > 0, name);
    assert.ok(Number(await here.page.locator("#stage").getAttribute("data-items")) > 5, name);
    assert.ok((await program()).startsWith("# " + title.en), name);
  }
});

test("words find examples, and nothing found says so", async () => {
  await open();
  await menu();
  await here.page.locator("#find-example").fill("flatten ravel");
  assert.deepEqual(await here.page.locator(".example b").allTextContents(), [
    "flatten, ravel, reshape(-1): which one copies?",
  ]);
  await here.page.locator("#find-example").fill("xyzzy");
  assert.equal(await here.page.locator(".example").count(), 0);
  assert.match(await here.page.locator("#example-list").textContent(), /No example/);
});

test("the keyboard opens the menu, finds, walks and chooses", async () => {
  await open();
  await here.page.locator("#open-examples").focus();
  await here.page.keyboard.press("Enter");
  await here.page.locator(".example").first().waitFor();
  await here.page.keyboard.type("channels_last");
  await here.page.keyboard.press("ArrowDown");
  await here.page.keyboard.press("Enter");
  await settled();
  assert.match(await program(), /channels_last/);
  assert.equal(await here.page.locator("#examples").evaluate((dialog) => dialog.open), false);
});
