// The package as people get it: packed by npm, installed, and used by a bundler, by a plain page and by a server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { launch, root, serve } from "./serve.mjs";

const code = "x = torch.arange(6).view(2, 3)\ny = x.t()";
const icon = '<link rel="icon" href="data:,">';
let project, browser, traced;
const npm = (...args) =>
  execFileSync("npm", args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const put = (name, text) => writeFileSync(join(project, name), text);

before(async () => {
  project = mkdtempSync(join(tmpdir(), "stridescope-"));
  put("package.json", '{"name": "course", "private": true, "type": "module"}');
  const [{ filename }] = JSON.parse(npm("pack", "--json", join(root, "build/package")));
  npm("install", "--offline", "--no-audit", "--no-fund", `./${filename}`);
  browser = await launch();
  put("everything.py", everything);
  traced = execFileSync(join(root, "build/bin/stridescope"), ["trace", "everything.py"], { cwd: project, encoding: "utf8" });
});
after(async () => {
  await browser.close();
  rmSync(project, { recursive: true });
});

/** Opens a page of a folder. @returns what its figures' programs are once all are drawn */
async function drawn(folder, page = "index.html") {
  const site = await serve(folder);
  const tab = await browser.newPage();
  const complaints = [];
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  try {
    await tab.goto(site.url + page);
    await tab.waitForFunction(() => {
      const all = [...document.querySelectorAll("stride-scope")];
      return (
        all.length > 0 &&
        all.every(
          (figure) =>
            figure.shadowRoot?.querySelector("#picture svg") ||
            figure.shadowRoot?.querySelector("[part=message]:not([hidden])"),
        )
      );
    });
    const states = await tab.evaluate(() =>
      [...document.querySelectorAll("stride-scope")].map(
        (figure) => figure.shadowRoot.querySelector("[part=message]").textContent || figure.getState(),
      ),
    );
    assert.deepEqual(complaints, []);
    return states.map((state) => decodeURIComponent(/code=([^&]*)/.exec(state)?.[1] ?? state));
  } finally {
    await tab.close();
    site.close();
  }
}

test("what is packed is what the exports name, and nothing else", () => {
  const files = readdirSync(join(project, "node_modules/stridescope")).sort();
  assert.deepEqual(files, [
    "element.js",
    "engine.js",
    "index.js",
    "inline.js",
    "package.json",
    "stridescope.min.js",
    "stridescope.wasm",
    "types",
  ]);
});

test("a Vite project builds with it, and the engine is a file of its own under a name by its contents", async () => {
  put(
    "index.html",
    `<!doctype html><html lang="en"><title>Course</title>${icon}<script type="module" src="./main.js"></script><stride-scope><pre>${code}</pre></stride-scope>`,
  );
  put("main.js", 'import "stridescope";\n');
  await build({ root: project, configFile: false, logLevel: "error", base: "./" });
  assert.ok(
    readdirSync(join(project, "dist/assets")).some((name) => /^stridescope-.+\.wasm$/.test(name)),
    String(readdirSync(join(project, "dist/assets"))),
  );
  assert.deepEqual(await drawn(join(project, "dist")), [code]);
});

test("a plain page takes its modules and its one file as they lie", async () => {
  for (const file of ["index.js", "element.js", "inline.js", "stridescope.min.js"]) {
    put(
      "plain.html",
      `<!doctype html><html lang="en"><title>Course</title>${icon}<script type="module" src="./node_modules/stridescope/${file}"></script><stride-scope code="${code.replace("\n", "&#10;")}"></stride-scope>`,
    );
    assert.deepEqual(await drawn(project, "plain.html"), [code], file);
  }
});

test("the engine may lie elsewhere", async () => {
  mkdirSync(join(project, "moved"), { recursive: true });
  for (const file of ["index.js", "element.js", "engine.js"])
    execFileSync("cp", [join(project, "node_modules/stridescope", file), join(project, "moved")]);
  put(
    "moved.html",
    `<!doctype html><html lang="en"><title>Course</title>${icon}<stride-scope code="${code.replace("\n", "&#10;")}"></stride-scope><script type="module">
    import { setWasmUrl } from "./moved/engine.js";
    setWasmUrl(new URL("node_modules/stridescope/stridescope.wasm", location.href));
    await import("./moved/index.js");
  </script>`,
  );
  assert.deepEqual(await drawn(project, "moved.html"), [code]);
});

test("a server imports all of it without a document, and draws", () => {
  put(
    "server.mjs",
    `
    import { readFileSync } from "node:fs";
    import { StrideScope, loadEngine } from "stridescope";
    import "stridescope/element";
    import * as inline from "stridescope/inline";
    import { loadEngine as alone } from "stridescope/engine";
    const wasm = readFileSync(new URL(import.meta.resolve("stridescope/stridescope.wasm")));
    const engines = [await loadEngine(wasm), await alone(wasm), await inline.loadEngine()];
    const document = "v=1&code=" + encodeURIComponent(${JSON.stringify(code)});
    console.log(JSON.stringify({ name: StrideScope.name, svgs: engines.map((engine) => engine.svg(document)), mark: engines[0].trace(document).steps[1].mark }));
  `,
  );
  const said = JSON.parse(
    execFileSync(process.execPath, ["--experimental-import-meta-resolve", "server.mjs"], {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  assert.equal(said.mark, "view");
  assert.match(said.svgs[0], /^<svg /);
  assert.equal(new Set(said.svgs).size, 1);
});

/** Of every kind of statement and of what can go wrong. */
const everything = `import torch, numpy as np
x = torch.arange(12).view(3, 4)
y = x.t()
z = y.view(12)
x[0] = 1
x.trasnpose(0, 1)
a = np.eye(2)
for i in range(2):
    b = a[i]
def half(t): return t[: len(t) // 2]
c = half(a)
`;

for (const [module, resolution] of [["ESNext", "bundler"], ["NodeNext", "nodenext"]])
  test(`its types hold, libraries checked, ${resolution}`, () => {
    put("use.ts", `import { type At, type Engine, StrideScope, loadEngine, setWasmUrl } from "stridescope";
import { loadEngine as alone } from "stridescope/engine";
const engine: Engine = await loadEngine(new Uint8Array());
const width: number = engine.frame("v=1").width;
const figure = document.querySelector<StrideScope>("stride-scope");
figure?.seek(3, 1);
const picture: Promise<Blob> | undefined = figure?.toBlob({ type: "image/png" });
setWasmUrl(new URL("https://example.org/"));
// @ts-expect-error a state is text
figure?.setState(7);
export type { At };
export { alone, picture, width };
`);
    // A literal may have no member that its type has not, nor lack one.
    put("trace.ts", `import type { Trace } from "stridescope/engine";\nexport const real: Trace = ${traced};\n`);
    const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
    const checked = () =>
      execFileSync(
        process.execPath,
        [
          tsc,
          "--noEmit",
          "--strict",
          "--skipDefaultLibCheck", // the browser's own, which no package changes
          "--target",
          "ES2022",
          "--lib",
          "ES2023,DOM,DOM.Iterable",
          "--module",
          module,
          "--moduleResolution",
          resolution,
          "use.ts",
          "trace.ts",
        ],
        { cwd: project, encoding: "utf8" },
      );
    try {
      assert.equal(checked(), "");
    } catch (error) {
      assert.fail(error.stdout || error);
    }
  });
