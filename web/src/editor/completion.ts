// What the engine knows while one writes: names that fit, and what the call at the cursor takes.
import {
  type Completion as Option,
  type CompletionContext,
  type CompletionResult,
  autocompletion,
  completionKeymap,
  insertBracket,
} from "@codemirror/autocomplete";
import { type EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type Tooltip, keymap, showTooltip } from "@codemirror/view";
import { h } from "../dom";
import type { Completion, Completions, SignatureHelp } from "../engine";
import { indexOfByte } from "../words/spans";

/** Answers of the engine; positions are bytes of the text's UTF-8. */
export interface Advice {
  complete(text: string, position: number): Completions;
  signatureHelp(text: string, position: number): SignatureHelp | null;
}

const byteOf = (text: string, index: number): number => new TextEncoder().encode(text.slice(0, index)).length;

const wrote = StateEffect.define<null>(); // a callable with its brackets
/** Whether that was the last change. */
const opened = StateField.define<boolean>({
  create: () => false,
  update: (was, change) =>
    change.effects.some((effect) => effect.is(wrote)) || (was && !change.docChanged && !change.selection),
});

/** A callable is written with its brackets, the cursor between them; the closing one is typed over like any other. */
function write(text: string, opens: boolean) {
  return (view: EditorView, _: Option, from: number, to: number): void => {
    const after = view.state.sliceDoc(to, to + 1), userEvent = "input.complete";
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent });
    const pair = opens && after !== "(" ? insertBracket(view.state, "(") : null;
    if (!pair) return;
    const { changes, effects, newSelection: selection } = pair;
    view.dispatch({ changes, selection, effects: [...effects, wrote.of(null)], userEvent });
  };
}
/** Who types the bracket as well means that one. */
const typed = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view;
  const there = text === "(" && from === to && state.field(opened) && state.sliceDoc(from - 1, from + 1) === "()";
  if (there) view.dispatch({ selection: { anchor: from } });
  return there;
});

const types: Record<Completion["kind"], string> = {
  variable: "variable",
  argument: "property",
  attribute: "property",
  method: "method",
  function: "function",
  module: "namespace",
  constant: "constant",
};

function option({ kind, text, detail, forms, summary }: Completion, place: number): Option {
  const lines = (): HTMLElement[] => [
    ...forms.map(({ signature }) => h("code", {}, signature)),
    ...(summary ? [h("p", {}, summary)] : []),
  ];
  return {
    label: text,
    type: types[kind],
    boost: -place / 100, // the engine's order: the likeliest first
    ...(detail ? { detail } : {}),
    ...(forms.length || summary ? { info: () => h("div", { class: "cm-advice" }, ...lines()) } : {}),
    apply: write(text, kind === "method" || kind === "function"),
  };
}

function source(advice: Advice) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString();
    const before = text.slice(Math.max(0, pos - 1), pos);
    if (!explicit && !/[\w.(,]/.test(before)) return null;
    const { replaced, items } = advice.complete(text, byteOf(text, pos));
    if (items.length === 0 || (!explicit && !/[\w.]/.test(before))) return null;
    return { from: indexOfByte(text)(replaced[0]), options: items.map(option), validFor: /^\w*=?$/ };
  };
}

/** The way that takes the argument at the cursor; where several do, the first. */
function help(found: SignatureHelp): HTMLElement {
  const form = found.forms[found.active] ?? found.forms[0];
  if (!form) return h("div");
  const index = indexOfByte(form.signature);
  const now = form.parameter === null ? undefined : form.parameters[form.parameter]?.span;
  const [from, to] = now ? [index(now[0]), index(now[1])] : [0, 0];
  const { signature } = form;
  return h(
    "div",
    { class: "cm-advice", role: "status" },
    h(
      "code",
      {},
      signature.slice(0, from),
      ...(to > from ? [h("b", {}, signature.slice(from, to))] : []),
      signature.slice(to),
    ),
    ...(form.summary ? [h("p", {}, form.summary)] : []),
  );
}

const ask = StateEffect.define<boolean>(); // true shows the help, false hides it

/** The call at a place, if there is one; an engine that stops on it does not take along what was just typed. */
function callAt(advice: Advice, text: string, place: number): SignatureHelp | null {
  try {
    return advice.signatureHelp(text, byteOf(text, place));
  } catch (reason) {
    queueMicrotask(() => {
      throw reason; // once the text has it
    });
    return null;
  }
}

/** The call at the cursor is explained while it is being written, until Escape. */
function callHelp(advice: Advice): Extension {
  const at = (state: EditorState): Tooltip | null => {
    const text = state.doc.toString(), { head, empty } = state.selection.main;
    const found = empty ? callAt(advice, text, head) : null;
    if (!found || found.forms.length === 0) return null;
    const pos = indexOfByte(text)(found.callee[0]);
    return { pos, above: true, create: () => ({ dom: help(found) }) };
  };
  const field = StateField.define<Tooltip | null>({
    create: () => null,
    update(shown, transaction) {
      for (const effect of transaction.effects) if (effect.is(ask)) return effect.value ? at(transaction.state) : null;
      if (transaction.docChanged)
        return transaction.isUserEvent("input") || (shown && transaction.isUserEvent("delete"))
          ? at(transaction.state)
          : null;
      return transaction.selection && shown ? at(transaction.state) : shown;
    },
    provide: (of) => showTooltip.from(of),
  });
  const tell = (show: boolean) => (view: EditorView): boolean => {
    if (!show && !view.state.field(field)) return false;
    view.dispatch({ effects: ask.of(show) });
    return true;
  };
  return [
    field,
    Prec.high(
      keymap.of([
        { key: "Escape", run: tell(false) },
        { key: "Mod-Shift-Space", run: tell(true) },
      ]),
    ),
  ];
}

/** Ten names at a time, the arrow keys and typing move on: a list that scrolls could not be scrolled by keyboard. */
export const completion = (advice: Advice): Extension => [
  autocompletion({ override: [source(advice)], icons: false, maxRenderedOptions: 10, activateOnTypingDelay: 30 }),
  Prec.highest(keymap.of(completionKeymap)),
  opened,
  Prec.high(typed),
  callHelp(advice),
];
