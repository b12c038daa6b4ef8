// What each line came to, as a row under it in the editor; and the shade behind the line of the chosen step.
import { type EditorState, type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { h } from "../dom";
import { type Outcome, outcomeRow } from "../words/outcome";

export interface Result {
  step: number;
  turns: number[] | undefined; // to the round before and the round after
  from: number; // of the statement, in the text
  to: number;
  outcome: Outcome;
  current: boolean;
}

/** Lines that Python would not run. */
export interface Passed {
  from: number;
  to: number;
  text: string; // that says so
}

/** What is said of a line that came to nothing, under it. */
export interface Said {
  at: number; // the line's end, in the text
  text: string;
}

const rowHeight = 21; // px, of what stands under a line

/** Words about a line, drawn by one of the functions below it. */
class Words extends WidgetType {
  constructor(
    readonly text: string,
    readonly drawn: (text: string) => HTMLElement,
  ) {
    super();
  }
  override eq(other: Words): boolean {
    return this.text === other.text && this.drawn === other.drawn;
  }
  override toDOM(): HTMLElement {
    return this.drawn(this.text);
  }
  override get estimatedHeight(): number {
    return this.drawn === under ? rowHeight : -1;
  }
}
const behind = (text: string): HTMLElement => h("span", { class: "cm-not-run" }, text);
const under = (text: string): HTMLElement => h("div", { class: "outcome error" }, h("span", { class: "what" }, text));

class Row extends WidgetType {
  constructor(
    readonly outcome: Outcome,
    readonly step: number,
    readonly turns: number[] | undefined,
    readonly current: boolean,
  ) {
    super();
  }
  override eq(other: Row): boolean {
    return (
      this.step === other.step &&
      this.current === other.current &&
      String(this.turns) === String(other.turns) &&
      JSON.stringify(this.outcome) === JSON.stringify(other.outcome)
    );
  }
  override toDOM(): HTMLElement {
    const row = outcomeRow(this.outcome, this.turns);
    row.dataset.step = String(this.step);
    row.classList.toggle("current", this.current);
    return row;
  }
  override get estimatedHeight(): number {
    return rowHeight;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

export const showResults = StateEffect.define<[Result[], Passed[], Said[]]>();
const faint = Decoration.mark({ class: "cm-passed" });
const shade = Decoration.line({ class: "cm-current" });

function decorations(state: EditorState, results: Result[], passed: Passed[], said: Said[]): DecorationSet {
  const { doc } = state;
  const ranges: Range<Decoration>[] = [];
  const rows = new Map<number, Range<Decoration>>(); // the last of several on one line speaks for it
  for (const { step, turns, from, to, outcome, current } of results) {
    if (to > doc.length || to < from) continue;
    const last = doc.lineAt(to);
    if (current)
      for (let n = doc.lineAt(from).number; n <= last.number; ++n) ranges.push(shade.range(doc.line(n).from));
    rows.set(
      last.number,
      Decoration.widget({ widget: new Row(outcome, step, turns, current), block: true, side: 1 }).range(last.to),
    );
  }
  for (const { from, to, text } of passed) {
    if (to > doc.length || to <= from) continue;
    ranges.push(faint.range(from, to));
    ranges.push(Decoration.widget({ widget: new Words(text, behind), side: 1 }).range(doc.lineAt(from).to));
  }
  for (const { at, text } of said)
    if (at <= doc.length && !rows.has(doc.lineAt(at).number))
      ranges.push(Decoration.widget({ widget: new Words(text, under), block: true, side: 1 }).range(doc.lineAt(at).to));
  return Decoration.set([...ranges, ...rows.values()], true);
}

export const results: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(rows, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(showResults)) return decorations(transaction.state, ...effect.value);
    return rows.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
