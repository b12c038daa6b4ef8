// The package for npm (build/package), and what embed.html needs beside it in the site (build/site), where nothing is a
// module: a frame without an origin may load no module, and no wasm but what is inside the script.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { build, transformWithEsbuild } from "vite";
import { words } from "./catalogue.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = here("../build/package/"), site = here("../build/site/"), compiled = here("../build/web/stridescope.wasm");

/** The compiled engine as a string, a third smaller than its bytes; unpacked when an engine is wanted. */
const inside = {
  name: "wasm-inside",
  load: (id) =>
    id.endsWith("wasm_inside")
      ? `const text = "${deflateSync(readFileSync(compiled), { level: 9 }).toString("base64")}";
         export default () => {
           const letters = atob(text), bytes = new Uint8Array(letters.length);
           for (let at = 0; at < bytes.length; ++at) bytes[at] = letters.charCodeAt(at);
           return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
         };`
      : undefined,
  resolveId: (id) => (id === "wasm_inside" ? id : undefined),
};

/** Where the engine is, src/engine.ts always says; what the compiler's own code guesses would be copied into each
    module. */
const unguessed = {
  name: "unguessed-wasm",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("build/web/stridescope.js")
      ? code.replace(/new URL\("stridescope\.wasm", ?import\.meta\.url\)/, '""')
      : undefined,
  // This build shall; whoever builds with the package shall not.
  renderChunk: (code) => code.replace(/\/\* @vite-ignore \*\/\s*/, ""),
};

const library = (wasm, outDir, lib) =>
  build({
    configFile: false,
    logLevel: "warn",
    plugins: [words(here("../core/explain"), ["without_engine", "engine_stopped", "open_playground"]), inside, unguessed],
    resolve: { alias: { "@wasm": wasm, "@engine": here("../build/web") } },
    build: {
      target: "es2022",
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      lib,
      chunkSizeWarningLimit: 2000,
      rollupOptions: { output: { chunkFileNames: "[name].js" } },
    },
  });
const file = (name) => () => name;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await library(here("src/wasm_beside.ts"), out, {
  entry: { index: here("src/index.ts"), element: here("src/element.ts"), engine: here("src/engine.ts") },
  formats: ["es"],
});
await library("wasm_inside", out, { entry: here("src/index.ts"), formats: ["es"], fileName: file("inline.js") });
await library("wasm_inside", out, {
  entry: here("src/index.ts"),
  formats: ["iife"],
  name: "Stridescope",
  fileName: file("stridescope.min.js"),
});
copyFileSync(compiled, out + "stridescope.wasm");
execFileSync(process.execPath, [here("node_modules/typescript/bin/tsc"), "-p", here("tsconfig.package.json")], {
  stdio: "inherit",
});

// Types for every resolver: with endings, and with what the sources know of the compiled engine.
copyFileSync(here("src/module.d.ts"), out + "types/module.d.ts");
for (const name of readdirSync(out + "types", { recursive: true }).filter((name) => name.endsWith(".ts"))) {
  const text = readFileSync(out + "types/" + name, "utf8").replace(/(from |import\()"(\.[\w./]+)"/g, '$1"$2.js"');
  writeFileSync(
    out + "types/" + name,
    /^(index|element|engine)\./.test(name) ? `/// <reference path="./module.d.ts" />\n${text}` : text,
  );
}

const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));
const entry = (name) => ({ types: `./types/${name === "inline" ? "index" : name}.d.ts`, default: `./${name}.js` });
writeFileSync(
  out + "package.json",
  JSON.stringify(
    {
      name: "stridescope",
      version,
      description: "A tensor's memory, made visible: the element <stride-scope> and its engine",
      type: "module",
      exports: {
        ".": entry("index"),
        "./element": entry("element"),
        "./engine": entry("engine"),
        "./inline": entry("inline"),
        "./stridescope.min.js": "./stridescope.min.js",
        "./stridescope.wasm": "./stridescope.wasm",
        "./package.json": "./package.json",
      },
      types: "./types/index.d.ts",
      unpkg: "./stridescope.min.js",
      jsdelivr: "./stridescope.min.js",
      sideEffects: ["./index.js", "./element.js", "./inline.js", "./stridescope.min.js"],
      files: ["*.js", "*.wasm", "types"],
    },
    null,
    2,
  ) + "\n",
);

copyFileSync(out + "stridescope.min.js", site + "stridescope.min.js");
await library("wasm_inside", site, {
  entry: here("src/embed.ts"),
  formats: ["iife"],
  name: "embed",
  fileName: file("embed.js"),
});
const sheet = (path) =>
  readFileSync(here(path), "utf8").replace(/@import "\.\/(.*)";\n/g, (_, name) => sheet(`src/style/${name}`));
writeFileSync(
  site + "embed.css",
  (await transformWithEsbuild(sheet("src/style/embed.css"), "embed.css", { minify: true, loader: "css" })).code,
);
copyFileSync(here("embed.html"), site + "embed.html");
