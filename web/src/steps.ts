// The list of steps: what each line made, in notation, and what it is to its input.
import { h } from "./dom";
import type { Step, Trace } from "./engine";
import { type Labels, plain } from "./words";

function outcome(step: Step, changed: string): string {
  if (step.error) return step.error.raised?.type ?? plain(step.error.reason);
  return step.result?.layout ?? step.value ?? changed;
}

export function stepList(trace: Trace, chosen: number, labels: Labels, choose: (step: number) => void): HTMLElement[] {
  return trace.steps.map((step, number) => {
    const names = step.changed.map(({ name }) => name).join(", ");
    const changed = names && labels.say("changed", names);
    const shown = outcome(step, changed);
    return h(
      "li",
      { class: `step ${step.mark || "none"}` },
      h(
        "button",
        { type: "button", onclick: () => choose(number), "aria-current": number === chosen ? "step" : false },
        h("span", { class: "line" }, String(step.line)),
        h("code", { class: "text" }, step.text),
        h("span", { class: "outcome" }, shown),
        h("span", { class: "mark" }, step.mark ? labels.say(`mark_${step.mark}`) : ""),
        ...(changed && changed !== shown ? [h("span", { class: "changed" }, changed)] : []),
      ),
    );
  });
}
