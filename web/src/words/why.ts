// The words beside the picture: why the chosen step did what it did, and its layout as other systems write it.
import { afterFrame, byId } from "../dom";
import type { Fix, Step } from "../engine";
import { explanation } from "./explanation";
import { notations } from "./notations";
import type { Wrong } from "./reading";
import { type Labels, type Light, related } from "./words";

export interface Asker {
  light: Light;
  fix(fix: Fix): void;
  /** Shows this operation of the statement in the picture. */
  operation(op: number): void;
  copy(text: string): void;
}

export class Why {
  private readonly words = byId("explanation");
  private below: (() => void) | undefined; // what stands under them is written after the frame that they are in

  constructor(private readonly asker: Asker) {}

  /** @param op the operation in the picture, -1 the last */
  render(step: Step | null, whole: Wrong[], op: number, labels: Labels): void {
    const { light, operation, copy } = this.asker;
    const fix = (chosen: Fix): void => {
      this.asker.fix(chosen);
      byId("side").scrollTop = 0; // where it says what came of it
    };
    const parts = explanation(step, whole, light, fix, operation, op, labels);
    const held = this.words.contains(document.activeElement);
    this.words.replaceChildren(...parts);
    // Who pressed one of them by keyboard goes on from there.
    const pressed = this.words.querySelector<HTMLElement>(".operation[aria-pressed=true]");
    if (held) (op >= 0 && pressed ? pressed : this.words).focus({ preventScroll: true });
    byId("why").classList.toggle("nothing", parts.length === 0);
    const systems = step?.notations ?? [];
    byId("other-words").hidden = systems.length === 0;
    this.below = (): void => byId("notations").replaceChildren(...notations(systems, labels, light, copy));
    const { below } = this;
    afterFrame(() => below === this.below && below());
  }

  get headline(): string {
    return this.words.querySelector(".headline")?.textContent ?? "";
  }

  /** Lights up the words that are about a target. */
  light(target: string): void {
    for (const word of this.words.querySelectorAll<HTMLElement>(".word"))
      word.classList.toggle("lit", related(target, word.dataset.target ?? ""));
  }
}
