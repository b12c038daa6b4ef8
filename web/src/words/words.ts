// Sentences of the engine as elements, and labels of the page. Words that point at something light it up.
import { h } from "../dom";
import type { Sentence } from "../engine";

/** Told what is pointed at, "" of nothing, and whether it was pressed. */
export type Light = (target: string, pressed?: boolean) => void;

/** A pointing word is a button: focus and hover light up what it is about, and a press goes there. */
export function sentence(runs: Sentence, light: Light): Node[] {
  return runs.map((run) => {
    const content = run.code ? h("code", {}, run.text) : document.createTextNode(run.text);
    if (!run.target) return content;
    const on = (): void => light(run.target ?? "");
    const off = (): void => light("");
    return h(
      "button",
      {
        type: "button",
        class: "word",
        "data-target": run.target,
        onmouseenter: on,
        onmouseleave: off,
        onfocus: on,
        onblur: off,
        onclick: () => light(run.target ?? "", true),
      },
      content,
    );
  });
}

export const plain = (runs: Sentence): string => runs.map((run) => run.text).join("");

/** 1234567 as "1 234 567", with thin spaces. */
export const group = (count: bigint | string): string => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");

/** Whether one of two targets is the other or a part of it. A tensor has axes and elements. */
export function related(a: string, b: string): boolean {
  if (!a || !b) return false;
  const [kind, owner] = a.split(":"), [otherKind, other] = b.split(":");
  if (a === b) return true;
  const parts = (part: string | undefined): boolean => part === "axis" || part === "element";
  return owner === other && ((kind === "tensor" && parts(otherKind)) || (otherKind === "tensor" && parts(kind)));
}

/** The page's own words, from the engine's catalogue. "{0}" in a label stands for its first argument. */
export class Labels {
  constructor(
    private readonly texts: Record<string, string>,
    readonly lang = "",
  ) {}

  say(id: string, ...args: (string | number)[]): string {
    const text = this.texts[`label_${id}`];
    if (text === undefined) throw new Error(`the catalogue has no label_${id}`);
    return text.replace(/\{(\d)\}/g, (_, place: string) => String(args[Number(place)] ?? ""));
  }

  /** Puts words into every element that names one: data-text its content, data-label its accessible name. */
  apply(root: ParentNode): void {
    for (const element of root.querySelectorAll<HTMLElement>("[data-text]"))
      element.textContent = this.say(element.dataset.text ?? "");
    for (const element of root.querySelectorAll<HTMLElement>("[data-hint]"))
      element.title = this.say(element.dataset.hint ?? "");
    for (const element of root.querySelectorAll<HTMLElement>("[data-label]")) {
      const text = this.say(element.dataset.label ?? "");
      element.setAttribute("aria-label", text);
      if (element instanceof HTMLButtonElement) element.title = text;
      if (element instanceof HTMLInputElement && element.type === "search") element.placeholder = text;
    }
  }
}
