// A document in each form that other places take, ready to be pasted. All are text: nothing of a program can become
// markup, an argument or Python of its own.
import type { Fields } from "../document";

export interface Form {
  /** label_embed_<id> names it. */
  id: "link" | "frame" | "element" | "fence" | "command" | "notebook";
  text: string;
}

const options = ["step", "op", "head", "figures", "labels", "colour", "unit", "line", "zoom", "ask", "theme", "lang"];
const flags = new Set(["ask"]);
const numbers = new Set(["step", "op", "head", "line"]);

const inMarkup = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const attributes = (list: Record<string, string | undefined>): string =>
  Object.entries(list)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === "" ? ` ${name}` : ` ${name}="${inMarkup(value ?? "")}"`))
    .join("");

/** Longer than any run of backticks in the text. */
const fence = (text: string): string =>
  "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
/** A line that the text does not have. */
function ending(text: string): string {
  let word = "END";
  while (text.split("\n").includes(word)) word += "_";
  return word;
}
const inPython = (text: string): string => `"""\\\n${text.replace(/\\/g, "\\\\").replace(/"""/g, '\\"\\"\\"')}\n"""`;

/** Of a column that text stands in, in px. */
export const column = 700;

/** Of a frame before it tells its own, in px: the listing, the picture, the read head and the link below. */
export const frameHeight = (lines: number, steps: number, picture: number): number =>
  20 + 22 * lines + 21 * steps + picture + 80;

/** @param link to the playground on the document; @param fields of the document as the engine normalises it;
    @param title of the picture; @param height of its figure in a frame, in px */
export function forms(link: string, fields: Partial<Fields>, title: string, height: number): Form[] {
  const code = (fields.code ?? "").replace(/\s+$/, "");
  const chosen = options.flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []));
  const address = new URL(link);
  const beside = (file: string): string => new URL(file, address).href;
  const { step, theme, lang, figures } = fields;
  const ask = fields.ask && "";
  const view = figures ? `code,${figures}` : undefined;
  const mark = ending(code), ticks = fence(code);
  return [
    { id: "link", text: link },
    {
      id: "frame",
      text: `<iframe${attributes({ src: beside("embed.html") + address.hash, title, width: "100%", height: String(height), loading: "lazy", style: "border: 0" })}></iframe>`,
    },
    {
      id: "element",
      text: `<script type="module" src="${inMarkup(beside("stridescope.min.js"))}"></script>
<stride-scope${attributes({ step, view, theme, lang, ask, controls: "" })}>
<pre><code>${inMarkup(code)}</code></pre>
</stride-scope>`,
    },
    {
      id: "fence",
      text: [`${ticks}stridescope`, ...chosen.map(([name, value]) => `#| ${name}: ${value}`), code, ticks].join("\n"),
    },
    {
      id: "command",
      text: [
        `stridescope render - -o figure.svg${chosen.map(([name, value]) => (flags.has(name) ? ` --${name}` : ` --${name} ${value}`)).join("")} <<'${mark}'`,
        code,
        mark,
      ].join("\n"),
    },
    {
      id: "notebook",
      text: `import stridescope\nstridescope.show(${[inPython(code), ...chosen.map(([name, value]) => `${name}=${flags.has(name) ? "True" : numbers.has(name) ? value : `"${value}"`}`)].join(", ")})`,
    },
  ];
}
