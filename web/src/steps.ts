// The list of steps: what each line made, in notation, and what it is to its input.
import { h } from "./dom";
import type { Step, Trace } from "./engine";
import type { Labels } from "./words";

function outcome(step: Step): string {
  if (step.error) return step.error.raised?.type ?? "";
  if (step.result) return step.result.layout;
  return step.value ?? "";
}

export function stepList(trace: Trace, chosen: number, labels: Labels, choose: (step: number) => void): HTMLElement[] {
  return trace.steps.map((step, number) => {
    const changed = step.changed.map(({ name }) => name).join(", ");
    return h(
      "li",
      { class: `step ${step.mark || "none"}` },
      h(
        "button",
        { type: "button", onclick: () => choose(number), "aria-current": number === chosen ? "step" : false },
        h("span", { class: "line" }, String(step.line)),
        h("code", { class: "text" }, step.text),
        h("span", { class: "outcome" }, outcome(step)),
        h("span", { class: "mark" }, step.mark ? labels.say(`mark_${step.mark}`) : ""),
        ...(changed ? [h("span", { class: "changed" }, labels.say("changed", changed))] : []),
      ),
    );
  });
}
