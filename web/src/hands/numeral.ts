// A number of a layout, with a slider that ends where the number may go, and a field in which any can be typed. One that
// is typed beyond stays there, marked, until it is another or may be it.
import { h } from "../dom";
import type { Bounded } from "../engine";
import { number } from "./chip_menu";

export interface Taker {
  take(value: bigint): void;
  /** It was typed beyond its bounds. */
  refuse(): void;
  /** Why a number cannot be, "" where nothing but the panel forbids it. */
  why(value: bigint): string;
}

export class Numeral {
  readonly element: HTMLElement;
  private refused: bigint | null = null;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;

  /** @param problem the id of what says why a number is refused */
  constructor(
    readonly name: string,
    private bounded: Bounded,
    private readonly taker: Taker,
    private readonly problem: string,
  ) {
    this.slider = h("input", { type: "range", step: 1, "aria-label": name });
    this.field = number(0n, 0n, 0n, name);
    this.element = h("span", { class: "number" }, this.slider, this.field);
    this.slider.addEventListener("input", () => this.offer(this.slider.value));
    this.field.addEventListener("change", () => this.offer(this.field.value));
    this.limit(bounded);
  }

  /** Whether this is the field, and a number stands in it that was not taken. */
  pending(field: EventTarget | null): boolean {
    return field === this.field && this.field.value !== this.bounded.value;
  }

  /** What was typed beyond the bounds, the bound that it lies beyond, and why it cannot be; null where nothing was. */
  get beyond(): { typed: bigint; bound: bigint; why: string } | null {
    const typed = this.refused;
    if (typed === null) return null;
    const { lowest, highest } = this.bounded;
    return { typed, bound: BigInt(typed < BigInt(lowest) ? lowest : highest), why: this.taker.why(typed) };
  }

  limit(bounded: Bounded): void {
    this.bounded = bounded;
    const { value, lowest, highest } = bounded;
    for (const input of [this.slider, this.field]) {
      input.min = lowest;
      input.max = highest;
      input.disabled = lowest === highest;
    }
    this.slider.value = value;
    if (this.refused === null) this.field.value = value;
    this.element.title = `${lowest} … ${highest}`;
  }

  /** Whether the number that was refused may be by now. */
  get fits(): boolean {
    return this.refused !== null && this.allows(this.refused);
  }

  /** Takes a number, or marks it as one that cannot be; nothing changes where the text is none. */
  offer(text = this.field.value): void {
    const value = whole(text);
    this.refused = value === null || this.allows(value) ? null : value;
    this.mark(this.refused !== null);
    if (this.refused !== null) this.taker.refuse();
    else if (value !== null) this.taker.take(value);
    else this.field.value = this.bounded.value;
  }

  /** Takes the bound, and the keyboard stays at the number. */
  yield(bound: bigint): void {
    this.field.value = String(bound);
    this.offer();
    this.field.focus();
  }

  private allows(value: bigint): boolean {
    return value >= BigInt(this.bounded.lowest) && value <= BigInt(this.bounded.highest);
  }

  private mark(wrong: boolean): void {
    this.field.ariaInvalid = wrong ? "true" : null;
    if (wrong) this.field.setAttribute("aria-describedby", this.problem);
    else this.field.removeAttribute("aria-describedby");
  }
}

/** null where the text is no whole number, or longer than any that a layout has. */
const whole = (text: string): bigint | null => (/^\s*-?\d{1,18}\s*$/.test(text) ? BigInt(text.trim()) : null);
