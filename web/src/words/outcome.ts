// What a line came to, in one row under it: its name, its layout or value, and what it is to its input. The same row
// stands in the editor, in the listing shown before the editor comes, and in print.
import { h } from "../dom";
import type { Beside, Mark } from "../engine";
import { type Labels, plain } from "./words";

export interface Outcome {
  name: string;
  text: string;
  mark: Mark;
  markText: string;
  target: string; // of the tensor, "" where there is none
  notation?: string; // how its layout is to be read
  round?: { text: string; before: string; after: string }; // that it begins, and what leads to the others
}

export function outcome(step: Beside, labels: Labels): Outcome {
  const { mark, result, error } = step;
  const changed = step.changed.map(({ name }) => name).join(", ");
  let text = step.bound || (result?.layout ?? step.value ?? "");
  if (!text && changed) text = labels.say("changed", changed);
  if (error)
    text = error.raised ? [error.raised.type, error.raised.text].filter(Boolean).join(": ") : plain(error.reason);
  const kind = step.call ? "call" : "round";
  const round =
    step.round === 0
      ? labels.say("rounds_over", step.rounds)
      : step.rounds > 0
        ? labels.say(kind, step.round, step.rounds)
        : labels.say("round_number", step.round);
  return {
    name: result && !step.bound ? step.targets.join(", ") : "",
    text: text.replace(/\n\s*/g, " "),
    mark,
    markText: mark ? labels.say(`mark_${mark}`) : "",
    target: result ? `tensor:${result.object}` : "",
    ...(result && !error ? { notation: labels.say("notation") } : {}),
    ...(step.round > 0 || step.rounds > 0
      ? { round: { text: round, before: labels.say(`${kind}_before`), after: labels.say(`${kind}_after`) } }
      : {}),
  };
}

/** @param turns  the steps that show the round before and the round after, -1 where there is none; without it nothing
    leads there */
export function outcomeRow(
  { name, text, mark, markText, target, notation, round }: Outcome,
  turns?: number[],
): HTMLElement {
  const turn = (sign: string, label: string, step = -1): HTMLElement => {
    const named = { "aria-label": label, title: label };
    return h("button", { type: "button", tabindex: "-1", ...named, "data-step": step, disabled: step < 0 }, sign);
  };
  const turned =
    round && turns ? [turn("‹", round.before, turns[0]), round.text, turn("›", round.after, turns[1])] : [];
  return h(
    "div",
    { class: `outcome ${mark || "none"}`, "data-target": target },
    h("span", { class: "what", ...(notation ? { title: notation } : {}) }, ...(name ? [h("b", {}, name), " "] : []), text),
    ...(round ? [h("span", { class: "round" }, ...(turns ? turned : [round.text]))] : []),
    h("span", { class: "mark" }, markText),
  );
}

/** The step that a program is about: the first at which Python would stop, else the last that made or changed a tensor,
    one without dimensions only where there is no other, for it shows nothing of a layout; else the first of which nothing
    is known. */
export function subject(steps: Beside[]): number {
  const failing = steps.findIndex(({ error }) => error?.raised);
  if (failing >= 0) return failing;
  const made = (step: Beside): boolean => step.mark !== "" && step.mark !== "error";
  const shows = (step: Beside): boolean => made(step) && !step.result?.layout.startsWith("():");
  const last = [shows, made].map((fits) => steps.findLastIndex(fits)).find((step) => step >= 0);
  return last ?? steps.findIndex(({ error }) => error);
}
