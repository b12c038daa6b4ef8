// The page without a network: a worker that keeps every file of the site. The build writes the list of files into it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export function offline(source) {
  return {
    name: "offline",
    generateBundle(_, bundle) {
      const files = ["./", ...Object.keys(bundle).filter((name) => name !== "index.html")];
      const hash = createHash("sha256");
      for (const [name, part] of Object.entries(bundle))
        hash.update(name).update(part.type === "chunk" ? part.code : part.source);
      const code = readFileSync(source, "utf8")
        .replace("[/* files */]", JSON.stringify(files))
        .replace("/* version */", hash.digest("hex").slice(0, 16));
      this.emitFile({ type: "asset", fileName: "offline.js", source: code });
    },
  };
}
