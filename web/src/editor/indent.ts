// How far in a line begins: deeper under a header, further out below what ends a block, and `else`, `elif`, `except` and
// `finally` where what they belong to begins.
import { type IndentContext, indentOnInput, indentService, indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { bare } from "./highlight";

const belongs = new Map([
  ["elif", ["if", "elif"]],
  ["else", ["if", "elif", "for", "while", "except"]],
  ["except", ["try", "except"]],
  ["finally", ["try", "except"]],
]);
const first = (code: string): string => /^\s*(\w*)/.exec(code)?.[1] ?? "";
/** How many brackets are opened and not closed; below 0 where those of lines above are closed. */
const opens = (code: string): number =>
  (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;

/** The lines above number `below` that have code, from the last on. */
function* above({ state }: IndentContext, below: number): Generator<{ from: number; code: string }> {
  for (let number = below - 1; number > 0; --number) {
    const { from, text } = state.doc.line(number), code = bare(text);
    if (code.trim()) yield { from, code };
  }
}

/** Of a line that is begun at `at`; null where it is as far in as the one before. */
function begun(context: IndentContext, at: number): number | null {
  const line = context.state.doc.lineAt(at);
  const code = bare(line.text.slice(0, at - line.from)).trimEnd(), inside = context.lineIndent(at, -1);
  if (opens(code) > 0) return null;
  if (code.endsWith(":")) return inside + context.unit;
  if (!/^\s+(?:pass|break|continue|return|raise)\b/.test(code) || context.state.sliceDoc(at, line.to).trim())
    return null;
  for (const { from } of above(context, line.number)) {
    const outside = context.lineIndent(from);
    if (outside < inside) return outside;
  }
  return null;
}

/** Of the line at `at`, where it goes on with something that is written above. */
function goingOn(context: IndentContext, at: number): number | null {
  const line = context.state.doc.lineAt(at), word = first(line.text), headers = belongs.get(word);
  let most = context.lineIndent(at), open = 0;
  if (headers)
    for (const { from, code } of above(context, line.number)) {
      open += opens(code);
      if (open > 0) return null; // `(a if b` and, below, `else c)`
      const indent = context.lineIndent(from), header = first(code);
      if (indent > most) continue;
      if (headers.includes(header)) return indent;
      most = word === "finally" && header === "else" ? indent : indent - 1; // its `if` or `try` is further up
    }
  return null;
}

export const indentation: Extension = [
  indentService.of((context, at) => (context.simulatedBreak === at ? begun : goingOn)(context, at)),
  indentOnInput(),
  EditorState.languageData.of(() => [{ indentOnInput: /^\s*(?:elif|else|except|finally)[ :(]$/ }]),
  /** What the first block of the program is indented by. */
  indentUnit.compute(["doc"], ({ doc }) => {
    let header = false;
    for (const line of doc.iterLines()) {
      const blanks = header && /^(?: +|\t+)(?=\S)/.exec(line);
      if (blanks) return blanks[0];
      if (line.trim()) header = line.trimEnd().endsWith(":");
    }
    return "    ";
  }),
];
