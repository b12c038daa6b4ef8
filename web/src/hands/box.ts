// A box cut out of the grid: dragged over with Shift, by a finger that rests before it moves, or with Shift and the arrow
// keys where the keyboard is in the table. It is shown over the cells, with the line that it would be, and written when
// it is let go, or with Enter.
import { h } from "../dom";
import type { Tensor } from "../engine";
import { announce } from "../notices";
import type { Place, Stage } from "../picture/stage";
import { indexOf } from "../picture/travel";
import type { Hand } from "./hand";
import { onRest } from "./rest";

const mostTables = 64; // that a box over more than two dimensions is drawn in

export class Box {
  private tensor: Tensor | null = null;
  private from = 0n;
  private to = 0n;
  private pointer: number | null = null;
  private readonly badge = h("span", { class: "badge" });
  private readonly marks = h("div", { id: "box", "aria-hidden": "true" });

  /** @param element  of the tensor in hand, which a target of the picture is about; null where it is about none */
  constructor(
    private readonly host: HTMLElement,
    private readonly stage: () => Stage,
    private readonly hand: Hand,
    private readonly element: (target: string) => { tensor: Tensor; element: bigint } | null,
  ) {
    host.append(this.marks);
    host.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    host.addEventListener("pointermove", (event) => {
      if (event.pointerId !== this.pointer) return;
      const found = this.element(this.stage().at(event));
      if (found) this.extend(found.tensor, this.from, found.element);
    });
    host.addEventListener("pointerup", (event) => event.pointerId === this.pointer && this.write());
    for (const end of ["pointercancel", "lostpointercapture"])
      host.addEventListener(end, () => this.pointer !== null && this.drop());
    onRest(host, (event) => this.take(event), () => this.pointer !== null);
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.open) return;
      event.preventDefault();
      this.drop();
    });
  }

  /** Whether there is a box of more than one element. */
  get open(): boolean {
    return this.tensor !== null && this.from !== this.to;
  }

  /** Between two elements of a tensor, both of them in it. */
  extend(tensor: Tensor, from: bigint, to: bigint): void {
    [this.tensor, this.from, this.to] = [tensor, from, to];
    this.show();
  }

  /** @returns whether there was one, and it is a line now */
  write(): boolean {
    const gesture = this.open ? this.gesture() : "";
    this.drop();
    return gesture !== "" && this.hand.write(gesture);
  }

  drop(): void {
    this.tensor = this.pointer = null;
    this.show();
  }

  /** Over the cells as they stand in the picture now. */
  show(): void {
    if (!this.open && this.pointer === null) return this.marks.replaceChildren();
    const asked = this.hand.ask(this.gesture());
    const found = this.places();
    // Beyond the window the end that is in it stands for the box.
    const places = found.length ? found : this.stage().places(`element:${this.tensor?.object}:${this.to}`).slice(0, 1);
    this.badge.textContent = asked.refused || !this.open ? "" : asked.line;
    announce(this.badge.textContent);
    const boxes = places.map(({ left, top, width, height }) => {
      const mark = h("span", {});
      Object.assign(mark.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      return mark;
    });
    const last = places.at(-1);
    Object.assign(this.badge.style, {
      left: `${last?.left ?? 0}px`,
      top: `${(last ? last.top + last.height : 0) + 6}px`,
    });
    this.marks.replaceChildren(...boxes, ...(last && this.open ? [this.badge] : []));
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || !event.shiftKey || event.pointerType === "touch") return;
    if (!this.take(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns whether the pointer is on an element, with which a box begins now */
  private take(event: PointerEvent): boolean {
    const found = this.element(this.stage().at(event));
    if (!found) return false;
    this.host.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.extend(found.tensor, found.element, found.element);
    return true;
  }

  /** The first index in the box and the last, of each dimension. */
  private ranges(): [bigint, bigint][] {
    const sizes = this.tensor?.sizes ?? [];
    const a = indexOf(this.from, sizes), b = indexOf(this.to, sizes);
    return a.map((one, dim) => {
      const other = b[dim] ?? 0n;
      return one < other ? [one, other] : [other, one];
    });
  }

  private gesture(): string {
    return ["box", ...this.ranges().flatMap(([first, last]) => [first, last + 1n])].join(" ");
  }

  /** A rectangle in each table of two dimensions. */
  private places(): Place[] {
    const ranges = this.ranges(), sizes = (this.tensor?.sizes ?? []).map(BigInt);
    let tables: bigint[] = [0n]; // the elements before them, by the outer dimensions
    ranges.slice(0, -2).forEach(([first, last], dim) => {
      const size = sizes[dim] ?? 1n;
      tables = tables.flatMap((table) => {
        const indices: bigint[] = [];
        for (let i = first; i <= last && indices.length < mostTables; ++i) indices.push(table * size + i);
        return indices;
      });
    });
    const inner = ranges.slice(-2), innerSizes = sizes.slice(-2);
    const element = (table: bigint, end: 0 | 1): bigint =>
      inner.reduce((number, range, dim) => number * (innerSizes[dim] ?? 1n) + range[end], table);
    return tables.slice(0, mostTables).flatMap((table) => {
      const ends = ([0, 1] as const).map(
        (end) => this.stage().places(`element:${this.tensor?.object}:${element(table, end)}`)[0],
      );
      const [first, last] = ends;
      if (!first || !last) return [];
      return [{ ...first, width: last.left + last.width - first.left, height: last.top + last.height - first.top }];
    });
  }
}
