import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { examples } from "./examples.js";
import { offline } from "./offline.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A document's picture, by the engine as it runs without a browser. */
const draw = (document) =>
  execFileSync(process.execPath, [here("../build/web/reference.cjs"), "picture", document], { encoding: "utf8" });

export default defineConfig({
  base: "./",
  plugins: [examples(here("../assets/examples"), "permute-then-view", draw), offline(here("src/offline_worker.js"))],
  // The engine is built by CMake, not by npm: emcmake cmake --preset web && cmake --build --preset web.
  resolve: {
    alias: {
      "@wasm": here("../build/web/stridescope.wasm") + "?url",
      "@engine": here("../build/web"),
      "@golden": here("../tests/golden"),
    },
  },
  server: { fs: { allow: [here("..")] } },
  build: {
    target: "es2022",
    outDir: here("../build/site"),
    emptyOutDir: true,
    assetsInlineLimit: 0, // a data: URL would need a looser Content-Security-Policy
    modulePreload: { polyfill: false },
  },
});
