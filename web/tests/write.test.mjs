// Writing: results under lines, problems with their fixes, what is pasted, and that nothing typed is ever lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inBrowser, story } from "./browser.mjs";

const here = inBrowser();
const { open, settled, steps, chooseStep, program, write, paste } = here;

test("under each line stands its name, its layout and what it is to its input", async () => {
  await open({
    code: "x = torch.arange(6).view(2, 3)\ny = x[:, 1:]\nz = y.contiguous()\nw = z.contiguous()\nx[0] = 1\nx.nonesuch\ny.shape",
  });
  assert.deepEqual(await steps(), [
    ["x (2, 3):(3, 1)+0", "new"],
    ["y (2, 2):(3, 1)+1", "view"],
    ["z (2, 2):(2, 1)+0", "copy"],
    ["w (2, 2):(2, 1)+0", "same"],
    ["x, y changed", "write"],
    ["AttributeError: 'Tensor' object has no attribute 'nonesuch'", "error"],
    ["torch.Size([2, 2])", ""],
  ]);
});

test("several tensors of one line are told apart by name", async () => {
  await open({ code: "a, b = torch.arange(6).view(2, 3).split(1)" });
  assert.deepEqual(await steps(), [["a (1, 3):(3, 1)+0  b (1, 3):(3, 1)+3", "view"]]);
});

test("a row keeps its place under its line while lines are written above it", async () => {
  await open({ code: story });
  await here.page.locator(".cm-content").click();
  await here.page.keyboard.press("Control+Home");
  await here.page.keyboard.type("# a remark\n");
  await settled();
  assert.deepEqual((await steps()).map(([, mark]) => mark), ["new", "view", "error", "copy"]);
  const order = await here.page
    .locator("#editor")
    .evaluate((host) =>
      [...host.shadowRoot.querySelectorAll(".cm-line, .outcome")].map((row) => row.className.split(" ")[0]),
    );
  assert.deepEqual(order.slice(0, 5), ["cm-line", "cm-line", "outcome", "cm-line", "outcome"]);
});

test("a problem is underlined where it is, with the library's message, the reason and its fixes", async () => {
  await open({ code: story });
  const marked = here.page.locator(".cm-lintRange-error");
  assert.equal(
    await marked.evaluateAll((parts) => parts.map((part) => part.textContent).join("")),
    "-1",
    "the argument at fault",
  );
  await marked.first().hover();
  const tip = here.page.locator(".cm-tooltip-lint");
  await tip.waitFor();
  assert.match(await tip.textContent(), /RuntimeError: view size is not compatible.*cannot be merged/s);
  await tip.locator(".cm-diagnosticAction", { hasText: "reshape" }).first().click();
  await settled();
  assert.equal((await steps())[2][1], "copy");
});

test("the keyboard fixes the line that the cursor is on", async () => {
  await open({ code: story });
  await here.page.locator(".cm-line").nth(2).click();
  await here.page.keyboard.press("Control+.");
  await settled();
  assert.equal((await steps())[2][1], "copy");
});

test("all lines of a loop show the round that is looked at, which its header turns", async () => {
  await open({ code: "x = torch.arange(6).view(2, 3)\nfor row in x:\n  y = row[None]\nwhile y.dim() > 1:\n  y = y[0]" });
  const { page } = here;
  const rows = async () => (await steps()).slice(1, 3).map(([text]) => text);
  const rounds = () => page.locator("#editor .round").allTextContents();
  const turn = (name, at) => page.locator("#editor .round").nth(at).getByRole("button", { name });
  const chosen = () => page.locator("#editor .outcome.current").getAttribute("data-step");
  const last = ["row (3,):(1,)+3", "y (1, 3):(3, 1)+3"];
  assert.deepEqual(await rows(), last);
  assert.deepEqual(await rounds(), ["‹round 2 of 2›", "‹after round 1›"]);
  assert.ok(await turn("The round after", 0).isDisabled());
  await page.locator(".cm-line").nth(2).click();
  await settled();
  assert.equal(await chosen(), "4", "the line stays in the round that is shown");
  await turn("The round before", 0).click();
  await settled();
  assert.deepEqual(await rows(), ["row (3,):(1,)+0", "y (1, 3):(3, 1)+0"]);
  assert.equal(await chosen(), "2", "on the line that is looked at");
  await turn("The round before", 1).click();
  await settled();
  assert.deepEqual(await rounds(), ["‹round 2 of 2›", "‹round 1›"], "of another loop the last round");
  assert.deepEqual(await rows(), last);
});

