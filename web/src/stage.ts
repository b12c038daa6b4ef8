// The canvas: sized to its room, painted from the engine's frame, answering what is under the pointer.
import type { Engine } from "./engine";
import { painter } from "./paint";

/** A box in the stage, in CSS px. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Stage {
  private readonly context: CanvasRenderingContext2D;
  private readonly paint;
  private document = "";
  private measured: { width: number; height: number; scrolls: boolean } | undefined; // asked of the browser once a size: it would lay out the page each time
  private scale = 1; // of the picture: larger than life where there is more room than it needs

  constructor(
    private readonly engine: () => Engine,
    private readonly canvas: HTMLCanvasElement,
    private readonly room: HTMLElement,
    onResize: () => void,
    onPoint: (target: string, pressed: boolean) => void,
    onTwice: (target: string, event: MouseEvent) => void,
  ) {
    // Pixels are made by the processor here: without a GPU that is several times faster than the round trip.
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("this browser gives no 2-D canvas");
    this.context = context;
    this.paint = painter(engine().frameFields);
    new ResizeObserver(() => {
      this.measured = undefined;
      onResize();
    }).observe(room);
    this.drawAgainOnOtherScreens();

    const hit = (event: MouseEvent): string => {
      const box = canvas.getBoundingClientRect();
      const units = (pixels: number): number => Math.round((pixels * 100) / this.scale);
      return engine().hit(this.document, units(event.clientX - box.left), units(event.clientY - box.top));
    };
    const point = (event: PointerEvent): void => onPoint(hit(event), (event.buttons & 1) === 1);
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    canvas.addEventListener("dblclick", (event) => onTwice(hit(event), event));
    canvas.addEventListener("pointerleave", () => onPoint("", false));
  }

  /** A window can come to a screen with finer pixels without changing its size. */
  private drawAgainOnOtherScreens(): void {
    const change = (): void => {
      this.draw(this.document);
      this.drawAgainOnOtherScreens();
    };
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", change, { once: true });
  }

  /** The room for a picture in 1/100 px. The height is 0 where a picture may be as high as it is: where the page scrolls,
      or where the stage shall because `whole` figures are wanted. */
  size(whole: boolean): { width: number; height: number } {
    this.measured ??= { width: this.room.clientWidth, height: this.room.clientHeight, scrolls: getComputedStyle(this.room).overflowY === "visible" };
    const { width, height, scrolls } = this.measured;
    const comfortable = { width: 1000, height: 700 };
    const fits = Math.min(width / comfortable.width, scrolls ? 1 : height / comfortable.height);
    this.scale = Math.max(1, Math.min(1.75, Math.floor(fits * 20) / 20));
    const units = (pixels: number): number => Math.floor((pixels * 100) / this.scale);
    return { width: units(width), height: scrolls || whole ? 0 : units(height) };
  }

  /** Where the picture shows a target; see Engine.places. */
  places(target: string): Place[] {
    const units = this.engine().places(this.document, target);
    const css = (at: number): number => ((units[at] ?? 0) * this.scale) / 100;
    return Array.from({ length: units.length / 4 }, (_, k) => ({ left: css(4 * k), top: css(4 * k + 1), width: css(4 * k + 2), height: css(4 * k + 3) }));
  }

  /** Draws a document. @returns what the picture shows, in words, and of how many items it is made */
  draw(document: string): { description: string; items: number } {
    this.document = document;
    const frame = this.engine().frame(document);
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    const width = Math.round((frame.width / 100) * ratio);
    const height = Math.round((frame.height / 100) * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.width = `${(frame.width / 100) * this.scale}px`;
      this.canvas.style.height = `${(frame.height / 100) * this.scale}px`;
    }
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.scale(ratio / 100, ratio / 100);
    this.paint(this.context, frame);
    return { description: frame.description, items: frame.items.length / this.engine().frameFields.words };
  }
}
