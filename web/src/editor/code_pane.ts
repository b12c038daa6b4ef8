// Where the program is written: a plain editor, with the outcomes in a listing of their own, until the better editor
// has come to take its place. Where that one does not come the plain one stays.
import type { Diagnostic as Lint } from "@codemirror/lint";
import { byId } from "../dom";
import type { Fix } from "../engine";
import { listing } from "../words/listing";
import type { Reading } from "../words/reading";
import { plain, related } from "../words/words";
import type { Editor, EditorOptions } from "./editor";
import { problems } from "./problems";

/** What the page does when something is written or pointed at. */
export interface Writer extends Pick<EditorOptions, "onText" | "onLine" | "onStep" | "onHover" | "onPaste" | "advice"> {
  onFix(fix: Fix): void;
}

export class CodePane {
  private readonly plain = byId<HTMLTextAreaElement>("plain-editor");
  private readonly listing = byId("listing");
  private editor: Editor | undefined;
  private another: ((host: HTMLElement) => Editor) | undefined;
  private label = "";
  private keys = "";
  private underlined: Lint[] | undefined; // which the editor has not been told yet

  constructor(private readonly writer: Writer) {
    const { plain } = this;
    plain.addEventListener("input", () =>
      writer.onText(plain.value, plain.value.slice(0, plain.selectionStart).split("\n").length),
    );
    plain.addEventListener("paste", (event) => {
      const program = writer.onPaste(event.clipboardData?.getData("text/plain") ?? "");
      if (program === undefined) return;
      event.preventDefault();
      plain.setRangeText(program, plain.selectionStart, plain.selectionEnd, "end");
      plain.dispatchEvent(new Event("input"));
    });
    byId("undo").addEventListener("click", () => this.undo());
    byId("redo").addEventListener("click", () => this.redo());
  }

  /** Whether the better editor has come. */
  get improved(): boolean {
    return this.editor !== undefined;
  }

  /** Shows a text that the page already knows of. */
  open(text: string): void {
    this.editor?.setText(text);
    this.plain.value = text;
  }

  /** A change made for the person, which the editor can undo; undone, the cursor is in `line`. */
  replace(text: string, line: number | undefined): void {
    if (this.editor) this.editor.replace(text, line);
    else {
      this.plain.value = text;
      this.writer.onText(text, 0);
    }
  }

  /** The cursor goes to the end of a line (1-based), and the keyboard with it. */
  goTo(line: number): void {
    if (this.editor) return this.editor.goTo(line);
    const end = this.plain.value.split("\n").slice(0, line).join("\n").length;
    this.plain.setSelectionRange(end, end);
    this.plain.focus();
  }

  /** What is wrong is told with the next show(). */
  underline(reading: Reading): void {
    this.underlined = problems(reading, this.writer.onFix);
  }

  /** Writes under each line what it came to. */
  show(reading: Reading, current: number): void {
    const { editor } = this;
    if (!editor) return this.listing.replaceChildren(...listing(reading, current));
    const { outline, outcomes, notRun, toIndex } = reading;
    const results = reading.beside(current).flatMap((step) => {
      const outcome = outcomes[step], one = outline.steps[step];
      if (!outcome || !one) return [];
      const turns = outcome.round && reading.turns(step, current);
      return [{ step, turns, from: toIndex(one.span[0]), to: reading.end(one), outcome, current: step === current }];
    });
    const passed = outline.passed.map(([from, to]) => ({ from: toIndex(from), to: toIndex(to), text: notRun }));
    // Of what cannot be imported is told there, for it is no step; what is being typed has its line to itself.
    const said = reading.wrong
      .filter(({ line }) => /^(import|from) /.test(line))
      .map(({ problem }) => ({ at: toIndex(problem.span[1]), text: plain(problem.reason) }));
    editor.show(results, passed, said, this.underlined);
    this.underlined = undefined;
  }

  /** Lights up the rows that are about a target. */
  light(target: string): void {
    if (this.editor) this.editor.light(target);
    else
      for (const row of this.listing.querySelectorAll<HTMLElement>(".outcome"))
        row.classList.toggle("lit", related(target, row.dataset.target ?? ""));
  }

  setLabel(label: string, keys: string): void {
    this.label = label;
    this.keys = keys;
    this.editor?.setLabel(label, keys);
  }

  /** An editor such as this one, if it has come, of which nobody is told what is written in it. */
  spare(host: HTMLElement): Editor | undefined {
    return this.another?.(host);
  }

  undo(): void {
    this.editor?.undo();
  }
  redo(): void {
    this.editor?.redo();
  }

  /** The better editor takes over, with the cursor where it was. */
  async improve(): Promise<void> {
    const { openEditor } = await import("./editor");
    const { plain, label, keys, writer } = this;
    const focused = document.activeElement === plain;
    const { value, selectionStart, selectionEnd } = plain;
    this.editor = openEditor({
      ...writer,
      host: byId("editor"),
      text: value,
      label,
      keys,
      selection: focused ? [selectionStart, selectionEnd] : [0, 0],
      // They stay in the order of Tab: who pressed one goes on from there.
      onHistory(undo, redo) {
        byId("undo").ariaDisabled = String(!undo);
        byId("redo").ariaDisabled = String(!redo);
      },
    });
    const nobody = (): void => {};
    const told = { onText: nobody, onLine: nobody, onStep: nobody, onHover: nobody, onHistory: nobody };
    this.another = (host) => openEditor({ ...writer, ...told, host, text: "", label, keys, selection: [0, 0] });
    plain.remove();
    this.listing.replaceChildren();
    if (focused) this.editor.focus();
    document.documentElement.classList.add("edits");
  }
}
