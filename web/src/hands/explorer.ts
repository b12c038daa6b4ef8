// All shapes of the tensor on the stage: those that view it and those that would copy it. A press writes the line.
import { byId, h } from "../dom";
import type { Engine, ShapeList } from "../engine";
import { type Labels, group } from "../words/words";
import type { Hand } from "./hand";

const ranks = [1, 2, 3, 4];

export class Explorer {
  private rank = 0; // 0: the tensor's own
  private readonly select = h("select", {}, ...ranks.map((rank) => h("option", { value: rank }, String(rank))));
  private readonly lists = h("div", { class: "lists" });

  constructor(
    private readonly engine: () => Engine,
    private readonly document: () => string,
    private readonly hand: Hand,
    private readonly labels: () => Labels,
  ) {
    byId("shapes").append(h("label", { class: "choice" }, h("span", { "data-text": "rank" }), this.select), this.lists);
    this.select.addEventListener("change", () => {
      this.rank = Number(this.select.value);
      this.render(this.rank);
    });
  }

  /** @param rank of the tensor on the stage */
  render(rank: number): void {
    const shown = this.rank || Math.min(Math.max(rank, 1), ranks.length);
    this.select.value = String(shown);
    const found = this.engine().shapes(this.document(), shown);
    const labels = this.labels();
    this.lists.replaceChildren(
      ...(found ? [this.list(found.views, labels, true), this.list(found.copies, labels, false)] : []),
    );
  }

  private list({ count, shapes }: ShapeList, labels: Labels, views: boolean): HTMLElement {
    const more = BigInt(count) - BigInt(shapes.length);
    const id = views ? "shapes-that-view" : "shapes-that-copy";
    return h(
      "div",
      { role: "group", "aria-labelledby": id, class: views ? "views" : "copies" },
      h("h3", { id }, labels.say(views ? "shapes_view" : "shapes_copy", group(count))),
      ...shapes.map((sizes) => {
        const gesture = `${views ? "view" : "reshape"} ${sizes.join(" ")}`;
        return h(
          "button",
          { type: "button", class: "shape", onclick: () => this.hand.write(gesture) },
          shapeText(sizes),
        );
      }),
      ...(more > 0n ? [h("span", { class: "faint" }, labels.say("shapes_more", group(more)))] : []),
    );
  }
}

export const shapeText = (sizes: string[]): string =>
  `(${sizes.map((size) => group(size)).join(", ")}${sizes.length === 1 ? "," : ""})`;
