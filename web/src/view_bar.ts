// What the cells say and by what they are coloured.
import { h } from "./dom";
import type { Fields } from "./document";

const choices = {
  labels: ["value", "index", "offset", "order"],
  colour: ["position", "row", "order", "axis", "times"],
  unit: ["elements", "bytes"],
} as const;

export class ViewBar {
  private readonly selects: [string, HTMLSelectElement][];

  constructor(host: HTMLElement, change: (patch: Partial<Fields>) => void) {
    this.selects = Object.entries(choices).map(([key, values]) => {
      const select = h("select", {}, ...values.map((value) => h("option", { value, "data-text": `${key}_${value}` })));
      select.addEventListener("change", () => change({ [key]: select.value }));
      host.append(h("label", { class: "choice" }, h("span", { "data-text": key }), select));
      return [key, select];
    });
  }

  render(fields: Partial<Fields>): void {
    for (const [key, select] of this.selects) select.value = fields[key] || (choices[key as keyof typeof choices][0] as string);
  }
}
