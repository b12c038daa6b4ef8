// What is read out to those who do not see it: the step that was chosen, the line that a gesture wrote, the element
// under the keyboard.
import type { Elements, Step } from "../engine";
import { announce } from "../notices";
import type { Outcome } from "./outcome";
import type { Labels } from "./words";

/** @param said what is to be heard before it */
export function readStep(step: Step | null, row: Outcome | undefined, headline: string, said: string): void {
  const came = row ? [row.text, row.round?.text, row.markText].filter(Boolean).join(" ") : "";
  const line = step && row ? `${step.text}: ${came}. ${headline}` : headline;
  announce(said ? `${said} ${line}` : line);
}

/** The line, and what changed with it. */
export function readWritten(step: Step | null, headline: string, labels: Labels): void {
  const names = step?.changed.map(({ name }) => name) ?? [];
  announce(
    [
      labels.say("wrote", step?.text ?? ""),
      names.length > 1 ? labels.say("aliases_changed", names.join(", ")) : "",
      headline,
    ]
      .filter(Boolean)
      .join(". "),
  );
}

export function readElement({ head, name, index }: Elements, labels: Labels): void {
  if (head) announce(labels.say("element", `${name}[${index.join(", ")}]`, head.value, head.offset));
}
