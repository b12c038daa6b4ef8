// The program with what each line came to, as still text: what is seen until the editor has come, and what is printed.
import { h } from "../dom";
import { outcomeRow } from "./outcome";
import type { Reading } from "./reading";

export function listing(reading: Reading, current: number): HTMLElement[] {
  const { steps } = reading.outline;
  const under = new Map<number, number>(); // line to step; the last step of a line speaks for it
  for (const number of reading.beside(current)) {
    const step = steps[number];
    if (step) under.set(reading.lastLine(step), number);
  }
  const [from, to] = current >= 0 && steps[current] ? [steps[current].line, reading.lastLine(steps[current])] : [0, -1];
  return reading.text.split("\n").map((line, i) => {
    const number = i + 1;
    const shown = number >= from && number <= to;
    const step = under.get(number);
    const row = step === undefined ? undefined : reading.outcomes[step];
    const last = row && outcomeRow(row);
    if (shown) last?.classList.add("current");
    return h("li", {}, h("code", { class: shown ? "current" : "" }, line || " "), ...(last ? [last] : []));
  });
}
