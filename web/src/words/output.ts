// What the program prints, as a terminal shows it. What the chosen step wrote stands out, and each piece leads to the
// step that wrote it.
import { byId, h } from "../dom";
import type { Written } from "../engine";

export class Output {
  private readonly text = byId("written");
  private shown: Written[] = [];

  constructor(choose: (step: number) => void) {
    this.text.addEventListener("click", ({ target }) => {
      const piece = target instanceof Element ? target.closest<HTMLElement>("[data-step]") : null;
      if (piece && getSelection()?.isCollapsed !== false) choose(Number(piece.dataset.step));
    });
  }

  /** @param own whether a step is the one that is looked at, or a part of it */
  render(output: Written[], own: (step: number) => boolean): void {
    byId("output").hidden = output.length === 0;
    if (output !== this.shown)
      this.text.replaceChildren(...output.map(({ step, text }) => h("span", { "data-step": step }, text)));
    this.shown = output;
    let first: HTMLElement | undefined;
    for (const piece of this.text.querySelectorAll<HTMLElement>("[data-step]")) {
      const current = own(Number(piece.dataset.step));
      piece.classList.toggle("current", current);
      if (current) first ??= piece;
    }
    if (first) this.text.scrollTop = Math.max(0, first.offsetTop - this.text.clientHeight / 3);
  }
}