test("lines that Python would not run are faint and say so", async () => {
  await open({ code: "x = torch.arange(4)\ntry: x.view(3)\nexcept KeyError:\n  y = 1\nexcept: z = 2\nelse:\n  y = 3" });
  assert.deepEqual(await here.page.locator(".cm-not-run").allTextContents(), ["not run", "not run"]);
  const faint = (await here.page.locator(".cm-passed").allTextContents()).map((text) => text.replace("not run", ""));
  assert.deepEqual(faint, ["y = 1", "else:", "  y = 3"]);
});

test("the lines of a function show the call that is looked at: of the line that calls, or the one turned to", async () => {
  const code =
    "def f(t, n=1):\n    u = t.t()\n    return u[n]\nx = torch.arange(6).view(2, 3)\ny = f(x)\nz = f(x[:, 1:], n=0)";
  await open({ code });
  const rows = async () => (await steps()).slice(0, 3).map(([text]) => text);
  const calls = () => here.page.locator("#editor .round").allTextContents();
  const last = ["t (2, 2):(3, 1)+1  n 0", "u (2, 2):(1, 3)+1", "(2,):(3,)+1"];
  assert.deepEqual(await calls(), ["‹call 2 of 2›"]);
  assert.deepEqual(await rows(), last);
  await here.page.locator(".cm-line").nth(4).click();
  await settled();
  assert.deepEqual(await calls(), ["‹call 1 of 2›"]);
  assert.deepEqual(await rows(), ["t (2, 3):(3, 1)+0  n 1", "u (3, 2):(1, 3)+0", "(2,):(3,)+1"]);
  await here.page.getByRole("button", { name: "The call after" }).click();
  await settled();
  assert.deepEqual(await rows(), last);
});

/** Types below what is there; a tilde is Backspace. @returns what stands there then */
async function typed(keys, code) {
  await open({ code });
  await here.page.locator(".cm-content").focus();
  await here.page.keyboard.press("Control+End");
  for (const key of keys) {
    await here.page.keyboard.press({ "\n": "Enter", " ": "Space", "~": "Backspace" }[key] ?? key);
    if (key === "\n") await here.page.keyboard.press("Escape"); // whatever is offered
  }
  await settled();
  return (await program()).replaceAll("not run", "");
}

test("a whole try is typed without a blank at the beginning of a line", async () => {
  assert.equal(
    await typed(
      "try:\nif x.dim():\nx.view(3)\nelif 1:  # so:\npass\nelse:\ny = 1\nexcept KeyError:\n" +
        "raise\nexcept (TypeError, ValueError):\ny = 2\nelse:\npass\nfinally:\nz = 3\n~1",
      "x = torch.arange(4)\n",
    ),
    "x = torch.arange(4)\ntry:\n    if x.dim():\n        x.view(3)\n    elif 1:  # so:\n        pass\n    else:\n" +
      "        y = 1\nexcept KeyError:\n    raise\nexcept (TypeError, ValueError):\n    y = 2\nelse:\n    pass\n" +
      "finally:\n    z = 3\n1",
  );
});

test("what is where it belongs, belongs to nothing or is in brackets stays where it is", async () => {
  const inner = "try:\n  try:\n    x = 1\n  ";
  assert.equal(await typed("except:\ny", inner), inner + "except:\n    y", "two blanks are what is written");
  assert.equal(await typed("except:", "if 1:\n    x = 1\n    "), "if 1:\n    x = 1\n    except:");
  assert.equal(await typed("exceptional = 1", "try:\n    x = 1\n    "), "try:\n    x = 1\n    exceptional = 1");
  const split = "if 1:\n    x = (1 if y\n      ";
  assert.equal(await typed("else 2", split), split + "else 2");
  assert.equal(await typed("\n2", "if 1:\n    x = y[1:"), "if 1:\n    x = y[1:\n    2");
  assert.equal(await typed("~x", "if 1:\n  if 2:\n    "), "if 1:\n  if 2:\n  x", "Backspace takes a level");
});

