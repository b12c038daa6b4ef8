// Figure files of hostile programs, put into a page as they are: a sanitizer finds nothing to take away, and nothing
// runs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inBrowser } from "./browser.mjs";
import { root } from "./serve.mjs";

const here = inBrowser({ bypassCSP: true });
const purifier = readFileSync(createRequire(import.meta.url).resolve("dompurify/dist/purify.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "stridescope-"));
after(() => rmSync(folder, { recursive: true }));
execFileSync("python3", [join(root, "tests/native/hostile.py"), folder]);
const programs = readdirSync(folder).map((name) => join(folder, name));

for (const [kind, options] of [["svg", []], ["svg", ["--animate"]], ["html", ["--all-steps"]]])
  test(`DOMPurify would change no figure: ${[kind, ...options].join(" ")}`, async () => {
    assert.ok(programs.length >= 500);
    const out = join(folder, kind + options.join(""));
    mkdirSync(out);
    execFileSync(join(root, "build/bin/stridescope"), ["render", ...programs, "-T", kind, "-o", out, ...options]);
    here.site.pages.set(
      "empty.html",
      '<!doctype html><html lang="en"><title>Course</title><link rel="icon" href="data:,"><main></main>',
    );
    await here.page.goto(here.site.url + "empty.html");
    await here.page.evaluate(purifier);
    const files = readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")]);
    const found = await here.page.evaluate((figures) => {
      window.hacked = [];
      window.alert = (number) => window.hacked.push(number); // the programs' own say 1
      const main = document.querySelector("main");
      return figures.map(([name, text]) => {
        const { body } = new DOMParser().parseFromString(text, "text/html");
        const html = body.innerHTML, clean = DOMPurify.sanitize(html);
        const removed = DOMPurify.removed.map(
          ({ element, attribute }) => element?.outerHTML ?? `${attribute?.name}="${attribute?.value}"`,
        );
        main.innerHTML = html;
        return { name, removed, same: clean === html, shown: main.querySelectorAll("svg").length > 0 };
      });
    }, [...files, ["a control", "<svg onload='alert(0)'><script>alert(2)</script></svg>"]]);
    const control = found.pop();
    assert.ok(control.removed.length > 1 && !control.same);
    assert.deepEqual(found.filter(({ removed, same, shown }) => removed.length || !same || !shown), []);
    await here.settled();
    assert.ok(!(await here.page.evaluate(() => window.hacked)).includes(1));
  });
