// The canvas and the exported SVG are two renderers of one scene; here each picture is compared with the other, pixel
// by pixel, so that they cannot drift unseen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { facesOf, launch, pictureOf, serve, turn } from "./serve.mjs";

const require = createRequire(import.meta.url);
const font = (file) => `data:font/woff2;base64,${readFileSync(require.resolve(file)).toString("base64")}`;
// An SVG shown as an image may not use the page's fonts, so for the comparison it carries them.
const faces = [
  ["JetBrains Mono", 400, "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2"],
  ["JetBrains Mono", 600, "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-600-normal.woff2"],
  ["Inter", "100 900", "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"],
]
  .map(([family, weight, file]) => `@font-face{font-family:"${family}";font-weight:${weight};src:url(${font(file)})}`)
  .join("");

const programs = {
  "a fresh tensor": { code: "x = torch.arange(24).view(2, 3, 4)" },
  "a permuted view": { code: "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)", head: 4 },
  "a view that fails": { code: "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1).view(-1)" },
  "a copy": {
    code: "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.reshape(-1)",
    head: 7,
    theme: "dark",
  },
  "a view of a transposed tensor": { code: "z = torch.arange(12).reshape(3, 4).t()\nz.view(2, 2, 3)" },
  "negative strides": { code: "a = np.arange(12).reshape(3, 4)[::-1, ::2]", head: 3 },
  "an expanded tensor": { code: "y = torch.arange(3).view(3, 1).expand(3, 4)", theme: "dark" },
  "a write seen in its aliases": { code: "x = torch.arange(6)\ny = x.view(2, 3)\ny[0, 1] = 99" },
  "10**12 elements": {
    code: "y = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)",
    head: 123456789012,
  },
  "an explanation in Chinese": { code: "x = torch.arange(8).view(2, 4)\ny = x.t()", lang: "zh" },
};

// Both are drawn by the same rasteriser from the same numbers, but an SVG's text is placed on its own sub-pixel grid
// and its edges are blended in another order. So a pixel agrees when some pixel at most one away is within 1/4 of the
// range in every channel, and 0.1 % of the pixels may fail that: enough for edges of letters that fall between, and
// far less than any item that is missing, moved by 2 px or of another colour (an 8 px square is 0.01 % to 0.1 %).
const near = 64;
const allowed = 0.001;

let site, browser;
const tabs = {}; // by pixel ratio: one on the page, and a blank one without the page's content policy
before(async () => {
  site = await serve();
  browser = await launch();
  for (const ratio of [1, 2]) {
    const context = await browser.newContext({
      viewport: { width: 940, height: 900 }, // where the picture on the page says why, as that in a file does
      deviceScaleFactor: ratio,
      serviceWorkers: "block",
    });
    // The last that is opened is in front: one behind it gets no frames but one in a second.
    tabs[ratio] = { blank: await context.newPage(), page: await context.newPage() };
    await tabs[ratio].page.goto(site.url);
    await tabs[ratio].page.locator(".cm-content").waitFor();
    await facesOf(tabs[ratio].page);
  }
});
after(async () => {
  await browser.close();
  site.close();
});

for (const ratio of [1, 2])
  for (const [name, fields] of Object.entries(programs))
    test(`canvas and SVG agree on ${name}, at ${ratio} device pixels a pixel`, async () => {
      const { page, blank } = tabs[ratio];
      await turn(page, { theme: "light", lang: "en", ...fields });
      const canvas = await pictureOf(page);
      const download = page.waitForEvent("download");
      await page.locator("#open-share").click();
      await page.locator("#save-svg").click();
      const svg = readFileSync(await (await download).path(), "utf8");
      const { differ, pixels } = await blank.evaluate(compare, {
        canvas,
        svg: svg.replace(/(<svg[^>]*>)/, `$1<style>${faces}</style>`),
        near,
      });
      assert.ok(pixels > 100_000);
      assert.ok(
        differ / pixels <= allowed,
        `${differ} of ${pixels} pixels differ (${((100 * differ) / pixels).toFixed(3)} %)`,
      );
    });

/** Runs in the browser. */
async function compare({ canvas, svg, near }) {
  const image = (source) =>
    new Promise((done, failed) => {
      const element = new Image();
      element.onload = () => done(element);
      element.onerror = () => failed(new Error("the picture cannot be shown"));
      element.src = source;
    });
  const drawn = await image(canvas);
  const { width, height } = drawn;
  const pixels = (picture) => {
    const surface = Object.assign(document.createElement("canvas"), { width, height });
    const context = surface.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image(source); // the fonts inside are decoded by the first showing
  await new Promise((done) => setTimeout(done, 200));
  const [a, b] = [pixels(drawn), pixels(await image(source))];
  const close = (i, j) => [0, 1, 2].every((channel) => Math.abs(a[4 * i + channel] - b[4 * j + channel]) <= near);
  let differ = 0;
  for (let y = 1; y + 1 < height; ++y)
    for (let x = 1; x + 1 < width; ++x) {
      const i = y * width + x;
      if (close(i, i)) continue;
      let found = false;
      for (let dy = -1; dy <= 1 && !found; ++dy)
        for (let dx = -1; dx <= 1 && !found; ++dx) found = close(i, i + dy * width + dx);
      if (!found) ++differ;
    }
  return { differ, pixels: width * height };
}
