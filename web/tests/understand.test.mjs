// Understanding: words, lines and the picture point at each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";

const here = inBrowser({ permissions: ["clipboard-read", "clipboard-write"] });
const { open, settled, picture, write } = here;

test("a word of the explanation lights up what it is about, by pointer and by focus", async () => {
  await open({ code: story, step: 1 });
  const before = await picture();
  const word = here.page.locator("#explanation .word").first();
  await word.hover();
  await settled();
  const lit = await picture();
  assert.ok(lit !== before, "the pointer lights it up");
  await here.page.mouse.move(5, 5);
  await settled();
  assert.ok((await picture()) === before, "nothing stays lit");
  await word.focus();
  await settled();
  assert.ok((await picture()) === lit, "so does the focus");
});

test("what is pointed at in the picture is lit in the words and under its line", async () => {
  await open({ code: story, step: 3 });
  const box = await here.page.locator("#canvas").boundingBox();
  const lit = () =>
    here.page.evaluate(() => [
      document.querySelectorAll(".word.lit").length,
      document.getElementById("editor").shadowRoot.querySelectorAll(".outcome.lit").length,
    ]);
  let words = 0, rows = 0;
  for (let y = 10; y < box.height && !(words && rows); y += 14)
    for (let x = 20; x < box.width / 2 && !(words && rows); x += 22) {
      await here.page.mouse.move(box.x + x, box.y + y);
      await here.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      const [someWords, someRows] = await lit();
      words ||= someWords;
      rows ||= someRows;
    }
  assert.ok(words > 0, "an axis of the picture lights its word");
  assert.ok(rows > 0, "an element of the picture lights its line's row");
});

test("a call that fails leads to the line that raises, by pointer and by keyboard", async () => {
  const code = "def flat(t):\n    return t.view(-1)\nx = torch.ones(2, 3).t()\ny = flat(x)";
  const words = here.page.locator("#explanation");
  for (const go of [(word) => word.click(), (word) => word.press("Enter")]) {
    await open({ code, step: 3 });
    assert.match(await words.textContent(), /Line 2 raises it/);
    await go(words.locator(".word", { hasText: "Line 2" }));
    await settled();
    assert.match(await words.textContent(), /cannot be merged/);
    assert.equal(await here.page.evaluate(() => document.activeElement.id), "explanation", "one reads on from there");
    await here.page.waitForFunction(() => location.hash.includes("step=2"));
  }
});

test("a line that is named in a hint is gone to, with the cursor, by pointer and by keyboard", async () => {
  const code = "x = torch.nonesuch(2)\ny = torch.arange(6)\nz = x.t()";
  const words = here.page.locator("#explanation");
  for (const go of [(word) => word.click(), (word) => word.press("Enter")]) {
    await open({ code });
    await go(words.locator(".hints .word", { hasText: "line 1" }));
    await here.page.waitForFunction(() => location.hash.includes("step=0"));
    assert.match(await here.page.locator("#editor .cm-current").first().textContent(), /nonesuch/);
    await here.page.keyboard.type(" # here");
    assert.equal((await here.program()).split("\n")[0], "x = torch.nonesuch(2) # here");
  }
});

test("what is wrong with the text as a whole stands under its own line, the chosen step under its", async () => {
  await open({ code: "# ü\nimport pandas  # that\nx = torch.arange(6)" });
  const said = await here.page.evaluate(() =>
    [...document.querySelectorAll("#explanation :is(h3, .headline)")].map((part) => part.textContent),
  );
  assert.equal(said[0], "import pandas  # that");
  assert.match(said[1], /pandas/);
  assert.equal(said[2], "x = torch.arange(6)");
  assert.match(said[3], /6 elements/);
  await write("x = torch.arange(6)");
  assert.equal(await here.page.locator("#explanation h3").count(), 0, "alone it needs no title");
});

test("a method that is named and not called is explained, in place of nothing", async () => {
  await open({ code: "x = torch.arange(6)\ny = x.view" });
  assert.match(await here.page.locator("#explanation .headline").textContent(), /view is only named here.*view\( \)/);
  await write("x = torch.arange(6)\ny = x.view(2, 3)");
  assert.doesNotMatch(await here.page.locator("#explanation").textContent(), /only named/);
});

test("each operation of a line can be looked at by itself", async () => {
  await open({ code: "y = torch.arange(12).view(3, 4).t().reshape(-1)" });
  const before = await picture();
  const operations = here.page.locator("#explanation .operation");
  assert.ok((await operations.count()) >= 3);
  assert.equal(await operations.first().getAttribute("aria-pressed"), "true");
  await here.page.locator("#explanation .operation", { hasText: ".t()" }).last().click();
  await settled();
  assert.ok((await picture()) !== before);
});

test("the language is switched for all words, and remembered", async () => {
  await open({ code: story, step: 1 });
  const english = await here.page.locator("#explanation").textContent();
  await here.page.locator("#language").selectOption("zh");
  await settled();
  const chinese = await here.page.locator("#explanation").textContent();
  assert.match(chinese, /[\u4e00-\u9fff]/);
  assert.doesNotMatch(english, /[\u4e00-\u9fff]/);
  await write("x = torch.arange(3)");
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url);
  await here.page.locator(".cm-content").waitFor();
  assert.equal(await here.page.locator("html").getAttribute("lang"), "zh-Hans");
});

