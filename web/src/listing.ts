// The program with what each line came to, as still text: what is seen until the editor has come, and what is printed.
import { h } from "./dom";
import type { Step } from "./engine";
import { type Outcome, outcomeRow } from "./outcome";

/** @param outcomes one a step; @param lastLine of each step: 1-based, the line under which its outcome stands */
export function listing(text: string, steps: Step[], outcomes: Outcome[], lastLine: (step: Step) => number, current: number): HTMLElement[] {
  const under = new Map<number, number>(); // line to step; the last step of a line speaks for it
  steps.forEach((step, number) => under.set(lastLine(step), number));
  const [from, to] = current >= 0 && steps[current] ? [steps[current].line, lastLine(steps[current])] : [0, -1];
  return text.split("\n").map((line, i) => {
    const number = i + 1;
    const shown = number >= from && number <= to;
    const step = under.get(number);
    const row = step === undefined ? undefined : outcomes[step];
    const last = row && outcomeRow(row);
    if (shown) last?.classList.add("current");
    return h("li", {}, h("code", { class: shown ? "current" : "" }, line || " "), ...(last ? [last] : []));
  });
}
