// Guess first: while a document asks, a form stands over the place of the explanation. What was guessed is judged, each
// part by itself, and only then is shown what came of the step.
import { type Fields, encode } from "../document";
import { afterFrame, byId, h } from "../dom";
import type { Engine, Judged, Step } from "../engine";
import type { Reading } from "./reading";
import type { Labels } from "./words";

const kinds = ["view", "copy", "same", "new", "write", "none", "error"] as const;
const lists = ["sizes", "strides"] as const;
const word = (kind: string): string => `ask_${kind}`;

/** What is on the page now. */
export interface Shown {
  engine: Engine;
  fields: Partial<Fields>;
  reading: Reading;
  step: Step | null;
  chosen: number;
}

const verdict = (name: string): HTMLElement => h("span", { class: "verdict", id: `verdict-${name}` });
const guess = (name: string): HTMLInputElement =>
  h("input", {
    ...{ type: "text", id: `guess-${name}`, autocomplete: "off", spellcheck: "false", maxlength: 200 },
    ...{ placeholder: name === "sizes" ? "(2, 3)" : "(3, 1)", "aria-describedby": `verdict-${name}` },
  });

export class Quiz {
  private readonly form = byId<HTMLFormElement>("question");
  private readonly box = byId<HTMLInputElement>("ask");
  private readonly legend = h("legend");
  private readonly radios = kinds.map((value) => h("input", { type: "radio", name: "kind", value }));
  private readonly guesses = lists.map(guess) as [HTMLInputElement, HTMLInputElement];
  private readonly strides = h("label", { for: this.guesses[1].id });
  private readonly verdicts = ["kind", ...lists].map(verdict) as [HTMLElement, HTMLElement, HTMLElement];
  private readonly button = h("button", { type: "submit", class: "fix" });
  private readonly fields: HTMLFieldSetElement;
  private stands = ""; // the question in the form
  private answered = ""; // the one that was answered
  private moves = false; // the keyboard goes along to the next question

  /** What was said of the guesses, until the next question. */
  said = "";

  constructor(
    private readonly now: () => Shown,
    private readonly change: (patch: Partial<Fields>) => void,
    private readonly choose: (step: number) => void,
  ) {
    const option = (radio: HTMLInputElement): HTMLElement =>
      h("label", {}, radio, h("span", { "data-text": word(radio.value) }));
    const [ofKind, ofSizes, ofStrides] = this.verdicts;
    const [sizes, strides] = this.guesses;
    this.fields = h(
      "fieldset",
      { class: "guesses" },
      h("fieldset", { class: "kinds" }, this.legend, ...this.radios.map(option), ofKind),
      ...[h("label", { for: sizes.id, "data-text": "sizes" }), sizes, ofSizes],
      ...[this.strides, strides, ofStrides],
    );
    this.form.append(this.fields, this.button);
    this.form.addEventListener("input", () => this.allow());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.ask) this.check();
      else this.goOn();
    });
    this.box.addEventListener("change", () => {
      this.answered = this.stands = "";
      change({ ask: this.box.checked ? "yes" : "" });
      // In a narrow window a question stands elsewhere.
      afterFrame(() => this.box.scrollIntoView({ block: "nearest" }));
    });
  }

  /** "yes" while what came of the chosen step is still to be guessed. */
  get ask(): "yes" | "" {
    const { fields, step } = this.now();
    return fields.ask === "yes" && step && this.question !== this.answered ? "yes" : "";
  }

  /** The program as far as it may be seen. */
  get known(): Reading {
    const { fields, reading, chosen } = this.now();
    return fields.ask === "yes" ? reading.until(this.ask ? chosen : chosen + 1) : reading;
  }

  /** Names what render() is made from. */
  get about(): string {
    const { fields, chosen } = this.now();
    return [chosen, fields.op, fields.ask, this.ask].join();
  }

  private get question(): string {
    const { fields, reading, chosen } = this.now();
    return encode({ code: reading.program, step: String(chosen), op: fields.op ?? "" });
  }

  render(labels: Labels): void {
    const { engine, fields, step, reading, chosen } = this.now();
    this.box.checked = fields.ask === "yes";
    this.form.hidden = !this.box.checked || !step;
    if (this.form.hidden) return;
    if (this.ask) this.pose();
    this.allow();
    const [sizes, strides] = this.guesses.map((guess) => (guess.disabled ? "" : guess.value)) as [string, string];
    const judged = engine.judged(this.question, this.kind, sizes, strides);
    if (!judged) return;
    const { input, bytes } = judged;
    this.legend.textContent = input ? labels.say("ask_kind", input) : labels.say("ask_kind_alone");
    this.strides.textContent = bytes ? labels.say("ask_bytes", labels.say("strides")) : labels.say("strides");
    this.said = this.ask ? "" : this.judge(judged, labels);
    this.fields.disabled = !this.ask;
    const last = chosen === reading.outline.steps.length - 1;
    this.button.textContent = labels.say(this.ask ? "ask_check" : last ? "raw_reset" : "ask_next");
  }

  /** Puts the question, with nothing guessed where it is another one. */
  private pose(): void {
    for (const verdict of this.verdicts) verdict.replaceChildren();
    if (this.stands !== this.question) this.form.reset();
    this.stands = this.question;
    if (this.moves) afterFrame(() => this.radios[0]?.focus());
    this.moves = false;
  }

  private get kind(): string {
    return this.radios.find(({ checked }) => checked)?.value ?? "";
  }

  /** What comes to no tensor has no sizes, and where nothing is guessed there is nothing to check. */
  private allow(): void {
    for (const guess of this.guesses) guess.disabled = this.kind === "error" || this.kind === "none";
    const guessed = this.kind !== "" || this.guesses.some(({ value }) => value.trim() !== "");
    this.button.disabled = this.ask === "yes" && !guessed;
  }

  private check(): void {
    this.answered = this.question;
    this.button.focus();
    this.change({});
  }

  /** After the last step the first comes again. */
  private goOn(): void {
    const { chosen, reading } = this.now();
    this.answered = this.stands = "";
    this.moves = true;
    this.choose((chosen + 1) % reading.outline.steps.length);
  }

  /** Marks each part that has a truth. @returns what was marked, in words */
  private judge({ kind, sizes, strides }: Judged, labels: Labels): string {
    const names = [this.legend.textContent, labels.say("sizes"), this.strides.textContent];
    const parts = [{ ...kind, truth: labels.say(word(kind.truth)) }, sizes, strides];
    const said = this.verdicts.map((verdict, k) => {
      const part = parts[k];
      const text = !part ? "" : part.right ? labels.say("ask_right") : labels.say("ask_truth", part.truth);
      const mark = part?.right ? "✓ " : "✗ ";
      verdict.replaceChildren(...(text ? [h("span", { "aria-hidden": "true" }, mark), text] : []));
      verdict.classList.toggle("right", part?.right ?? false);
      return text && `${names[k]}: ${text}.`;
    });
    return said.filter(Boolean).join(" ");
  }
}
