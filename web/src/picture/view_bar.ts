// What the cells say, by what they are coloured, what the rulers count, which figures the picture has, and how large
// cells are.
import type { Fields } from "../document";
import { h, standUnder } from "../dom";
import type { Labels } from "../words/words";

const choices = {
  labels: ["value", "index", "offset", "order"],
  colour: ["position", "row", "order", "axis", "times", "line", "bank"],
  unit: ["elements", "bytes"],
} as const;
const lines = ["", "32", "64", "128"]; // bytes of a cache line
const figures = ["strip", "grid", "path", "verdict", "before", "sharing"];
const usual = ["strip", "grid", "path", "verdict"];
const drawn = ["strip", "grid", "path"]; // always: of these one stays
const mostZoom = 12; // steps; two double a cell

export class ViewBar {
  private readonly selects: [string, HTMLSelectElement][];
  private readonly boxes: [string, HTMLInputElement][];
  private readonly line = h("select");
  private readonly fit = h("button", { type: "button", class: "fit", "data-hint": "zoom_reset" });
  private level = 0;
  private shown: unknown[] = []; // what is made anew only when it changes

  constructor(host: HTMLElement, private readonly change: (patch: Partial<Fields>) => void) {
    const choice = (label: string, control: HTMLElement): HTMLElement =>
      h("label", { class: "choice" }, h("span", { "data-text": label }), control);
    this.selects = Object.entries(choices).map(([key, values]) => {
      const select = h("select", {}, ...values.map((value) => h("option", { value, "data-text": `${key}_${value}` })));
      select.addEventListener("change", () => change({ [key]: select.value }));
      host.append(choice(key, select));
      return [key, select];
    });
    this.line.addEventListener("change", () => change({ line: this.line.value }));
    host.append(choice("line", this.line));
    this.boxes = figures.map((figure) => {
      const box = h("input", { type: "checkbox" });
      box.addEventListener("change", () => change({ figures: this.figures() }));
      return [figure, box];
    });
    const opener = h("button", {
      ...{ type: "button", id: "open-figures", class: "plain opens", popovertarget: "figures" },
      ...{ "data-text": "figures", "aria-expanded": "false" },
    });
    const menu = h(
      "div",
      { id: "figures", class: "menu", popover: true, role: "group", "data-label": "figures" },
      ...this.boxes.map(([figure, box]) => h("label", {}, box, h("span", { "data-text": `figure_${figure}` }))),
    );
    standUnder(menu, opener, 190);
    host.append(opener, menu);
    const step = (by: -1 | 1, label: string, sign: string): HTMLElement =>
      h("button", { type: "button", "data-label": label, onclick: () => this.zoom(by) }, sign);
    this.fit.addEventListener("click", () => this.zoom(0));
    host.append(
      h(
        "div",
        { class: "zoom", role: "group", "data-label": "zoom" },
        step(-1, "zoom_out", "−"),
        this.fit,
        step(1, "zoom_in", "+"),
      ),
    );
  }

  /** Makes cells larger or smaller by so many steps; 0 makes them as large as fits best. */
  zoom(by: number): void {
    const level = by === 0 ? 0 : Math.max(-mostZoom, Math.min(mostZoom, this.level + by));
    this.level = level;
    this.change({ zoom: level ? String(level) : "" });
  }

  /** As the document has them. */
  private figures(): string {
    const chosen = this.boxes.filter(([, box]) => box.checked).map(([figure]) => figure).join();
    return chosen === usual.join() ? "" : chosen;
  }

  render(fields: Partial<Fields>, labels: Labels): void {
    const shown = [labels, ...Object.keys(choices), "line", "figures", "zoom"].map((key) =>
      typeof key === "string" ? fields[key] : key,
    );
    if (shown.every((one, i) => one === this.shown[i])) return;
    this.shown = shown;
    this.level = Number(fields.zoom || 0);
    this.fit.textContent = `${Number((2 ** (this.level / 2)).toPrecision(2))}×`;
    this.fit.disabled = this.level === 0;
    for (const [key, select] of this.selects)
      select.value = fields[key] || (choices[key as keyof typeof choices][0] as string);
    const sizes = fields.line && !lines.includes(fields.line) ? [...lines, fields.line] : lines;
    this.line.replaceChildren(
      ...sizes.map((bytes) =>
        h(
          "option",
          { value: bytes, selected: bytes === (fields.line ?? "") },
          bytes ? labels.say("line_bytes", bytes) : labels.say("line_none"),
        ),
      ),
    );
    const chosen = fields.figures ? fields.figures.split(",") : usual;
    const rest = drawn.filter((figure) => chosen.includes(figure));
    for (const [figure, box] of this.boxes) {
      box.checked = chosen.includes(figure);
      box.disabled = rest.join() === figure;
    }
  }
}
