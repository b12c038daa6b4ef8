// What else can be done with one dimension, each a press that writes its line. What a gesture needs stands beside its
// button, and the picture shows it while it is being chosen.
import { h } from "../dom";
import type { Axis, Gestures } from "../engine";
import { type Labels, group, plain } from "../words/words";
import type { Hand } from "./hand";
import { Handles } from "./handles";

export class ChipMenu {
  private readonly box = h("div", { id: "chip-menu", popover: "auto", role: "dialog" });
  private chip: HTMLElement | null = null;
  private line = h("code", {});

  constructor(
    private readonly hand: Hand,
    private readonly labels: () => Labels,
  ) {
    document.body.append(this.box);
    this.box.addEventListener("toggle", (event) => {
      const open = (event as ToggleEvent).newState === "open";
      this.chip?.setAttribute("aria-expanded", String(open));
      if (!open) this.hand.letGo();
    });
  }

  open(gestures: Gestures, dim: number, chip: HTMLElement): void {
    const axis = gestures.axes[dim];
    if (!axis) return;
    this.chip = chip;
    this.line = h("code", {});
    this.box.setAttribute("aria-label", this.labels().say("chip_menu", axis.name));
    this.box.replaceChildren(...this.rows(axis, dim), h("p", { class: "line" }, this.line));
    this.box.showPopover();
    place(this.box, chip.getBoundingClientRect());
    this.box.querySelector<HTMLElement>("button:enabled")?.focus();
  }

  private rows(axis: Axis, dim: number): HTMLElement[] {
    const labels = this.labels();
    const size = BigInt(axis.size.value);
    const rows: HTMLElement[] = [];

    const splits = axis.splits.map((inner) => {
      const outer = String(size / BigInt(inner));
      return this.verb(`${group(outer)} × ${group(inner)}`, `split ${dim} ${inner}`);
    });
    const none = h("span", { class: "reason" }, labels.say("split_none", group(size)));
    rows.push(
      h(
        "div",
        { class: "act", role: "group", "aria-label": labels.say("split") },
        h("span", { class: splits.length ? "verb" : "verb cannot" }, labels.say("split")),
        h("div", { class: "with" }, ...(splits.length ? splits : [none])),
      ),
    );

    if (axis.merge !== null) {
      const merge = this.verb(labels.say("merge"), `merge ${dim}`);
      if (axis.merge === true) rows.push(h("div", { class: "act" }, merge));
      else {
        merge.disabled = true;
        merge.setAttribute("aria-describedby", "merge-reason");
        rows.push(
          h("div", { class: "act" }, merge, h("span", { class: "reason", id: "merge-reason" }, plain(axis.merge))),
        );
      }
    }

    rows.push(h("div", { class: "act" }, this.verb(labels.say("flip"), `flip ${dim}`)));
    rows.push(this.select(dim, size, labels));
    rows.push(this.slice(dim, size, labels));
    rows.push(h("div", { class: "act" }, this.verb(labels.say("unsqueeze"), `unsqueeze ${dim}`)));
    rows.push(h("div", { class: "act" }, this.verb(labels.say("unsqueeze_after"), `unsqueeze ${dim + 1}`)));
    if (size === 1n) {
      rows.push(h("div", { class: "act" }, this.verb(labels.say("squeeze"), `squeeze ${dim}`)));
      rows.push(this.counted(labels.say("expand"), 3n, 1n, undefined, (count) => `expand ${dim} ${count}`));
    }
    return rows;
  }

  private select(dim: number, size: bigint, labels: Labels): HTMLElement {
    return this.counted(labels.say("select"), 0n, 0n, size - 1n, (index) => `select ${dim} ${index}`);
  }

  private slice(dim: number, size: bigint, labels: Labels): HTMLElement {
    const step = number(1n, 1n, size, labels.say("slice_step"));
    const gesture = (): string => `slice ${dim} ${handles.from} ${handles.to} ${step.value || "1"}`;
    const handles = new Handles(size, labels.say("slice_from"), labels.say("slice_to"), () => this.attempt(gesture()));
    step.addEventListener("input", () => this.attempt(gesture()));
    return h(
      "div",
      { class: "act" },
      this.verb(labels.say("slice"), gesture),
      h("div", { class: "with" }, handles.element, h("label", { class: "step" }, labels.say("slice_step"), step)),
    );
  }

  private counted(
    name: string,
    value: bigint,
    lowest: bigint,
    highest: bigint | undefined,
    gesture: (count: string) => string,
  ): HTMLElement {
    const field = number(value, lowest, highest, name);
    field.addEventListener("input", () => this.attempt(gesture(field.value)));
    field.addEventListener("keydown", (event) => event.key === "Enter" && this.write(gesture(field.value)));
    return h(
      "div",
      { class: "act" },
      this.verb(name, () => gesture(field.value)),
      h("div", { class: "with" }, field),
    );
  }

  /** A button that writes its gesture; while it is pointed at, the line stands below. */
  private verb(text: string, gesture: string | (() => string)): HTMLButtonElement {
    const now = (): string => (typeof gesture === "string" ? gesture : gesture());
    const tell = (): void => this.tell(now());
    return h("button", { type: "button", onclick: () => this.write(now()), onpointerenter: tell, onfocus: tell }, text);
  }

  private tell(gesture: string): void {
    const answer = this.hand.ask(gesture);
    this.line.textContent = answer.refused ? plain(answer.refused) : answer.line;
  }

  private attempt(gesture: string): void {
    const answer = this.hand.try(gesture);
    this.line.textContent = answer.refused ? plain(answer.refused) : answer.line;
  }

  private write(gesture: string): void {
    if (this.hand.write(gesture)) this.box.hidePopover();
  }
}

/** A field for a whole number. */
export function number(value: bigint, lowest: bigint, highest: bigint | undefined, label: string): HTMLInputElement {
  return h("input", {
    type: "number",
    value: String(value),
    min: String(lowest),
    max: highest === undefined ? false : String(highest),
    step: "1",
    "aria-label": label,
  });
}

/** Under `at`, or where there is room. */
export function place(box: HTMLElement, at: { left: number; top: number; bottom: number }): void {
  const margin = 8;
  const left = Math.max(margin, Math.min(at.left, innerWidth - box.offsetWidth - margin));
  const below = at.bottom + 6, above = at.top - 6 - box.offsetHeight;
  const top =
    below + box.offsetHeight <= innerHeight - margin || above < margin
      ? Math.min(below, Math.max(margin, innerHeight - margin - box.offsetHeight))
      : above;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