test("the layout in other words stands beside the explanation, each ready to be copied", async () => {
  await open({ code: "x = np.arange(6).reshape(2, 3)[::-1]" });
  const words = here.page.locator(".notation");
  assert.equal(await words.count(), 6);
  const numpy = words.filter({ hasText: "numpy" });
  assert.match(await numpy.locator("code").textContent(), /as_strided\(.*\(2, 3\).*\(-24, 8\)/);
  await numpy.locator("button").click();
  await here.page.locator("#toast:visible").waitFor();
  assert.equal(
    await here.page.evaluate(() => navigator.clipboard.readText()),
    await numpy.locator("code").textContent(),
  );
  assert.ok((await words.filter({ hasText: "torch" }).textContent()).length > 10, "what cannot be said has its reason");
});

test("after a fix what came of it is in sight: the first words about it, and the row under its line", async () => {
  await here.page.setViewportSize({ width: 1000, height: 640 });
  const lines = Array.from({ length: 16 }, (_, i) => `a${i} = torch.ones(${i + 1})`);
  await open({ code: [...lines, "x = torch.arange(12).view(3, 4).t()", "y = x.view(12)", "z = x + 1"].join("\n"), step: 17 });
  const last = here.page.locator("#explanation .fix").last();
  await last.scrollIntoViewIfNeeded();
  assert.ok((await here.page.locator("#side").evaluate(({ scrollTop }) => scrollTop)) > 0);
  await here.page.locator("#code").evaluate((code) => (code.scrollTop = 0));
  await last.click();
  await settled();
  assert.equal(await here.page.locator("#side").evaluate(({ scrollTop }) => scrollTop), 0);
  const [row, pane] = await here.page.evaluate(() => [
    document.getElementById("editor").shadowRoot.querySelector(".outcome.current").getBoundingClientRect().bottom,
    document.getElementById("code").getBoundingClientRect().bottom,
  ]);
  assert.ok(row <= pane, `the row ends at ${row}, the pane at ${pane}`);
});

test("of a long chain each call is titled by what it adds", async () => {
  const chain = ["torch.arange(24).view(2, 3, 4)", ".permute(2, 0, 1)", ".contiguous()", ".view(4, 6)"];
  await open({ code: `x = ${chain.join("")}` });
  const titles = here.page.locator("#explanation .operation");
  assert.deepEqual(await titles.allTextContents(), [
    "… .view(4, 6)",
    "… .contiguous()",
    "… .permute(2, 0, 1)",
    "torch.arange(24).view(2, 3, 4)",
    "torch.arange(24)",
  ]);
  assert.equal(await titles.first().getAttribute("title"), chain.join(""));
});

test("what a pattern asks for stands before the calls that it comes to, and of these the last is first", async () => {
  const pattern = "rearrange(x, 'b (h p) w -> b h (p w)', p=2)";
  await open({ code: `import torch\nfrom einops import rearrange\nx = torch.ones(2, 3, 4).mT\ny = ${pattern}.mT` });
  assert.deepEqual(await here.page.locator("#explanation .operation").allTextContents(), [
    "… .mT",
    pattern,
    "… .reshape(2, 2, 6)",
    "x.reshape(2, 2, 2, 3)",
  ]);
});

test("a layout in C++ breaks its lines between names", async () => {
  await open({ code: story });
  const code = here.page.locator(".notation", { hasText: "mdspan" }).locator("code");
  const heads = await code.evaluate((element) => {
    const text = element.textContent, range = document.createRange(), found = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let before = null;
    for (let at = 0; walker.nextNode(); at += walker.currentNode.length)
      for (let i = 0; i < walker.currentNode.length; ++i) {
        range.setStart(walker.currentNode, i);
        range.setEnd(walker.currentNode, i + 1);
        const { top } = range.getBoundingClientRect();
        if (before !== null && top > before + 4) found.push(text.slice(Math.max(0, at + i - 2), at + i + 1));
        before = top;
      }
    return found;
  });
  assert.ok(heads.length > 0);
  for (const head of heads) assert.doesNotMatch(head, /\w\w$/, `a line ends in the middle of a word: ${head}`);
});

test("what the program prints stands beside it, and each piece leads to the line that prints it", async () => {
  const code =
    "import torch\nx = torch.arange(6).view(2, 3)\ndef show(t):\n    print(tuple(t.shape), t.stride())\nprint(x)\n" +
    "show(x.t())\nprint('<b>&', x.t().is_contiguous(), end='!')";
  await open({ code });
  const shown = here.page.locator("#written");
  const printed = "tensor([[0, 1, 2],\n        [3, 4, 5]])\n(3, 2) (1, 3)\n<b>& False!";
  assert.equal(await shown.textContent(), printed);
  assert.equal(await shown.locator(".current").textContent(), "<b>& False!", "the last line is the chosen one");
  await shown.locator("span", { hasText: "(3, 2)" }).click();
  await settled();
  assert.equal(await shown.locator(".current").textContent(), "(3, 2) (1, 3)\n");
  await here.page.waitForFunction(() => location.hash.includes("step="));
  await open({ code, step: 4 });
  assert.equal(await shown.locator(".current").textContent(), "(3, 2) (1, 3)\n", "so it is where the call is chosen");
  await write("x = 1");
  await settled();
  assert.ok(await here.page.locator("#output").isHidden(), "nothing is printed, so there is no place for it");
});

test("what is asked for is not told by what the program prints", async () => {
  await open({ code: "import torch\nx = torch.arange(6).view(2, 3)\nprint('before')\ny = x.t()\nprint(y.shape)", step: 2 });
  await here.page.locator("#ask").check();
  await settled();
  assert.equal(await here.page.locator("#written").textContent(), "before\n");
});