test("a pasted session becomes a program, and undoing once gives back what was pasted", async () => {
  await open({ code: story });
  await here.page.locator(".cm-content").click();
  await here.page.keyboard.press("Control+A");
  const session = ">>> x = torch.arange(6).view(2, 3)\n>>> x.t().stride()\n(1, 3)";
  await paste(session);
  assert.equal(await program(), "x = torch.arange(6).view(2, 3)\nx.t().stride()");
  assert.deepEqual(await steps(), [["x (2, 3):(3, 1)+0", "new"], ["(1, 3)", ""]]);
  assert.match(await here.page.locator("#toast").textContent(), /program/);
  await here.page.keyboard.press("Control+Z");
  await settled();
  assert.equal(await program(), session);
  await here.page.keyboard.press("Control+Z");
  await settled();
  assert.equal(await program(), story);
});

test("a pasted traceback, notebook cell and printed layout become programs", async () => {
  const programs = {
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    x.view(6, 4)\nRuntimeError: view size is not compatible':
      /^# RuntimeError.*x = torch.*x\.view\(6, 4\)$/s,
    "In [1]: y = torch.arange(4)\n\nIn [2]: y.view(2, 2)\nOut[2]:\ntensor([[0, 1],\n        [2, 3]])":
      /^y = torch\.arange\(4\)\ny\.view\(2, 2\)$/,
    "torch.Size([4, 3])\n(1, 4)": /^x = torch\.arange\(12\)\.as_strided\(\(4, 3\), \(1, 4\)\)$/,
  };
  for (const [text, expected] of Object.entries(programs)) {
    await open({ code: story });
    await here.page.locator(".cm-content").click();
    await here.page.keyboard.press("Control+A");
    await paste(text);
    assert.match(await program(), expected);
  }
});

test("a whole program that is pasted opens where Python stops, or at the last tensor with dimensions that it makes", async () => {
  const programs = {
    "import warnings\nwarnings.filterwarnings('ignore')\nx = torch.arange(6).view(4)\ny = x.t()\nprint(y)": /^x = torch\.arange\(6\)\.view\(4\)$/,
    "import warnings\nwarnings.filterwarnings('ignore')\nx = torch.arange(6)\ny = x[::2]\nprint(y.shape)": /^y = x\[::2\]$/,
    "import warnings\nwarnings.filterwarnings('ignore')\nx = torch.arange(6).view(2, 3)\nprint(x.stride())\nx[1, 2]\nprint(5)":
      /^x = torch\.arange\(6\)\.view\(2, 3\)$/,
  };
  for (const [text, expected] of Object.entries(programs)) {
    await open({ code: story });
    await here.page.locator(".cm-content").click();
    await here.page.keyboard.press("Control+A");
    await paste(text);
    await settled();
    assert.match(await here.page.locator("#editor .cm-current").textContent(), expected);
  }
});

test("what is pasted into the middle of a line stays as it is", async () => {
  await open({ code: "x = torch.arange(24).view()" });
  await here.page.locator(".cm-line").click();
  await here.page.keyboard.press("Control+End");
  await here.page.keyboard.press("ArrowLeft");
  await paste("torch.Size([2, 12])");
  assert.equal(await program(), "x = torch.arange(24).view(torch.Size([2, 12]))");
});

test("undo and redo go over typing, fixes and examples alike, by button and by key", async () => {
  await open({ code: story });
  await chooseStep(2);
  await here.page.locator("#explanation .fix").first().click();
  await settled();
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example", { hasText: "Strides for beginners" }).click();
  await settled();
  assert.match(await program(), /Strides for beginners/);
  await here.page.locator("#undo").click();
  await settled();
  assert.match(await program(), /z = y\.reshape\(-1\)\nz = y\.reshape/);
  await here.page.locator("#undo").click();
  await settled();
  assert.equal(await program(), story);
  await here.page.locator("#redo").click();
  await settled();
  assert.match(await program(), /z = y\.reshape\(-1\)\nz = y\.reshape/);
});

test("a keystroke is kept at once, so that not even a crash loses it", async () => {
  await open();
  await write("kept = torch.zeros(1)");
  await here.page.keyboard.type("23");
  const page = here.page;
  here.page = await here.context.newPage(); // the first is not even told to leave
  await here.page.goto(here.site.url);
  await here.page.locator(".cm-content").waitFor();
  assert.equal(await program(), "kept = torch.zeros(1)23");
  await page.close();
});

test("the program typed before a link was opened and changed is among the person's own in the menu", async () => {
  await open();
  await write("mine = torch.arange(7)");
  await open({ code: story });
  await write("theirs = torch.arange(8)");
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example.own", { hasText: "mine = torch.arange(7)" }).click();
  await settled();
  assert.equal(await program(), "mine = torch.arange(7)");
});

