// Why the chosen step did what it did; where it failed, what would work, as one click.
import { h } from "../dom";
import type { Applied, Diagnostic, Fix, Step } from "../engine";
import type { Wrong } from "./reading";
import { type Labels, type Light, sentence } from "./words";

type Hints = Diagnostic["hints"];

/** What to do instead; of what gives the elements in another order it is said first that it does. */
function hintList(hints: Hints, light: Light, apply: (fix: Fix) => void): HTMLElement {
  const items = hints.map(({ text, fix }) =>
    h(
      "li",
      {},
      fix
        ? h(
            "button",
            { type: "button", class: "fix", onclick: () => apply(fix) },
            ...sentence(
              text.map(({ target: _, ...run }) => run),
              light,
            ),
          )
        : h("p", {}, ...sentence(text, light)),
    ),
  );
  return h("ul", { class: "hints" }, ...items);
}

function problem(diagnostic: Diagnostic, light: Light, apply: (fix: Fix) => void, labels: Labels): HTMLElement {
  const [meant, others] = [false, true].map((other) => diagnostic.hints.filter(({ reorders }) => reorders === other));
  const raised = diagnostic.raised;
  return h(
    "div",
    { class: "problem" },
    ...(raised
      ? [h("p", { class: "raised" }, h("code", {}, raised.text ? `${raised.type}: ${raised.text}` : raised.type))]
      : []),
    h("p", { class: "headline" }, ...sentence(diagnostic.reason, light)),
    ...(meant?.length ? [hintList(meant, light, apply)] : []),
    ...(others?.length
      ? [h("div", { class: "others" }, h("p", {}, labels.say("reorders")), hintList(others, light, apply))]
      : []),
  );
}

/** One operation of the statement. Where there are several its title is a button that shows it in the picture. */
function because({ why, attempt, error }: Applied, title: HTMLElement | undefined, light: Light): HTMLElement[] {
  // Why a view fails is the problem's headline already.
  const lines = (attempt && error ? why.slice(1) : why).map((line, i) =>
    h("p", { class: i === 0 && !error ? "headline" : "" }, ...sentence(line, light)),
  );
  return [...(title ? [h("h3", {}, title)] : []), ...lines];
}

const roomForTitle = 36; // characters

/** The title of an operation, where it is long without what another that is explained says: "… .flatten()". */
function shortTitle(title: string, others: string[]): string {
  const before = others.filter((other) => title.startsWith(other + ".") || title.startsWith(other + "["));
  const most = Math.max(0, ...before.map(({ length }) => length));
  return title.length > roomForTitle && most > 0 ? "… " + title.slice(most) : title;
}

interface Numbered {
  applied: Applied;
  number: number;
}

/** The operations in the order in which they are told: the last first, for the picture shows that one. What only says
    which calls one of the program's comes to, as a pattern of einops does, stands before these. */
function inOrder(step: Step): Numbered[] {
  const told: Numbered[] = [];
  const comesTo = ({ mark, error, title, span }: Applied, part: Applied): boolean =>
    mark === "" && !error && step.text.includes(title) && String(span) === String(part.span);
  step.applied.forEach((applied, number) => {
    if (applied.why.length > 0)
      told.splice(told.findIndex((other) => comesTo(other.applied, applied)) + 1, 0, { applied, number });
  });
  return told;
}

/** Whether the statement names a method or function without calling it: x.permute */
export const uncalled = ({ value, text }: Step): boolean => Boolean(value && text.endsWith("." + value));

/** What to show for one step, and for what is wrong with the text as a whole. `op` is the operation in the picture, -1
    the last. */
export function explanation(
  step: Step | null,
  whole: Wrong[],
  light: Light,
  apply: (fix: Fix) => void,
  choose: (op: number) => void,
  op: number,
  labels: Labels,
): HTMLElement[] {
  const parts: HTMLElement[] = whole.flatMap((wrong) => [
    ...(wrong.line ? [h("h3", {}, h("code", {}, wrong.line))] : []),
    problem(wrong.problem, light, apply, labels),
  ]);
  if (step && parts.length > 0 && step.applied.length < 2) parts.push(h("h3", {}, h("code", {}, step.text)));
  if (!step) return parts;
  if (step.error) parts.push(problem(step.error, light, apply, labels));
  if (uncalled(step)) parts.push(h("p", { class: "headline" }, labels.say("uncalled", step.value ?? "")));
  if (step.decision) parts.push(h("p", { class: "headline" }, ...sentence(step.decision, light)));
  const explained = inOrder(step);
  const shown = op < 0 || op >= step.applied.length ? step.applied.length - 1 : op;
  const titles = explained.map(({ applied }) => applied.title);
  for (const { applied, number } of explained) {
    const short = shortTitle(applied.title, titles);
    const title = h(
      "button",
      {
        ...{ type: "button", class: "operation", "aria-pressed": String(number === shown), title: applied.title },
        onclick: () => choose(number),
      },
      h("code", {}, short),
    );
    parts.push(...because(applied, step.applied.length > 1 ? title : undefined, light));
  }
  return parts;
}
