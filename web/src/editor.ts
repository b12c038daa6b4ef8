// The code editor. It lives in a shadow root because CodeMirror brings its own style sheet, which a strict
// Content-Security-Policy lets through only as a constructed one. Loaded after the first picture.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Lint, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
  /** Another document: the page already knows of it. */
  setText(text: string): void;
  /** A change made for the person, which they can undo. Only what differs is replaced. */
  replace(text: string): void;
  /** Underlines what is wrong. Positions are indices of the text. */
  setProblems(problems: Lint[]): void;
  /** Shades the lines of a range: the chosen step. */
  setCurrent(from: number, to: number): void;
  focus(): void;
}

export interface EditorOptions {
  host: HTMLElement;
  text: string;
  label: string;
  selection: [number, number];
  /** The text changed by hand; `line` (1-based) is where the cursor is. */
  onText(text: string, line: number): void;
  /** The cursor went to another line (1-based) without the text changing. */
  onLine(line: number): void;
}

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-function)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "22px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 16px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 8px 0 0" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
  ".cm-current": { backgroundColor: "var(--current)", boxShadow: "inset 2px 0 var(--accent)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "4px" },
  ".cm-tooltip": { backgroundColor: "var(--ground)", border: "1px solid var(--rule)", borderRadius: "6px", color: "var(--ink)", fontFamily: "var(--sans)", fontSize: "13px", maxWidth: "min(420px, 90vw)" },
  ".cm-diagnostic": { padding: "8px 12px", borderLeft: "none", whiteSpace: "normal" },
  ".cm-diagnosticAction": { font: "inherit", color: "var(--on-accent)", backgroundColor: "var(--accent)", border: "none", borderRadius: "4px", padding: "3px 8px", margin: "6px 6px 0 0", cursor: "pointer" },
});

const showCurrent = StateEffect.define<[number, number]>();
const currentLine = Decoration.line({ class: "cm-current" });
const current = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(showCurrent)) {
        const { doc } = transaction.state;
        const [from, to] = effect.value;
        if (to <= from || to > doc.length) return Decoration.none;
        const lines = [];
        for (let n = doc.lineAt(from).number; n <= doc.lineAt(to).number; ++n) lines.push(currentLine.range(doc.line(n).from));
        return Decoration.set(lines);
      }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function openEditor(options: EditorOptions): Editor {
  const root = options.host.attachShadow({ mode: "open" });
  let quiet = false; // while the page itself changes the text
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      selection: EditorSelection.range(...options.selection),
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        bracketMatching(),
        indentUnit.of("    "),
        python(),
        syntaxHighlighting(highlight),
        look,
        current,
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": options.label, autocapitalize: "off", spellcheck: "false" }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (quiet) return;
          const line = update.state.doc.lineAt(update.state.selection.main.head).number;
          if (update.docChanged) options.onText(update.state.doc.toString(), line);
          else if (update.selectionSet && update.view.hasFocus) {
            if (line !== update.startState.doc.lineAt(update.startState.selection.main.head).number) options.onLine(line);
          }
        }),
      ],
    }),
  });

  return {
    setText(text) {
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      quiet = false;
    },
    replace(text) {
      const old = view.state.doc.toString();
      let from = 0;
      while (from < old.length && old[from] === text[from]) ++from;
      let end = 0;
      while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) ++end;
      const insert = text.slice(from, text.length - end);
      view.dispatch({ changes: { from, to: old.length - end, insert }, selection: { anchor: from + insert.length } });
    },
    setProblems(problems) {
      const end = view.state.doc.length;
      const inside = problems.map((problem) => {
        const to = Math.min(problem.to, end);
        return { ...problem, from: Math.max(0, Math.min(problem.from, to)), to };
      });
      view.dispatch(setDiagnostics(view.state, inside));
    },
    setCurrent: (from, to) => view.dispatch({ effects: showCurrent.of([from, to]) }),
    focus: () => view.focus(),
  };
}
