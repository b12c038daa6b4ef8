// assets/examples for the page. A file says everything in both languages (tests/render/examples_test.cpp has the form);
// the page opens it in one: the title as its first line, remarks as they come, without what the tests expect.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const languages = ["en", "zh"];

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
    code: each((lang) => lines.filter((line) => !intros.includes(line)).flatMap((line) => inLanguage(line, lang)).join("\n") + "\n"),
  };
}

export function readExamples(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => readExample(name.slice(0, -3), readFileSync(join(folder, name), "utf8")));
}

/** "virtual:examples" is all of them, "virtual:first-example" the one that a first visit shows. */
export function examples(folder, first) {
  const modules = { "virtual:examples": () => readExamples(folder), "virtual:first-example": () => readExamples(folder).find(({ name }) => name === first) };
  return {
    name: "examples",
    resolveId: (id) => (id in modules ? "\0" + id : undefined),
    load: (id) => (id.slice(1) in modules ? `export default ${JSON.stringify(modules[id.slice(1)]())}` : undefined),
  };
}
