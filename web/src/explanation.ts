// Why the chosen step did what it did; where it failed, what would work, as one click.
import { h } from "./dom";
import type { Applied, Diagnostic, Fix, Step } from "./engine";
import { type Light, sentence } from "./words";

function problem(diagnostic: Diagnostic, light: Light, apply: (fix: Fix) => void): HTMLElement {
  const hints = diagnostic.hints.map(({ text, fix }) =>
    h(
      "li",
      {},
      fix ? h("button", { type: "button", class: "fix", onclick: () => apply(fix) }, ...sentence(text.map(({ target: _, ...run }) => run), light))
          : h("p", {}, ...sentence(text, light)),
    ),
  );
  const raised = diagnostic.raised;
  return h(
    "div",
    { class: "problem" },
    ...(raised ? [h("p", { class: "raised" }, h("code", {}, raised.text ? `${raised.type}: ${raised.text}` : raised.type))] : []),
    h("p", { class: "headline" }, ...sentence(diagnostic.reason, light)),
    ...(hints.length ? [h("ul", { class: "hints" }, ...hints)] : []),
  );
}

function because(applied: Applied, several: boolean, light: Light): HTMLElement[] {
  const lines = applied.why.map((line, i) => h("p", { class: i === 0 ? "headline" : "" }, ...sentence(line, light)));
  return several && lines.length ? [h("h3", {}, h("code", {}, applied.title)), ...lines] : lines;
}

/** What to show for one step, and for what is wrong with the text as a whole. */
export function explanation(step: Step | undefined, whole: Diagnostic[], light: Light, apply: (fix: Fix) => void): HTMLElement[] {
  const parts = whole.map((diagnostic) => problem(diagnostic, light, apply));
  if (!step) return parts;
  if (step.error) parts.push(problem(step.error, light, apply));
  const explained = step.applied.filter(({ why }) => why.length > 0);
  for (const applied of [...explained].reverse()) parts.push(...(because(applied, explained.length > 1, light) as HTMLDivElement[]));
  return parts;
}
