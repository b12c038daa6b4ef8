// What pointing at something does, in the picture or at a word about it: it lights up, and a press goes there.
import type { Elements } from "../engine";

export interface Pointed {
  elements: Elements | null;
  /** What is lit up. */
  hover: string;
  /** The first element that reads a cell of the storage, "" where none does. */
  reader(cell: string): string;
  light(target: string): void;
  choose(step: number): void;
  /** Goes to a line of the program, counted from 1. */
  goToLine(line: number): void;
  /** Takes the head to an element, and lights the target up. */
  go(element: string, target: string): void;
}

export function point(at: Pointed, target: string, pressed = false): void {
  const [kind, object, number = ""] = target.split(":");
  if (pressed && (kind === "step" || kind === "line")) {
    if (kind === "step") at.choose(Number(object));
    else at.goToLine(Number(object));
    return at.light("");
  }
  const ours = kind === "element" && Number(object) === at.elements?.tensor.object;
  const element = pressed ? (ours ? number : kind === "cell" ? at.reader(target) : "") : "";
  if (element) at.go(element, target);
  else if (target !== at.hover) at.light(target);
}
