// Keeping: links of every kind, copies, pictures, paper, and the page without a network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { inBrowser, story } from "./browser.mjs";
import { link } from "./serve.mjs";

const here = inBrowser({ permissions: ["clipboard-read", "clipboard-write"] });
const { open, settled, steps, program, write, share } = here;
const packed = (bytes) => deflateRawSync(bytes).toString("base64url");
const clipboard = () => here.page.evaluate(() => navigator.clipboard.readText());
const visit = async (hash) => {
  await here.page.goto("about:blank");
  await here.page.goto(here.site.url + hash);
  await here.page.locator(".cm-content").waitFor();
  await settled();
};

// Links made by version 1 of the page, as they were made. Never change these: they must open for ever.
const oldLinks = {
  "#v=1&code=x%20%3D%20torch.arange(6).view(2%2C%203)%0Ay%20%3D%20x.t()&step=1&head=3&theme=dark&lang=en": {
    program: "x = torch.arange(6).view(2, 3)\ny = x.t()",
    theme: "dark",
    head: "read 4 of 6",
  },
  "#v=1&code=m%20%3D%20np.arange(12).reshape(3%2C%204)%5B%3A%3A-1%5D&labels=offset&colour=row&unit=bytes&lang=zh": {
    program: "m = np.arange(12).reshape(3, 4)[::-1]",
    lang: "zh-Hans",
  },
  "#v=1&z=S1SwVSjJL0rO0EssSsxLT9UwMtHUK8tMLdcw0lEw1lEw0eRKUrBVSNQrSC3KLS1JBQkb6CgYanIlK9gqJOkVpRZnJBakapjoKJhpcqWgiOkaanKlgkWS8_NKMtNL80uLNaCmg-SUFZ427AEA&step=1&lang=en":
    {
      program:
        "a = torch.arange(24).view(2, 3, 4)\nb = a.permute(2, 0, 1)\nc = b.reshape(4, 6)\nd = b.reshape(-1)\ne = b.contiguous().view(-1)\n# 值",
      head: "read 1 of 24",
    },
};

for (const [hash, expected] of Object.entries(oldLinks))
  test(`an old link opens for ever: ${hash.slice(0, 40)}..`, async () => {
    await visit(hash);
    assert.equal(await program(), expected.program);
    if (expected.theme) assert.equal(await here.page.locator("html").getAttribute("data-theme"), expected.theme);
    if (expected.lang) assert.equal(await here.page.locator("html").getAttribute("lang"), expected.lang);
    if (expected.head) assert.equal(await here.head(), expected.head);
    assert.equal(await here.page.locator("#notice").isVisible(), false);
  });

test("a theme that was chosen is in the link, light too; one that follows the system is not", async () => {
  await here.page.emulateMedia({ colorScheme: "dark" });
  await open({ code: story });
  const shared = () =>
    here.page.waitForFunction(() => location.hash.length > 9).then(() => new URL(here.page.url()).hash);
  assert.doesNotMatch(await shared(), /theme/);
  await here.page.locator("#theme").selectOption("light");
  await here.page.waitForFunction(() => location.hash.includes("theme=light"));
  const light = await shared();
  await here.page.evaluate(() => localStorage.clear());
  await visit(light);
  assert.equal(await here.page.locator("html").getAttribute("data-theme"), "light", "also where the system is dark");
  await here.page.locator("#theme").selectOption("auto");
  await here.page.waitForFunction(() => !location.hash.includes("theme"));
});

test("a short program stands in the link as it is, a long one deflated where that is a fifth shorter", async () => {
  await open();
  await write("x = 1");
  await here.page.waitForFunction(() => location.hash.includes("code="));
  const long = Array.from({ length: 12 }, (_, i) => `x${i} = torch.arange(${i}).view(${i}, 1).expand(${i}, 4)`).join(
    "\n",
  );
  await write(long);
  await here.page.waitForFunction(() => location.hash.includes("z="));
  const address = here.page.url();
  assert.ok(address.length - here.site.url.length <= 0.8 * link({ code: long }).length);
  await here.context.clearCookies();
  await here.page.evaluate(() => localStorage.clear());
  await visit(new URL(address).hash);
  assert.equal(await program(), long);
});

test("the copied link opens the same program, step and head elsewhere", async () => {
  await open({ code: story, step: 1, head: 5 });
  await share("copy-link");
  await here.page.locator("#toast").waitFor();
  const address = await clipboard();
  await here.page.evaluate(() => localStorage.clear());
  await visit(new URL(address).hash);
  assert.equal(await program(), story);
  assert.equal(await here.head(), "read 6 of 12");
});