test("Back returns to the program before an example", async () => {
  await open();
  await write("mine = torch.arange(7)");
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example", { hasText: "Strides for beginners" }).click();
  await here.page.waitForFunction(() => /beginners|z=/.test(decodeURIComponent(location.hash)));
  await here.page.goBack();
  await here.page.waitForFunction(() => /mine/.test(location.hash));
  await settled();
  assert.equal(await program(), "mine = torch.arange(7)");
});

test("the plain editor works while the better one is on its way, and gives it what was typed", async () => {
  let release;
  const held = new Promise((done) => (release = done));
  await here.page.route("**/editor-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await here.page.goto(here.site.url);
  await here.page.locator("#listing .outcome").first().waitFor();
  await here.page.locator("#plain-editor").click();
  await here.page.keyboard.press("Control+A");
  await here.page.keyboard.type("x = torch.arange(5)");
  release();
  await here.page.locator(".cm-content").waitFor();
  await settled();
  assert.equal(await program(), "x = torch.arange(5)");
  await here.page.keyboard.type("# on");
  await settled();
  assert.equal(await program(), "x = torch.arange(5)# on", "the cursor is where it was");
});

test("a dot offers what the value before it has, and choosing writes it with its brackets", async () => {
  await open({ code: "x = torch.arange(6).view(2, 3)\n" });
  await here.page.locator(".cm-line").last().click();
  await here.page.keyboard.type("y = x.perm");
  const option = here.page.locator(".cm-tooltip-autocomplete li", { hasText: "permute" });
  await option.waitFor();
  // A list that has only just come takes no key, lest it take one meant for the text.
  await here.page.waitForTimeout(200);
  await here.page.keyboard.press("Enter");
  await here.page.keyboard.type("1, 0");
  await settled();
  assert.equal(await program(), "x = torch.arange(6).view(2, 3)\ny = x.permute(1, 0)");
  assert.deepEqual((await steps()).at(-1), ["y (3, 2):(1, 3)+0", "view"]);
});

test("while a call is written its signature is shown, with the argument at the cursor marked, until Escape", async () => {
  await open({ code: "x = torch.arange(6).view(2, 3)\n" });
  await here.page.locator(".cm-line").last().click();
  await here.page.keyboard.type("y = x.transpose(0, ");
  const help = here.page.locator(".cm-tooltip.cm-advice");
  await help.first().waitFor();
  assert.match(await help.first().textContent(), /transpose\(dim0: int, dim1: int\)/);
  assert.match(await help.first().locator("b").textContent(), /dim1/);
  await here.page.keyboard.press("Escape");
  await here.page.keyboard.press("Escape");
  await settled();
  assert.equal(await here.page.locator(".cm-tooltip.cm-advice").count(), 0);
});

test("sizes that do not fit are mended by one click, and have a picture of their own once one stops writing", async () => {
  await open({ code: "x = torch.arange(12).view(2, 6)\n" });
  await here.page.locator(".cm-content").focus();
  await here.page.keyboard.press("Control+End");
  await here.page.keyboard.type("y = x.view(6, 9)");
  await settled();
  assert.equal(await here.page.locator("#stage.stale").count(), 1, "while it is written");
  await here.page.locator("#stage:not(.stale)").waitFor();
  assert.equal(await here.page.locator("#do[inert]").count(), 0);
  await here.page.locator("#explanation .fix", { hasText: "(6, 2)" }).click();
  await settled();
  assert.match(await program(), /y = x\.view\(6, 2\)$/);
  assert.deepEqual((await here.steps()).at(-1), ["y (6, 2):(2, 1)+0", "view"]);
});

test("a comment is written without anything being made anew, and is in what is saved", async () => {
  await open({ code: "x = torch.arange(12).view(3, 4)", step: 0 });
  // Some time after the first picture the canvas takes all the room of the stage.
  await here.page.waitForFunction(() => {
    const [canvas, stage] = ["canvas", "stage"].map((id) => document.getElementById(id));
    return canvas.width >= stage.clientWidth && canvas.height >= stage.clientHeight;
  });
  await here.page.evaluate(() => {
    window.changes = [];
    const observer = new MutationObserver((list) =>
      window.changes.push(
        ...list.map(
          ({ target, type, attributeName }) => `${type} ${target.id || target.nodeName || ""} ${attributeName ?? ""}`,
        ),
      ),
    );
    for (const id of ["stage", "explanation", "notations", "chips", "odometer"])
      observer.observe(document.getElementById(id), {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
  });
  await here.page.locator(".cm-content").focus();
  await here.page.keyboard.press("Control+End");
  await here.page.keyboard.type(" # three rows");
  await settled();
  assert.deepEqual(await here.page.evaluate(() => window.changes), []);
  const download = here.page.waitForEvent("download");
  await here.share("save-svg");
  assert.match(readFileSync(await (await download).path(), "utf8"), /three rows|three%20rows/);
});

/** Types below a program. @returns the keys for which a picture was drawn */
async function drawing(code, keys) {
  await open({ code });
  await here.page.evaluate(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    window.texts = 0;
    CanvasRenderingContext2D.prototype.fillText = function (...text) {
      ++window.texts;
      return fillText.apply(this, text);
    };
  });
  await here.page.locator(".cm-content").press("Control+End");
  const drawn = [];
  for (const key of keys) {
    await here.page.evaluate(() => (window.texts = 0));
    await here.page.keyboard.press(key);
    await settled();
    if (await here.page.evaluate(() => window.texts > 0)) drawn.push(key);
  }
  return drawn;
}

test("the picture that stays while a line is half typed is the one that is there, and is not drawn again", async () => {
  const keys = ["Enter", "y", "Space", "=", "Space", "x", ".", "T"];
  assert.deepEqual(await drawing("x = torch.arange(6).view(2, 3)", keys), ["x", "T"]);
});

test("below a comment, too, the picture stays while a line is half typed", async () => {
  const keys = ["Enter", "#", "Space", "b", "Enter", "y", "Space", "=", "Space", "x", ".", "T"];
  assert.deepEqual(await drawing("# a\nx = torch.arange(6).view(2, 3)", keys), ["x", "T"]);
  assert.equal(await here.page.locator("#stage.stale").count(), 0);
});

test("the picture of a line that one leaves unfinished has the room that the one before had", async () => {
  await open({ code: "x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1)\n" }); // its chips stand in two rows
  const room = () => here.page.locator("#stage").evaluate((stage) => stage.clientHeight);
  const before = await room();
  await here.page.locator(".cm-content").press("Control+End");
  for (const keys of ["z = y", " -"]) {
    await here.page.keyboard.type(keys);
    await settled(); // the first has a picture of its own
  }
  for (const key of ["ArrowUp", "ArrowDown"]) await here.page.keyboard.press(key);
  await here.page.locator("#do.nothing").waitFor();
  await settled();
  assert.equal(await here.page.locator(".chip").count(), 0);
  assert.equal(await room(), before);
});

test("another program that was pasted over the old one keeps nothing of its picture", async () => {
  await open();
  await write("import torch\nx = torch.arange(12)\ny = x.vew(3, 4)");
  await settled();
  assert.equal(await here.page.locator("#stage.stale").count(), 0);
  assert.equal(await here.page.locator("#unfinished").isVisible(), false);
  assert.match(await here.page.locator("#description").textContent(), /vew/);
});

test("what cannot be imported is told under its line, and beside no other", async () => {
  await open({ code: "import pandas as pd\nx = torch.arange(6)\ny = x.view(2, 3)", step: 1 });
  const told = here.page.locator("#editor .outcome.error");
  assert.match(await told.textContent(), /pandas/);
  assert.doesNotMatch(await here.page.locator("#explanation").textContent(), /pandas/);
  await chooseStep(0);
  await settled();
  assert.match(await here.page.locator("#explanation").textContent(), /pandas/);
});

test("Undo and Redo look as if they did something only where they do, and keep the focus", async () => {
  await open({ code: story });
  const dead = () =>
    here.page.evaluate(() => ["undo", "redo"].map((id) => document.getElementById(id).ariaDisabled === "true"));
  assert.deepEqual(await dead(), [true, true]);
  await write("x = torch.arange(3)");
  assert.deepEqual(await dead(), [false, true]);
  await here.page.locator("#undo").focus();
  await here.page.keyboard.press("Enter");
  await settled();
  assert.equal(await program(), story);
  assert.deepEqual(await dead(), [true, false]);
  assert.equal(await here.page.evaluate(() => document.activeElement.id), "undo");
});
