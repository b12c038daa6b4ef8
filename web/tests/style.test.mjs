// The picture of an element is elements: what they are, and what the page's own style does to them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { child, code, escaped, inCourse } from "./course.mjs";

const { here, course, loaded, settled, figure } = inCourse();
const styled = (style) => ({
  script: `<script type="module" src="stridescope.min.js"></script><style>${style}</style>`,
});
const styleOf = (selector, property) =>
  figure()
    .first()
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element)[name], property);

test("the page's style reaches what stands around the picture, by parts and by names, and nothing else", async () => {
  await course(
    `<stride-scope controls>${child}</stride-scope>`,
    styled(
      "stride-scope { --stridescope-panel: rgb(1, 2, 3); --stridescope-rule: rgb(4, 5, 6) } stride-scope::part(controls) { background: rgb(7, 8, 9) } button { display: none } rect, text { fill: red }",
    ),
  );
  await loaded();
  assert.equal(await styleOf("#figure", "borderTopColor"), "rgb(4, 5, 6)");
  assert.equal(await styleOf("#controls", "backgroundColor"), "rgb(7, 8, 9)");
  assert.notEqual(await styleOf("#play", "display"), "none");
  assert.equal(
    await figure()
      .locator("#picture")
      .evaluate((picture) =>
        [...picture.querySelectorAll("*")].some((item) => getComputedStyle(item).fill === "rgb(255, 0, 0)"),
      ),
    false,
  );
});

test("cells, strip, grid and path are parts of the picture", async () => {
  await course(
    `<stride-scope step="1">${child}</stride-scope>`,
    styled(
      "stride-scope::part(cell) { stroke: rgb(1, 2, 3) } stride-scope::part(strip) { opacity: 0.5 } stride-scope::part(grid) { opacity: 0.25 } stride-scope::part(path) { opacity: 0.75 }",
    ),
  );
  await loaded();
  const cells = await figure()
    .locator("[part=cell]")
    .evaluateAll((all) => all.map((cell) => [cell.closest("g").getAttribute("part"), getComputedStyle(cell).stroke]));
  assert.equal(cells.filter(([part]) => part === "grid").length, 12);
  assert.equal(cells.filter(([part]) => part === "strip").length, 12);
  assert.ok(cells.every(([, stroke]) => stroke === "rgb(1, 2, 3)"));
  for (const [part, opacity] of [
    ["strip", "0.5"],
    ["grid", "0.25"],
    ["path", "0.75"],
  ])
    assert.equal(await styleOf(`[part=${part}]`, "opacity"), opacity, part);
  await figure().evaluate((element) => element.setAttribute("view", "strip"));
  await settled();
  assert.deepEqual(
    await figure()
      .locator("#picture g[part]")
      .evaluateAll((all) => all.map((group) => group.getAttribute("part"))),
    ["strip"],
  );
});

test("names recolour the picture; without them it has the theme's colours", async () => {
  await course(
    `<stride-scope step="1">${child}</stride-scope><stride-scope step="1" theme="dark">${child}</stride-scope>`,
  );
  await loaded(2);
  const colours = () =>
    figure().first().evaluate((element) => Object.fromEntries(["background", "head", "axis0", "text"].map((part) => {
      const { fill, stroke } = getComputedStyle(element.shadowRoot.querySelector(`#picture [part=${part}]`));
      return [part, fill === "none" ? stroke : fill];
    })));
  const cells = () =>
    figure()
      .first()
      .locator("[part=strip] [part=cell]")
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).fill));
  const [before, shades] = [await colours(), await cells()];
  assert.equal(before.background, "rgb(255, 255, 255)");
  assert.equal(new Set(shades).size, 12, "a shade for each place in storage");
  await figure().first().evaluate((element) => {
    for (const [name, value] of Object.entries({
      ground: "#010203",
      head: "#040506",
      axis0: "#070809",
      ink: "#0a0b0c",
      "cell-pale": "#ffffff",
      "cell-deep": "#ff0000",
    }))
      element.style.setProperty(`--stridescope-${name}`, value);
  });
  assert.deepEqual(await colours(), {
    background: "rgb(1, 2, 3)",
    head: "rgb(4, 5, 6)",
    axis0: "rgb(7, 8, 9)",
    text: "rgb(10, 11, 12)",
  });
  const greens = (await cells()).map((fill) => Number(/srgb [\d.]+ ([\d.]+)/.exec(fill)[1]));
  assert.deepEqual(greens, [...greens].sort((a, b) => b - a), "from pale to deep along the storage");
  assert.ok(greens[0] > 0.6 && greens.at(-1) < 0.4, greens.join());
});

const programs = {
  "a transposed view": "x = torch.arange(12).view(3, 4)\ny = x.t()",
  "a view that fails": code,
  "cells too small to draw one by one": "x = torch.arange(10**6).view(1000, 1000)\ny = x.t()",
  "a line of memory in Chinese": "x = torch.arange(6)[::2]",
};
for (const [name, program] of Object.entries(programs))
  for (const theme of ["light", "dark"])
    test(`the elements are those of the exported SVG: ${name}, ${theme}`, async () => {
      await course(
        `<stride-scope theme="${theme}" code="${escaped(program)}"${/Chinese/.test(name) ? ' lang="zh"' : ""}></stride-scope>`,
      );
      await loaded();
      const agree = async () => {
        await settled();
        const [ours, theirs] = await figure().evaluate(async (element) => {
          const lengths = [
            "x",
            "y",
            "width",
            "height",
            "rx",
            "d",
            "font-size",
            "font-weight",
            "text-anchor",
            "transform",
            "stroke-width",
            "stroke-dasharray",
          ];
          const own = (paint) => /, (#\w+)\)/.exec(paint)?.[1].slice(0, 7) ?? paint;
          const seen = (item) =>
            [
              item.localName.replace("foreignObject", "image"),
              ...lengths.map(
                (name) =>
                  item.getAttribute(name) ?? (name === "stroke-width" && item.getAttribute("stroke") ? "1" : ""),
              ),
              own(item.getAttribute("fill") ?? ""),
              own(item.getAttribute("stroke") ?? ""),
              item.textContent,
            ].join("|");
          const document_ = new DOMParser().parseFromString(await element.toSVG(), "image/svg+xml");
          const list = (root, within) =>
            [...root.querySelectorAll("rect, path, text, image, foreignObject")]
              .filter((item) => item.closest(within))
              .map(seen);
          return [list(element.shadowRoot, "#picture"), list(document_, "svg")];
        });
        assert.ok(ours.length > 20);
        assert.deepEqual(ours, theirs);
      };
      await agree();
      await figure().evaluate((element) => element.seek(3)); // and where elements of the picture before are used again
      await agree();
      await figure().evaluate((element) => element.setAttribute("step", "0"));
      await agree();
      await figure().evaluate((element) => element.setState(`${element.getState()}&zoom=-12`));
      await agree();
      if (/too small/.test(name))
        assert.ok((await figure().locator("#picture canvas").count()) > 0, "and where cells are pixels");
    });
