// Writing into a cell: twice pressed, or Enter where the keyboard is, an element takes a new value. Every cell that
// changed with it flashes once.
import { h } from "../dom";
import type { Tensor } from "../engine";
import type { Place } from "../picture/stage";
import { indexOf } from "../picture/travel";
import type { Labels } from "../words/words";
import { place } from "./chip_menu";
import type { Hand } from "./hand";

export class Poke {
  private readonly name = h("code", {});
  private readonly field = h("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    size: 8,
    maxlength: 80,
  });
  private readonly box = h("form", { id: "poke", popover: "auto" }, this.name, this.field);
  private gesture = "";
  private from: Element | null = null;

  constructor(
    private readonly stage: HTMLElement,
    private readonly hand: Hand,
    private readonly labels: () => Labels,
  ) {
    stage.append(this.box);
    this.box.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = this.field.value.trim();
      if (value && this.hand.write(`${this.gesture} = ${value}`)) this.box.hidePopover();
    });
    this.box.addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState === "closed" && this.from instanceof HTMLElement)
        this.from.focus({ preventScroll: true });
    });
  }

  open(name: string, tensor: Tensor, element: bigint, at: { left: number; top: number; bottom: number }): void {
    const index = indexOf(element, tensor.sizes);
    this.gesture = ["write", ...index].join(" ");
    const what = `${name}[${index.length ? index.join(", ") : "..."}]`;
    this.from = document.activeElement;
    this.name.textContent = `${what} =`;
    this.field.value = "";
    this.field.setAttribute("aria-label", this.labels().say("poke", what));
    this.field.title = this.labels().say("poke_hint");
    this.box.showPopover();
    place(this.box, at);
    this.field.focus();
  }

  /** Marks places of the picture for a moment. */
  flash(places: Place[]): void {
    for (const old of this.stage.querySelectorAll(".flash")) old.remove();
    for (const { left, top, width, height } of places.slice(0, 400)) {
      const mark = h("span", { class: "flash", "aria-hidden": "true" });
      Object.assign(mark.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      mark.addEventListener("animationend", () => mark.remove());
      this.stage.append(mark);
    }
  }
}
