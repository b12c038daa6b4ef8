// What the cells say, by what they are coloured, what the rulers count, and what stands beside the tensor.
import { h } from "./dom";
import type { Fields } from "./document";
import type { Labels } from "./words";

const choices = {
  labels: ["value", "index", "offset", "order"],
  colour: ["position", "row", "order", "axis", "times", "line"],
  unit: ["elements", "bytes"],
} as const;
const lines = ["", "32", "64", "128"]; // bytes of a cache line
const usual = "strip,grid,path,verdict";
const extra = ["before", "sharing"] as const;

export class ViewBar {
  private readonly selects: [string, HTMLSelectElement][];
  private readonly boxes: [string, HTMLInputElement][];
  private readonly line = h("select");
  private shown: unknown[] = []; // what is made anew only when it changes

  constructor(host: HTMLElement, change: (patch: Partial<Fields>) => void) {
    const choice = (label: string, control: HTMLElement): HTMLElement => h("label", { class: "choice" }, h("span", { "data-text": label }), control);
    this.selects = Object.entries(choices).map(([key, values]) => {
      const select = h("select", {}, ...values.map((value) => h("option", { value, "data-text": `${key}_${value}` })));
      select.addEventListener("change", () => change({ [key]: select.value }));
      host.append(choice(key, select));
      return [key, select];
    });
    this.line.addEventListener("change", () => change({ line: this.line.value }));
    host.append(choice("line", this.line));
    this.boxes = extra.map((figure) => {
      const box = h("input", { type: "checkbox" });
      box.addEventListener("change", () => change({ figures: this.figures() }));
      host.append(h("label", { class: "choice" }, box, h("span", { "data-text": `figure_${figure}` })));
      return [figure, box];
    });
  }

  private figures(): string {
    const more = this.boxes.filter(([, box]) => box.checked).map(([figure]) => figure);
    return more.length ? [usual, ...more].join(",") : "";
  }

  render(fields: Partial<Fields>, labels: Labels): void {
    const shown = [labels, ...Object.keys(choices), "line", "figures"].map((key) => (typeof key === "string" ? fields[key] : key));
    if (shown.every((one, i) => one === this.shown[i])) return;
    this.shown = shown;
    for (const [key, select] of this.selects) select.value = fields[key] || (choices[key as keyof typeof choices][0] as string);
    const sizes = fields.line && !lines.includes(fields.line) ? [...lines, fields.line] : lines;
    this.line.replaceChildren(...sizes.map((bytes) => h("option", { value: bytes, selected: bytes === (fields.line ?? "") }, bytes ? labels.say("line_bytes", bytes) : labels.say("line_none"))));
    const figures = (fields.figures ?? "").split(",");
    for (const [figure, box] of this.boxes) box.checked = figures.includes(figure);
  }
}
