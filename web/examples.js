// assets/examples for the page. A file says everything in both languages (tests/render/examples_test.cpp has the form);
// the page opens it in one: the title as its first line, remarks as they come, without what the tests expect.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const languages = ["en", "zh"];

/** Windows whose stage is less than 700 px wide (layout.css), and those whose is not. */
const narrow = "(max-width: 699px) or ((min-width: 960px) and (max-width: 1044px))";
const widths = { narrow, wide: `not (${narrow})` };

/** A line in a language; nothing where it belongs to the other one or to the menu. */
function inLanguage(line, lang) {
  const other = languages.find((name) => name !== lang);
  if (line.startsWith(`# ${other}: `) || line.startsWith("# topic: ")) return [];
  return [line.replace(`# ${lang}: `, "# ").replace(/ {2}# -> .*$/, "")];
}

export function readExample(name, text) {
  const lines = text.trimEnd().split("\n");
  const said = (lang) => lines.filter((line) => line.startsWith(`# ${lang}: `)).map((line) => line.slice(6));
  const [topic, place] = lines.find((line) => line.startsWith("# topic: ")).slice(9).split(" ");
  const each = (make) => Object.fromEntries(languages.map((lang) => [lang, make(lang)]));
  const intros = languages.map((lang) => `# ${lang}: ${said(lang)[1]}`);
  return {
    name,
    topic,
    place: Number(place),
    title: each((lang) => said(lang)[0]),
    intro: each((lang) => said(lang)[1]),
    code: each(
      (lang) =>
        lines
          .filter((line) => !intros.includes(line))
          .flatMap((line) => inLanguage(line, lang))
          .join("\n") + "\n",
    ),
  };
}

export function readExamples(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => readExample(name.slice(0, -3), readFileSync(join(folder, name), "utf8")));
}

/** "virtual:examples" is all of them; "virtual:first-example" the one that a first visit shows, and where its
    picture lies, drawn by `draw(document)`: {"en-light-wide": url, ..}. */
export function examples(folder, first, draw) {
  const sizes = { wide: "width=100000&height=70000", narrow: "width=36000" };
  const pictures = ({ code }) =>
    languages.flatMap((lang) =>
      ["light", "dark"].flatMap((theme) =>
        Object.entries(sizes).map(([name, size]) => [
          `${lang}-${theme}-${name}`,
          draw(`v=1&code=${encodeURIComponent(code[lang])}&step=1&lang=${lang}&theme=${theme}&${size}`),
        ]),
      ),
    );
  const modules = {
    "virtual:examples": () => `export default ${JSON.stringify(readExamples(folder))}`,
    "virtual:first-example"() {
      const example = readExamples(folder).find(({ name }) => name === first);
      const urls = pictures(example).map(([name, source]) => {
        const file = this.emitFile({ type: "asset", name: `first-${name}.svg`, source });
        return `${JSON.stringify(name)}: import.meta.ROLLUP_FILE_URL_${file}`;
      });
      return `export default ${JSON.stringify(example)}; export const pictures = { ${urls.join(", ")} };`;
    },
  };
  return {
    name: "examples",
    resolveId: (id) => (id in modules ? "\0" + id : undefined),
    load(id) {
      return modules[id.slice(1)]?.call(this);
    },
    // The pictures of most first visits are asked for with the page, not by its script.
    transformIndexHtml(_, { bundle = {} }) {
      const files = Object.values(bundle);
      return Object.entries(widths).flatMap(([size, width]) =>
        ["light", "dark"].flatMap((theme) => {
          const file = files.find(({ names }) => names?.includes(`first-en-${theme}-${size}.svg`));
          const media = `(prefers-color-scheme: ${theme}) and (${width})`;
          const attrs = { rel: "preload", as: "image", href: `./${file?.fileName}`, media };
          return file ? [{ tag: "link", attrs, injectTo: "head" }] : [];
        }),
      );
    },
  };
}
