// The odometer: where the head is, what its walk has cost so far and will have cost, and the same of a contiguous copy.
import { h } from "../dom";
import type { Elements, Walk } from "../engine";
import { type Labels, group } from "../words/words";

export class Odometer {
  private cells: Record<string, [Text, Text]> = {};
  private shape = ""; // of the table that stands there

  constructor(private readonly host: HTMLElement) {}

  render(elements: Elements | null, labels: Labels): void {
    if (!elements?.head || !elements.walk || !elements.copy_walk) {
      this.host.replaceChildren();
      this.shape = "";
      return;
    }
    const copy = labels.say("walk_copy");
    const shape = `${elements.name} ${elements.tensor.layout} ${copy}`;
    if (shape !== this.shape) this.build(elements, copy, labels);
    this.shape = shape;
    const { head, index, walk, copy_walk, tensor } = elements;
    this.put("index", `[${index.join(", ")}]`, "");
    this.put("offset", group(head.offset) + (tensor.library === "numpy" ? " B" : ""), ""); // NumPy's is in bytes
    this.put("value", head.value, "");
    const both = (key: string, now: (walk: Walk) => string, all: (walk: Walk) => string): void => {
      const say = (of: Walk): string =>
        now(of) === all(of) ? group(all(of)) : labels.say("so_far", group(now(of)), group(all(of)));
      this.put(key, say(walk), say(copy_walk));
    };
    both("walk_travel", (of) => of.travel, (of) => of.all_travel);
    both("walk_back", (of) => of.backward, (of) => of.all_backward);
    both("walk_repeats", (of) => of.repeats, (of) => of.all_repeats);
    both("walk_run", (of) => of.longest_run, (of) => of.longest_run);
  }

  private put(key: string, own: string, copy: string): void {
    const cells = this.cells[key];
    if (!cells) return;
    if (cells[0].data !== own) cells[0].data = own;
    if (cells[1].data !== copy) cells[1].data = copy;
  }

  /** A row a quantity: where the head is, then what its walk costs beside that of a copy. A wide page sets the rows side
      by side, so that they read as columns; where both do not stand beside each other, the walk stands below. */
  private build({ name, tensor, walk, copy_walk }: Elements, copy: string, labels: Labels): void {
    this.cells = {};
    const both = (of: (walk: Walk) => string): number =>
      Math.max(
        ...[walk, copy_walk].map((one) => (one ? labels.say("so_far", group(of(one)), group(of(one))).length : 0)),
      );
    const widest: Record<string, number> = {
      index: `[${tensor.sizes.map((size) => Math.max(0, size - 1)).join(", ")}]`.length,
      walk_travel: both((of) => of.all_travel),
      walk_back: both((of) => of.all_backward),
      walk_repeats: both((of) => of.all_repeats),
    };
    const row = (key: string, label: string): HTMLElement => {
      const [own, other] = [document.createTextNode(""), document.createTextNode("")];
      this.cells[key] = [own, other];
      const place = h(
        "div",
        { role: "row", class: `quantity ${key}` },
        h("span", { role: "rowheader" }, label),
        h("span", { role: "cell", class: "own" }, own),
        h("span", { role: "cell", class: "other" }, other),
      );
      place.style.minWidth = `${Math.min(widest[key] ?? 0, 24)}ch`; // no column moves while the head walks
      return place;
    };
    const long = Object.values(widest).reduce((sum, width) => sum + width, 0) > 60;
    this.host.replaceChildren(
      h(
        "div",
        { role: "table", class: long ? "walk long" : "walk", "aria-label": labels.say("walk") },
        h("div", { role: "rowgroup" }, ...["index", "offset", "value"].map((key) => row(key, labels.say(key)))),
        h(
          "div",
          { role: "rowgroup" },
          h(
            "div",
            { role: "row", class: "quantity" },
            h("span", { role: "cell" }),
            h("span", { role: "columnheader", class: "own" }, name),
            h("span", { role: "columnheader", class: "other" }, copy),
          ),
          ...["walk_travel", "walk_back", "walk_repeats", "walk_run"].map((key) => row(key, labels.say(key))),
        ),
      ),
    );
  }
}
