// The dimensions of the tensor on the stage, a chip each. Dragged, or moved with Alt or Control and an arrow key, they
// take another order: the picture shows it at once, and where the chip is let go the line is written. A finger drags a
// chip by its grip, or once it has rested on it: else it scrolls the page.
import { h, paintAxis } from "../dom";
import type { Gestures } from "../engine";
import { announce } from "../notices";
import { type Labels, group } from "../words/words";
import type { Hand } from "./hand";
import { onRest } from "./rest";

const slack = 5; // px that a press may wander before it is a drag
const edge = 24; // px from an end of the row, where a chip that is dragged scrolls it

interface Drag {
  from: number; // dimension
  pointer: number | null; // null: by keyboard
  x: number;
  y: number;
  moving: boolean;
  slots: DOMRect[]; // where the chips stood
  scrolled: number; // how far their row was
}

export class Chips {
  private gestures: Gestures | null = null;
  private items: HTMLLIElement[] = [];
  private order: number[] = [];
  private drag: Drag | null = null;
  private dropped = false; // the click that ends a drag is none
  private focusNext = -1;
  private made = ""; // what the chips were last made from
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly host: HTMLElement,
    private readonly hand: Hand,
    private readonly labels: () => Labels,
    private readonly light: (target: string) => void,
    private readonly open: (dim: number, chip: HTMLElement) => void,
  ) {
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.drag) return;
      event.preventDefault();
      this.end(false);
    });
    host.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch" || (event.target as Element).closest(".grip")) this.grip(event);
    });
    onRest(
      host,
      (event) => {
        if (!this.drag) this.grip(event);
        this.hold();
      },
      () => this.drag?.moving ?? false,
    );
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointerup", (event) => event.pointerId === this.drag?.pointer && this.end(true));
    host.addEventListener("pointercancel", (event) => event.pointerId === this.drag?.pointer && this.end(false));
  }

  /** The chip of a dimension. */
  chip(dim: number): HTMLElement | null {
    return this.items[dim]?.querySelector("button") ?? null;
  }

  /** After the next gesture the focus goes to the chip in this place. */
  focusAfter(place: number): void {
    this.focusNext = place;
  }

  render(gestures: Gestures | null): void {
    const labels = this.labels();
    const made = JSON.stringify(gestures) + labels.say("of_size", 0);
    if (made === this.made) return;
    this.made = made;
    const held = this.items.findIndex((item) => item.contains(document.activeElement));
    this.drag = null;
    this.gestures = gestures;
    const bytes = gestures?.library === "numpy" ? "of_stride_bytes" : "of_stride";
    this.items = (gestures?.axes ?? []).map(({ name, color, size, stride }, dim) => {
      const target = `axis:${gestures?.object}:${dim}`;
      const chip = h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-haspopup": "dialog",
          "aria-describedby": "chip-keys",
          title: labels.say("chip_keys"),
          onclick: () => this.pressed(dim),
          onpointerenter: () => this.drag || this.light(target),
          onpointerleave: () => this.drag || this.light(""),
          onfocus: () => this.light(target),
          onblur: () => this.left(),
          onkeydown: (event: KeyboardEvent) => this.key(event, dim),
          onkeyup: (event: KeyboardEvent) => this.released(event),
        },
        h("span", { class: "grip", "aria-hidden": "true" }),
        h("b", {}, name),
        " ",
        h("span", {}, labels.say("of_size", group(size.value))),
        " ",
        h("span", { class: "faint" }, labels.say(bytes, group(stride.value))),
      );
      paintAxis(chip, color);
      return h("li", {}, chip);
    });
    this.order = this.items.map((_, dim) => dim);
    this.host.replaceChildren(...this.items);
    const focus = this.focusNext >= 0 ? this.focusNext : held;
    this.focusNext = -1;
    if (focus < 0) return;
    this.chip(Math.min(focus, this.items.length - 1))?.focus({ preventScroll: true });
    this.reveal(Math.min(focus, this.items.length - 1));
  }

  /** Scrolls the row, and nothing else, until a chip is in sight. */
  private reveal(dim: number): void {
    const chip = this.chip(dim)?.getBoundingClientRect(), row = this.host.getBoundingClientRect();
    if (!chip) return;
    const left = chip.left - row.left - edge, right = chip.right - row.right + edge;
    if (left < 0 || right > 0) this.host.scrollLeft += left < 0 ? left : Math.min(right, left);
  }

  private pressed(dim: number): void {
    const chip = this.chip(dim);
    if (!this.dropped && chip) this.open(dim, chip);
  }

  private grip(event: PointerEvent): void {
    const from = this.items.findIndex((item) => item.contains(event.target as Node));
    if (event.button !== 0 || !event.isPrimary || from < 0 || this.items.length < 2) return;
    this.drag = {
      from,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      moving: false,
      slots: this.items.map((item) => item.getBoundingClientRect()),
      scrolled: this.host.scrollLeft,
    };
  }

  /** From now on the chip goes along with the pointer. */
  private hold(): void {
    const { drag } = this;
    if (!drag || drag.pointer === null) return;
    drag.moving = true;
    this.host.setPointerCapture(drag.pointer);
    this.host.classList.add("dragging");
    this.items[drag.from]?.classList.add("held");
  }

  private move(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < slack) return;
      this.hold();
    }
    const row = this.host.getBoundingClientRect();
    if (event.clientX > row.right - edge) this.host.scrollLeft += edge / 2;
    else if (event.clientX < row.left + edge) this.host.scrollLeft -= edge / 2;
    const slot = drag.slots[drag.from], item = this.items[drag.from];
    if (!slot || !item) return;
    const middle = (box: DOMRect): number => box.left + box.width / 2;
    const x = middle(slot) + event.clientX - drag.x, gone = this.host.scrollLeft - drag.scrolled;
    const far = drag.slots.map((box) => Math.abs(middle(box) - gone - x));
    this.arrange(drag.from, far.indexOf(Math.min(...far)));
    item.style.translate = "none";
    item.style.translate = `${x - middle(item.getBoundingClientRect())}px`;
  }

  /** Puts a dimension in a place of the order that is tried. */
  private arrange(dim: number, place: number): void {
    const others = this.items.map((_, d) => d).filter((d) => d !== dim);
    const order = [...others.slice(0, place), dim, ...others.slice(place)];
    if (order.join() === this.order.join()) return;
    this.order = order;
    const stood = this.items.map(({ offsetLeft, offsetTop }) => ({ offsetLeft, offsetTop }));
    order.forEach((d, at) => this.items[d]?.style.setProperty("order", String(at)));
    this.slide(stood, dim);
    if (this.changed) this.hand.try(this.gesture);
    else this.hand.letGo();
    const names = order.map((d) => this.gestures?.axes[d]?.name ?? "");
    announce(this.labels().say("chip_moved", names[place] ?? "", place + 1, names.join(", ")));
  }

  /** The chips beside the one that is moved glide to their new places. */
  private slide(stood: { offsetLeft: number; offsetTop: number }[], moved: number): void {
    if (this.still.matches) return;
    this.items.forEach((item, d) => {
      const from = stood[d];
      if (!from || (d === moved && this.drag?.pointer !== null)) return;
      const dx = from.offsetLeft - item.offsetLeft, dy = from.offsetTop - item.offsetTop;
      if (dx || dy)
        item.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0px 0px" }], {
          duration: 140,
          easing: "ease-out",
        });
    });
  }

  private get changed(): boolean {
    return this.order.some((dim, place) => dim !== place);
  }
  private get gesture(): string {
    return `permute ${this.order.join(" ")}`;
  }

  private key(event: KeyboardEvent, dim: number): void {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step || (!event.altKey && !event.ctrlKey) || event.shiftKey || event.metaKey) return;
    event.preventDefault();
    this.drag ??= { from: dim, pointer: null, x: 0, y: 0, moving: true, slots: [], scrolled: 0 };
    if (this.drag.pointer !== null) return;
    const place = this.order.indexOf(dim) + step;
    if (place < 0 || place >= this.items.length) return;
    this.arrange(dim, place);
    this.reveal(dim);
  }

  private released(event: KeyboardEvent): void {
    if ((event.key !== "Alt" && event.key !== "Control") || this.drag?.pointer !== null) return;
    event.preventDefault();
    if (this.changed) this.focusNext = this.order.indexOf(this.drag.from);
    this.end(true);
  }

  private left(): void {
    this.light("");
    if (this.drag && this.drag.pointer === null) this.end(false);
  }

  private end(write: boolean): void {
    const { drag } = this;
    this.drag = null;
    if (!drag?.moving) return;
    this.dropped = drag.pointer !== null;
    setTimeout(() => (this.dropped = false));
    this.host.classList.remove("dragging");
    for (const item of this.items) {
      item.classList.remove("held");
      item.style.translate = item.style.order = "";
    }
    const { gesture, changed } = this;
    this.order = this.items.map((_, dim) => dim);
    if (write && changed) {
      if (this.hand.write(gesture)) return;
    } else if (changed) announce(this.labels().say("chip_back"));
    this.focusNext = -1;
    this.hand.letGo();
  }
}