test("a link that is opened while the address is about to hold something else is opened all the same", async () => {
  await open({ code: "x = torch.arange(2)" });
  await here.page.evaluate((hash) => {
    location.hash = hash;
    history.replaceState(null, "", "#v=1&code=late"); // as what was typed a moment before is held
  }, link({ code: "x = torch.arange(6)" }));
  await settled();
  assert.equal(await program(), "x = torch.arange(6)");
});

test("a link that would inflate without end, is damaged, or is no text says so and keeps what there was", async () => {
  await open();
  await write("mine = torch.arange(3)");
  const links = {
    "a bomb": [`#v=1&z=${packed(Buffer.alloc(40_000_000, 97))}`, /longer than 65536/],
    "a damaged link": ["#v=1&z=AAAA____zzzz", /damaged/],
    "no base64": ["#v=1&z=%%%%", /damaged/],
    "no text": [`#v=1&z=${packed(Buffer.from([0xff, 0xfe, 0xff]))}`, /damaged/],
    "an empty one": ["#v=1&z=", /damaged/],
    "a link cut off": [`#v=1&z=${packed(Buffer.from(story.repeat(20))).slice(0, 60)}`, /damaged/],
    "a link too long to be read": [`#v=1&z=${"A".repeat(70_000)}`, /longer than 65536/],
  };
  for (const [what, [hash, message]] of Object.entries(links)) {
    const begin = Date.now();
    await visit(hash);
    assert.match(await here.page.locator("#notice").textContent(), message, what);
    assert.equal(await program(), "mine = torch.arange(3)", what);
    assert.ok(Date.now() - begin < 20_000, what);
  }
});

test("the code is copied as it is written, and as Python that asserts itself", async () => {
  await open({ code: story });
  await share("copy-code");
  await here.page.locator("#toast").waitFor();
  assert.equal(await clipboard(), story);
  await share("copy-python");
  await here.page.waitForFunction(async () => /assert/.test(await navigator.clipboard.readText()));
  assert.match(await clipboard(), /assert .*\(6, 1, 2\)/);
});

test("the saved PNG is the saved SVG, twice as fine and as wide as the stage", async () => {
  await open({ code: story, step: 1 });
  const saved = async (what) => {
    const download = here.page.waitForEvent("download");
    await share(what);
    return readFileSync(await (await download).path());
  };
  const png = await saved("save-png"), svg = String(await saved("save-svg"));
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  const size = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const drawn = /width="(\d+)" height="(\d+)"/.exec(svg).slice(1).map(Number);
  assert.deepEqual(size, [2 * drawn[0], 2 * drawn[1]]);
  const stage = await here.page.locator("#canvas").evaluate((canvas) => canvas.getBoundingClientRect().width);
  assert.ok(Math.abs(drawn[0] - stage) <= 1, `${drawn[0]} and ${stage}`);
});

test("paper has the step as a vector picture, the code with its outcomes, and the tensors as a table", async () => {
  await open({ code: story, step: 1 });
  await here.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await here.page.emulateMedia({ media: "print" });
  assert.equal(await here.page.locator("#sheet svg").isVisible(), true);
  assert.equal(await here.page.locator("header").isVisible(), false);
  assert.match(
    await here.page.locator("#sheet .listing").textContent(),
    /y = x\.permute\(0, 2, 1\).*\(2, 2, 3\):\(6, 1, 2\)\+0.*view/s,
  );
  assert.deepEqual(
    await here.page
      .locator("#sheet tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))),
    [
      ["x", "(2, 3, 2)", "(6, 2, 1)", "0", "torch int64"],
      ["y", "(2, 2, 3)", "(6, 1, 2)", "0", "torch int64"],
    ],
  );
  const paper = await here.page.pdf({ format: "A4" });
  assert.ok(paper.length > 10_000);
  const pages = (pdf) => pdf.toString("latin1").match(/\/Type \/Page\b/g).length;
  assert.equal(pages(paper), 1, "all of a short program");
  await here.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await here.page.locator("#sheet *").count(), 0);
});

test("once loaded, the page works without a network", async () => {
  await here.elsewhere();
  await open({ code: story });
  await here.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    while (registration.active?.state !== "activated") await new Promise((done) => setTimeout(done, 50));
  });
  await here.context.setOffline(true);
  await open({ code: "x = torch.arange(4)" });
  assert.deepEqual(await steps(), [["x (4,):(1,)+0", "new"]]);
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example").first().waitFor();
});

test("no request goes to another host", async () => {
  const hosts = new Set();
  here.context.on("request", (request) => hosts.add(new URL(request.url()).host));
  await open();
  await here.page.locator("#open-examples").click();
  await here.page.locator(".example").first().click();
  await settled();
  assert.deepEqual([...hosts].filter(Boolean), [new URL(here.site.url).host]);
});
