// Words that are said where no engine is there to say them, out of the engine's own catalogue.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const files = { en: "english.inc", zh: "chinese.inc" };

/** "virtual:words" is { id: { en, zh } } of these labels. */
export function words(folder, ids) {
  const read = () =>
    Object.fromEntries(
      ids.map((id) => [
        id,
        Object.fromEntries(
          Object.entries(files).map(([lang, file]) => {
            const found = new RegExp(`^MESSAGE\\(label_${id}, (".*")\\)$`, "m").exec(
              readFileSync(join(folder, file), "utf8"),
            );
            if (!found) throw new Error(`${file} has no label_${id}`);
            return [lang, JSON.parse(found[1])];
          }),
        ),
      ]),
    );
  return {
    name: "words",
    resolveId: (id) => (id === "virtual:words" ? "\0" + id : undefined),
    load: (id) => (id === "\0virtual:words" ? `export default ${JSON.stringify(read())}` : undefined),
  };
}
