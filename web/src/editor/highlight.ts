// The colours of a program's words. The engine's language is one of plain lines, so words are told apart one by one: a
// grammar that keeps a tree of the whole would be most of what a key costs.
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const quoted = ['"""[^]*?(?:"""|$)', "'''[^]*?(?:'''|$)", '"(?:[^"\\\\\\n]|\\\\.)*"?', "'(?:[^'\\\\\\n]|\\\\.)*'?"];
const reserved =
  "False None True and as assert break class continue def del elif else except for from if import in is lambda not " +
  "or pass raise return try while with yield";
const integer = "\\d[\\d_]*", exponent = "(?:[eE][+-]?\\d+)?[jJ]?";
const kinds: [kind: string, pattern: string][] = [
  ["comment", "#.*"],
  ["string", `\\b[bfruBFRU]{0,2}(?:${quoted.join("|")})|${quoted.join("|")}`],
  ["number", `\\b0[xobXOB][\\da-fA-F_]+|\\b${integer}(?:\\.[\\d_]*)?${exponent}|\\.${integer}${exponent}`],
  ["keyword", `\\b(?:${reserved.replaceAll(" ", "|")})\\b`],
  ["function", "\\b[^\\W\\d]\\w*(?=\\s*\\()"],
];
const words = new RegExp(kinds.map(([, pattern]) => `(${pattern})`).join("|"), "g");
/** A line without its comment and what is quoted in it. */
export const bare = (line: string): string =>
  line.replace(words, (word, comment, string) => (comment ?? string) === undefined ? word : "");
const marks = kinds.map(([kind]) => Decoration.mark({ class: `cm-${kind}` }));

function painted({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    const begin = state.doc.lineAt(from).from;
    for (const word of state.sliceDoc(begin, to).matchAll(words)) {
      const mark = marks[word.slice(1).findIndex((part) => part !== undefined)];
      if (mark) builder.add(begin + word.index, begin + word.index + word[0].length, mark);
    }
  }
  return builder.finish();
}

export const highlight: Extension = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = painted(view);
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = painted(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.baseTheme({
    ".cm-keyword": { color: "var(--code-keyword)" },
    ".cm-string": { color: "var(--code-string)" },
    ".cm-number": { color: "var(--code-number)" },
    ".cm-comment": { color: "var(--muted)", fontStyle: "italic" },
    ".cm-function": { color: "var(--code-function)" },
  }),
];
