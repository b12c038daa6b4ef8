// The handle at the grid's corner. Dragged, the grid becomes another rectangle of the same area, its rows refilled:
// only sizes that divide the elements can be reached, and each is shown as it would be, a view or a copy.
import { h } from "../dom";
import type { Engine, Gestures } from "../engine";
import { announce } from "../notices";
import type { Place } from "../picture/stage";
import type { Labels } from "../words/words";
import { shapeText } from "./explorer";
import type { Hand } from "./hand";

interface Rectangle {
  sizes: string[];
  columns: number;
  view: boolean;
}

export class Corner {
  private readonly handle = h("div", {
    id: "corner",
    role: "slider",
    tabindex: 0,
    "aria-valuemin": 0,
    "aria-describedby": "corner-keys",
  });
  private readonly badge = h("span", { class: "badge", hidden: true });
  private gestures: Gestures | null = null;
  private rectangles: Rectangle[] | null = null; // once they are needed
  private chosen = 0;
  private drag: { pointer: number; x: number; y: number } | null = null;
  private box: Place | null = null;

  constructor(
    host: HTMLElement,
    private readonly engine: () => Engine,
    private readonly document: () => string,
    private readonly hand: Hand,
    private readonly labels: () => Labels,
  ) {
    this.handle.append(this.badge);
    host.append(this.handle);
    this.handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !event.isPrimary) return;
      this.handle.setPointerCapture(event.pointerId);
      this.drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      this.list();
    });
    this.handle.addEventListener("pointermove", (event) => event.pointerId === this.drag?.pointer && this.move(event));
    this.handle.addEventListener("pointerup", (event) => event.pointerId === this.drag?.pointer && this.end(true));
    this.handle.addEventListener("pointercancel", () => this.end(false));
    this.handle.addEventListener("lostpointercapture", () => this.drag && this.end(false));
    this.handle.addEventListener("blur", () => this.end(false));
    this.handle.addEventListener("keydown", (event) => this.key(event));
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.drag) return;
      event.preventDefault();
      this.end(false);
    });
  }

  render(gestures: Gestures | null): void {
    this.gestures = gestures;
    this.rectangles = null;
    this.drag = null;
    this.badge.hidden = true;
    const sizes = gestures?.axes.map(({ size }) => size.value) ?? [];
    this.handle.hidden = sizes.reduce((count, size) => count * BigInt(size), gestures ? 1n : 0n) < 2n;
    this.handle.setAttribute("aria-label", this.labels().say("corner", gestures?.name ?? ""));
    this.handle.setAttribute("aria-valuenow", "0");
    this.handle.setAttribute("aria-valuetext", shapeText(sizes));
  }

  /** Puts the handle at the grid's corner. While it is dragged it stays under the pointer. */
  stand(box: Place | null): void {
    if (this.drag) return;
    if (!this.hand.tried) this.box = box;
    this.handle.classList.toggle("nowhere", !box);
    if (!box) return;
    this.handle.style.left = `min(${box.left + box.width}px, 100% - 20px)`;
    this.handle.style.top = `${box.top + box.height}px`;
  }

  /** The rectangles, narrowest first, and where among them the tensor stands. */
  private list(): Rectangle[] {
    if (this.rectangles) return this.rectangles;
    const found = this.engine().shapes(this.document(), 2);
    const of = (shapes: string[][], view: boolean): Rectangle[] =>
      shapes.map((sizes) => ({ sizes, columns: Number(sizes[1]), view }));
    const rectangles = found
      ? [...of(found.views.shapes, true), ...of(found.copies.shapes, false)].sort((a, b) => a.columns - b.columns)
      : [];
    const columns = this.columns;
    const far = rectangles.map((one) => Math.abs(Math.log(one.columns / columns)));
    this.chosen = far.indexOf(Math.min(...far));
    return (this.rectangles = rectangles);
  }

  /** Of the grid as it stands: of many dimensions those that run across, one beside the other. */
  private get columns(): number {
    return (this.gestures?.axes ?? []).reduceRight(
      (columns, { size }, dim, axes) => ((axes.length - 1 - dim) % 2 === 0 ? columns * Number(size.value) : columns),
      1,
    );
  }

  private move(event: PointerEvent): void {
    const { drag, box } = this;
    if (!drag || !box) return;
    const dx = event.clientX - drag.x,
      dy = event.clientY - drag.y;
    this.handle.style.translate = `${dx}px ${dy}px`;
    // As many times wider as it is pulled out, or as many times lower as it is pulled down: whichever is more.
    const wider = Math.log(Math.max(box.width + dx, 4) / box.width),
      higher = Math.log(Math.max(box.height + dy, 4) / box.height);
    const wished = Math.log(this.columns) + (Math.abs(wider) >= Math.abs(higher) ? wider : -higher);
    const far = this.list().map(({ columns }) => Math.abs(Math.log(columns) - wished));
    this.choose(far.indexOf(Math.min(...far)));
  }

  private choose(place: number): void {
    const one = this.list()[place];
    if (!one || place === this.chosen) return;
    this.chosen = place;
    this.hand.try(this.gesture(one));
    const text = shapeText(one.sizes);
    const said = this.labels().say(one.view ? "as_view" : "as_copy", text);
    this.badge.hidden = false;
    this.badge.textContent = said;
    this.badge.classList.toggle("copy", !one.view);
    this.handle.setAttribute("aria-valuemax", String(this.list().length - 1));
    this.handle.setAttribute("aria-valuenow", String(place));
    this.handle.setAttribute("aria-valuetext", said);
    if (this.drag) announce(said);
  }

  private gesture({ sizes, view }: Rectangle): string {
    return `${view ? "view" : "reshape"} ${sizes.join(" ")}`;
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || this.drag) return;
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const rectangles = this.list();
    if (step) this.choose(Math.max(0, Math.min(rectangles.length - 1, this.chosen + step)));
    else if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(rectangles.length - 1);
    else if (event.key === "Enter") this.end(true);
    else if (event.key === "Escape" && this.hand.tried) this.end(false);
    else return;
    event.preventDefault();
  }

  private end(write: boolean): void {
    const one = this.rectangles?.[this.chosen];
    const tried = Boolean(this.hand.tried) && !this.badge.hidden;
    this.drag = null;
    this.handle.style.translate = "";
    this.badge.hidden = true;
    this.rectangles = null;
    if (!tried) return;
    const same = one && this.gestures?.axes.map(({ size }) => size.value).join() === one.sizes.join();
    if (write && one && !same) this.hand.write(this.gesture(one));
    else {
      this.render(this.gestures);
      this.hand.letGo();
    }
  }
}
