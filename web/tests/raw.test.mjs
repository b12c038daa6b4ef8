// The raw panel: sizes, strides and offset as numbers, by slider and as they are typed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindsNothing } from "./axe.mjs";
import { inBrowser } from "./browser.mjs";

const here = inBrowser({ bypassCSP: true }); // for axe
const { open, settled, program } = here;
const lines = async () => (await program()).split("\n").slice(1);
const accessible = (state) => axeFindsNothing(here.page, state);
const said = (text) =>
  here.page.waitForFunction((part) => document.getElementById("live").textContent.includes(part), text);
/** What the picture shows, in words. */
const picture = () => here.page.locator("#description").textContent();
const undo = async () => {
  await here.page.locator("#undo").click();
  await settled();
};

test("a panel opens below the picture, which stays where it is", async () => {
  await open({ code: "x = torch.arange(12).view(3, 4)\ny = x.t()", step: 1 });
  const place = () => here.page.locator("#canvas").boundingBox();
  const { x, y, height } = await place(), still = await here.page.locator("#stage").getAttribute("data-items");
  for (const panel of ["raw", "shapes"]) {
    await here.page.locator(`#open-${panel}`).click();
    await settled();
    const opened = await here.page.locator(`#${panel}`).boundingBox();
    const stage = await here.page.locator("#stage").boundingBox();
    assert.deepEqual([(await place()).x, (await place()).y, (await place()).height], [x, y, height], panel);
    assert.ok(opened.y >= stage.y + stage.height, panel);
    assert.equal(await here.page.locator("#stage").getAttribute("data-items"), still, "with all its figures");
  }
});

test("a preview says that it is one, and the head walks over what is shown", async () => {
  await open({ code: "x = torch.arange(12).view(3, 4)\ny = x.t()", step: 1 });
  await here.page.locator("#open-raw").click();
  await here.page.getByRole("slider", { name: "stride of dim 0" }).press("Home");
  await settled();
  assert.equal(await here.page.locator("#preview").isVisible(), true);
  for (let k = 0; k < 3; ++k) await here.page.locator("#forward").click();
  await settled();
  const told = await here.page.locator(".quantity.index [role=cell]").allTextContents();
  assert.equal(told[0], "[1, 0]");
  const offset = await here.page.locator(".quantity.offset [role=cell]").allTextContents();
  assert.equal(offset[0], "0", "of the layout that is tried, not of y");
  await here.page.getByRole("button", { name: "Start over" }).click();
  await settled();
  assert.equal(await here.page.locator("#preview").isVisible(), false);
});

test("a number that is typed beyond its bounds stays, is told why it cannot be, and is taken once it can be", async () => {
  await open({ code: "x = torch.arange(12)" });
  await here.page.locator("#open-raw").click();
  const field = (name) => here.page.getByRole("spinbutton", { name, exact: true });
  const [size, stride] = [field("size of dim 0"), field("stride of dim 0")];
  const problem = here.page.locator("#raw-problem"), write = here.page.getByRole("button", { name: "Write this line" });
  const still = await picture();
  await size.fill("99");
  await size.press("Enter");
  await settled();
  assert.equal(await size.inputValue(), "99");
  assert.equal(await size.getAttribute("aria-invalid"), "true");
  assert.equal(await size.getAttribute("aria-describedby"), "raw-problem");
  assert.match(await problem.textContent(), /^\S.+ The most for the size of dim 0 is 12\./);
  await said("The most for the size of dim 0 is 12.");
  await accessible("a number that is refused");
  await size.press("Enter");
  assert.ok(await write.isDisabled());
  assert.equal(await picture(), still);
  assert.deepEqual(await lines(), []);
  await problem.getByRole("button", { name: "Take 12" }).click();
  assert.equal(await size.inputValue(), "12");
  assert.ok(await size.evaluate((input) => input === document.activeElement && !input.ariaInvalid));
  assert.ok(await problem.isHidden());

  await stride.fill("5");
  await stride.press("Tab");
  assert.match(await problem.textContent(), /The most for the stride of dim 0 is 1\./);
  await size.fill("3");
  await size.press("Enter");
  assert.equal(await stride.inputValue(), "5", "it fits three elements");
  assert.ok(await problem.isHidden());
  await stride.fill("-1");
  await stride.press("Enter");
  assert.match(await problem.textContent(), /The least for the stride of dim 0 is 0\./);
  await stride.fill("4");
  await stride.press("Enter");
  assert.deepEqual(await lines(), [], "the first Enter takes the number");
  await stride.press("Enter");
  await settled();
  assert.deepEqual(await lines(), ["y = torch.as_strided(x, (3,), (4,), 0)"]);
});

test("the raw panel lets no illegal layout in, shows it live and writes it as one line", async () => {
  await open({ code: "x = torch.arange(12)" });
  await here.page.locator("#open-raw").click();
  const field = (name) => here.page.getByRole("spinbutton", { name, exact: true });
  const still = await picture();
  assert.equal(await field("size of dim 0").getAttribute("max"), "12");
  await field("size of dim 0").fill("4");
  await field("size of dim 0").press("Tab");
  await settled();
  assert.notEqual(await picture(), still);
  assert.equal(await field("stride of dim 0").getAttribute("max"), "3");
  await here.page.getByRole("slider", { name: "stride of dim 0" }).press("End");
  await here.page.getByRole("slider", { name: "storage offset" }).press("ArrowRight");
  await here.page.getByRole("button", { name: "Add a dim" }).click();
  await here.page.getByRole("slider", { name: "size of dim 1" }).press("End");
  await accessible("the raw panel");
  assert.deepEqual(await lines(), []);
  await here.page.getByRole("button", { name: "Write this line" }).click();
  await settled();
  assert.deepEqual(await lines(), ["y = torch.as_strided(x, (4, 1), (3, 3), 1)"]);
  await undo();
  assert.equal(await picture(), still);

  const made = [];
  for (const name of ["contiguous", "broadcast", "transpose", "flip", "diagonal", "rolling window"]) {
    await here.page.getByRole("group", { name: "Presets" }).getByRole("button", { name }).click();
    await settled();
    made.push((await lines()).at(-1).replace("y = ", ""));
    assert.equal((await here.steps()).some(([, mark]) => mark === "error"), false, name);
    await undo();
  }
  assert.equal(new Set(made).size, 6, made.join("\n"));
});
