// The code editor. It lives in a shadow root because CodeMirror brings its own style sheet, which a strict
// Content-Security-Policy lets through only as a constructed one. Loaded after the first picture.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic as Lint, forEachDiagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState, type Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { styled } from "../dom";
import outcomeStyle from "../style/outcome.css?inline";
import { related } from "../words/words";
import { type Advice, completion } from "./completion";
import { highlight } from "./highlight";
import { indentation } from "./indent";
import { type Passed, type Result, type Said, results, showResults } from "./results";

export interface Editor {
  /** A change made for the person, which they can undo. Only what differs is replaced. Undone, the cursor is in
      `line`. */
  replace(text: string, line?: number): void;
  /** Another document, which the page already knows of. It can be undone too. */
  setText(text: string): void;
  /** The cursor goes to the end of a line (1-based), and the keyboard with it. */
  goTo(line: number): void;
  /** Writes under each statement what it came to, says of those that are passed over that they are, and underlines what
      is wrong; problems that are undefined stay as they are. Positions are indices of the text. */
  show(results: Result[], passed: Passed[], said: Said[], problems: Lint[] | undefined): void;
  /** Lights up the rows that are about a target. */
  light(target: string): void;
  setLabel(label: string, keys: string): void;
  undo(): void;
  redo(): void;
  focus(): void;
  /** Ends it; nothing of it stays. */
  close(): void;
}

export interface EditorOptions {
  host: HTMLElement;
  text: string;
  label: string;
  keys: string; // what Tab does in it
  selection: [number, number];
  /** The text changed by hand; `line` (1-based) is where the cursor is. */
  onText(text: string, line: number): void;
  /** The cursor went to another line (1-based) without the text changing. */
  onLine(line: number): void;
  /** Whether there is something to undo, and to do again. */
  onHistory(undo: boolean, redo: boolean): void;
  /** The row under statement number `step` was pressed. */
  onStep(step: number): void;
  /** The pointer is on a row that is about `target`, or on none. */
  onHover(target: string): void;
  /** @returns the program that a pasted text stands for, nothing where it is one */
  onPaste(text: string): string | undefined;
  advice: Advice;
}

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "22px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 16px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none", fontSize: "12px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 8px 0 0" },
  "::selection": { background: "var(--selection)" },
  ".outcome": { userSelect: "none" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
  ".cm-passed, .cm-passed *": { color: "var(--muted) !important" },
  ".cm-not-run": { marginLeft: "16px", font: "12px var(--sans)", color: "var(--muted)", userSelect: "none" },
  ".cm-current": { backgroundColor: "var(--current)", boxShadow: "inset 2px 0 var(--accent)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "4px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--ground)",
    border: "1px solid var(--rule)",
    borderRadius: "6px",
    color: "var(--ink)",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    maxWidth: "min(440px, 90vw)",
    boxShadow: "0 4px 16px rgb(0 0 0 / 0.14)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "60vh" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px !important" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--selection) !important",
    color: "var(--ink) !important",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--muted)", marginLeft: "12px" },
  ".cm-completionInfo": { padding: "8px 12px" },
  ".cm-advice": { padding: "6px 10px", maxWidth: "420px" },
  ".cm-completionInfo .cm-advice": { padding: "0" },
  ".cm-advice code": { display: "block", fontFamily: "var(--mono)", fontSize: "12px" },
  ".cm-advice b": { color: "var(--accent)", textDecoration: "underline" },
  ".cm-advice p": { margin: "2px 0 0", color: "var(--muted)" },
  ".cm-diagnostic": { padding: "8px 12px", borderLeft: "none", whiteSpace: "normal" },
  ".cm-diagnosticText code": {
    display: "block",
    fontFamily: "var(--mono)",
    fontSize: "12px",
    color: "var(--bad)",
    marginBottom: "4px",
  },
  ".cm-diagnosticAction": {
    font: "inherit",
    textAlign: "left",
    color: "var(--accent)",
    backgroundColor: "transparent",
    border: "1px solid var(--accent)",
    borderRadius: "6px",
    padding: "4px 8px",
    margin: "6px 6px 0 0",
    cursor: "pointer",
  },
  ".cm-diagnosticAction:hover, .cm-diagnosticAction:focus-visible": {
    color: "var(--ink)",
    backgroundColor: "var(--selection)",
  },
});

/** Does the first fix that is offered where the cursor is. */
function fixHere(view: EditorView): boolean {
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  let done = false;
  forEachDiagnostic(view.state, ({ actions }, from, to) => {
    if (done || to < line.from || from > line.to || !actions?.[0]) return;
    done = true;
    actions[0].apply(view, from, to);
  });
  return done;
}

