// A slider with two handles: a part of 0 .. size. Each handle is a range input of its own, so it has all the keys of
// one.
import { h } from "../dom";

export class Handles {
  readonly element: HTMLElement;
  private readonly first: HTMLInputElement;
  private readonly second: HTMLInputElement;
  private readonly said = h("output", {});

  constructor(private readonly size: bigint, from: string, to: string, change: () => void) {
    const handle = (value: bigint, label: string): HTMLInputElement =>
      h("input", { type: "range", min: 0, max: String(size), step: 1, value: String(value), "aria-label": label });
    [this.first, this.second] = [handle(0n, from), handle(size, to)];
    const moved = (at: HTMLInputElement): void => {
      // At least one index stays between them.
      if (this.from >= this.to) at.value = String(at === this.first ? this.to - 1n : this.from + 1n);
      this.show();
      change();
    };
    for (const input of [this.first, this.second]) input.addEventListener("input", () => moved(input));
    this.element = h("div", { class: "handles" }, h("div", { class: "between" }, this.first, this.second), this.said);
    this.show();
  }

  get from(): bigint {
    return BigInt(this.first.value);
  }
  get to(): bigint {
    return BigInt(this.second.value);
  }

  private show(): void {
    const share = (at: bigint): string => String(Number(at) / Number(this.size));
    this.element.style.setProperty("--from", share(this.from));
    this.element.style.setProperty("--to", share(this.to));
    this.said.textContent = `${this.from}:${this.to}`;
    this.first.style.zIndex = this.from > this.size / 2n ? "1" : "0"; // so that neither is ever buried under the other
  }
}