export function openEditor(options: EditorOptions): Editor {
  const root = options.host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [styled(outcomeStyle)];
  let quiet = false; // while the page itself changes the text
  const lineOf = (state: EditorState): number => state.doc.lineAt(state.selection.main.head).number;
  const rowAt = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>(".outcome") : null;
  let { label, keys } = options;
  // Whoever comes by Tab goes on by Tab; where something was done it indents.
  let byPointer = false, passing = false;
  let shown: number | undefined; // where the chosen statement begins
  let replaced = false; // by a change made for the person, since it was shown

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      selection: EditorSelection.range(...options.selection),
      extensions: [
        lineNumbers(),
        history(),
        highlightSpecialChars(),
        bracketMatching(),
        closeBrackets(),
        completion(options.advice),
        indentation,
        EditorState.languageData.of(() => [{ commentTokens: { line: "#" } }]),
        highlight,
        look,
        results,
        EditorView.lineWrapping,
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of(() => ({
          "aria-label": label,
          "aria-description": keys,
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
        })),
        keymap.of([
          { key: "Mod-.", run: fixHere },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
          { key: "Tab", run: (target) => !passing && indentMore(target), shift: (target) => !passing && indentLess(target) },
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged || update.selectionSet) passing = false;
          if (update.docChanged) options.onHistory(undoDepth(update.state) > 0, redoDepth(update.state) > 0);
          if (quiet) return;
          if (update.docChanged) options.onText(update.state.doc.toString(), lineOf(update.state));
          else if (update.selectionSet && update.view.hasFocus && lineOf(update.state) !== lineOf(update.startState))
            options.onLine(lineOf(update.state));
        }),
        EditorView.domEventHandlers({
          // What a key writes is written here: the browser's own way, whose result the editor reads back out of the
          // page, costs a key a twentieth more; and over a selection it would keep the look of what was there as an
          // inline style, which the content policy refuses.
          beforeinput(event, target) {
            const { data, inputType, isComposing } = event;
            if (inputType !== "insertText" || !data || isComposing || target.composing) return false;
            const { state } = target, { from, to, empty } = state.selection.main;
            // An accent that takes the place of the letter before it is the browser's to write.
            if (empty && event.getTargetRanges().some(({ collapsed }) => !collapsed)) return false;
            event.preventDefault();
            const written = (): Transaction =>
              state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
            const handlers = state.facet(EditorView.inputHandler);
            if (!handlers.some((handle) => handle(target, from, to, data, written))) target.dispatch(written());
            return true;
          },
          focus() {
            passing = !byPointer;
            byPointer = false;
          },
          mousedown(event, target) {
            byPointer = !target.hasFocus;
            const pressed = event.target instanceof Element && event.target.closest<HTMLElement>("[data-step]");
            if (!pressed) return false;
            const step = Number(pressed.dataset.step);
            if (step >= 0) options.onStep(step);
            return true;
          },
          mouseover(event) {
            options.onHover(rowAt(event)?.dataset.target ?? "");
          },
          mouseleave() {
            options.onHover("");
          },
          paste(event, target) {
            const text = event.clipboardData?.getData("text/plain") ?? "";
            const program = options.onPaste(text);
            const { from, to } = target.state.selection.main;
            const before = target.state.doc.lineAt(from),
              after = target.state.doc.lineAt(to);
            const alone =
              !target.state.sliceDoc(before.from, from).trim() && !target.state.sliceDoc(to, after.to).trim();
            if (program === undefined || !alone) return false;
            // Two changes, so that undoing once gives back what was pasted.
            target.dispatch({
              changes: { from, to, insert: text },
              selection: { anchor: from + text.length },
              userEvent: "input.paste",
            });
            target.dispatch({
              changes: { from, to: from + text.length, insert: program },
              selection: { anchor: from + program.length },
              annotations: isolateHistory.of("full"),
              scrollIntoView: true,
            });
            return true;
          },
        }),
      ],
    }),
  });

  const replaceAll = (text: string): void => {
    const old = view.state.doc.toString();
    if (old === text) return;
    let from = 0;
    while (from < old.length && old[from] === text[from]) ++from;
    let end = 0;
    while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) ++end;
    const insert = text.slice(from, text.length - end);
    view.dispatch({
      changes: { from, to: old.length - end, insert },
      selection: { anchor: from + insert.length },
      annotations: isolateHistory.of("full"),
    });
  };

  const putCursor = (line: number, scrollIntoView: boolean): void => {
    quiet = true;
    const { doc } = view.state;
    view.dispatch({ selection: { anchor: doc.line(Math.min(line, doc.lines)).to }, scrollIntoView });
    quiet = false;
  };

  return {
    replace(text, line) {
      if (line !== undefined) putCursor(line, false);
      replaceAll(text);
      replaced = true;
    },
    goTo(line) {
      putCursor(line, true);
      view.focus();
    },
    setText(text) {
      quiet = true;
      replaceAll(text);
      quiet = false;
    },
    show(list, passed, said, problems) {
      const end = view.state.doc.length;
      const inside = problems?.map((problem) => {
        const to = Math.min(problem.to, end);
        return { ...problem, from: Math.max(0, Math.min(problem.from, to)), to };
      });
      const chosen = list.find(({ current }) => current);
      // Chosen or changed elsewhere than in the text, it comes into sight, with the row under it.
      const moved = replaced || (chosen?.from !== shown && !view.hasFocus);
      shown = chosen?.from;
      replaced = false;
      const sight =
        chosen && moved && chosen.to <= end
          ? [EditorView.scrollIntoView(chosen.to, { y: "nearest", yMargin: 48 })]
          : [];
      view.dispatch(...(inside ? [setDiagnostics(view.state, inside)] : []), {
        effects: [showResults.of([list, passed, said]), ...sight],
      });
    },
    light(target) {
      for (const row of root.querySelectorAll<HTMLElement>(".outcome"))
        row.classList.toggle("lit", related(target, row.dataset.target ?? ""));
    },
    setLabel(text, described) {
      label = text;
      keys = described;
      view.dispatch({});
    },
    undo: () => void undo(view),
    redo: () => void redo(view),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
