// The picture in its room: as large as that has place, made of the engine's frame, answering what is under the pointer.
import { type Fields, encode } from "../document";
import type { Elements, Engine, Frame } from "../engine";

/** A box in the stage, in CSS px. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What the picture shows, in words, and of how many items it is made. */
export interface Drawn {
  description: string;
  items: number;
}

/** What a frame is drawn on. */
export interface Surface {
  readonly element: HTMLElement | SVGElement;
  /** @param scale CSS px for a px of the frame
      @param room what a picture can come to take of the stage, in CSS px; 0 where that is not known */
  show(frame: Frame, scale: number, room: { width: number; height: number }): void;
}

/** What is done with a target of the picture, "" for none: a pointer moves over it or presses it, a click, two.
    A finger presses what it taps: one that moves on scrolls the page. */
export interface Pointing {
  over(target: string, pressed: boolean): void;
  click?(target: string): void;
  twice?(target: string, event: MouseEvent): void;
  /** Asks the engine what is under the pointer. @returns "" where it does not answer */
  ask?(question: () => string): string;
}

export class Stage {
  private document = "";
  private fitted = true; // whether it was seen to that every figure of it has room
  private crowded = { place: "", height: 0 }; // for which tensor and window a figure found no room, and what it took
  private given = 0; // the height of the last picture that was fitted, 0 for as high as it is
  // Asked of the browser once a size: it would lay out the page each time.
  private measured: { width: number; height: number; scrolls: boolean } | undefined;
  private scale = 1; // of the picture: larger than life where there is more room than it needs

  constructor(
    private readonly engine: () => Engine,
    private readonly surface: Surface,
    private readonly room: HTMLElement,
    onResize: () => void,
    private readonly pointing: Pointing,
    private readonly covered: () => number = () => 0, // of its height, by a panel that is open
  ) {
    const element = surface.element as HTMLElement;
    new ResizeObserver(() => {
      this.measured = undefined;
      onResize();
    }).observe(room);

    let finger = false;
    const point = (event: PointerEvent): void => {
      finger = event.pointerType === "touch";
      pointing.over(this.at(event), !finger && (event.buttons & 1) === 1);
    };
    element.addEventListener("pointermove", point);
    element.addEventListener("pointerdown", point);
    element.addEventListener("click", (event) => {
      const target = this.at(event);
      if (finger) {
        pointing.over(target, true);
        pointing.over("", false);
      }
      pointing.click?.(target);
    });
    element.addEventListener("dblclick", (event) => pointing.twice?.(this.at(event), event));
    element.addEventListener("pointerleave", () => pointing.over("", false));
  }

  /** What of the picture is at a place of the window. */
  at({ clientX, clientY }: { clientX: number; clientY: number }): string {
    const { left, top } = this.surface.element.getBoundingClientRect();
    const units = (pixels: number): number => Math.round((pixels * 100) / this.scale);
    const hit = (): string => this.engine().hit(this.document, units(clientX - left), units(clientY - top));
    return this.pointing.ask ? this.pointing.ask(hit) : hit();
  }

  /** The room for a picture in 1/100 px. The height is 0 where the page scrolls and a picture may be as high as it is.
      Where it does not, Why stands beside the picture, and a panel that opens leaves it as it is: it is scrolled. */
  size(): { width: number; height: number; words: string } {
    this.measured ??= {
      width: this.room.clientWidth,
      height: this.room.clientHeight + this.covered(),
      scrolls: getComputedStyle(this.room).overflowY === "visible",
    };
    const { width, height, scrolls } = this.measured;
    const comfortable = { width: 1000, height: 700 };
    const fits = Math.min(width / comfortable.width, scrolls ? 1 : height / comfortable.height);
    this.scale = Math.max(1, Math.min(1.75, Math.floor(fits * 20) / 20));
    const units = (pixels: number): number => Math.floor((pixels * 100) / this.scale);
    return { width: units(width), height: scrolls ? 0 : units(height), words: scrolls ? "" : "beside" };
  }

  /** Where the picture shows a target; see Engine.places. */
  places(target: string): Place[] {
    const units = this.engine().places(this.document, target);
    const css = (at: number): number => ((units[at] ?? 0) * this.scale) / 100;
    return Array.from({ length: units.length / 4 }, (_, k) => ({
      left: css(4 * k),
      top: css(4 * k + 1),
      width: css(4 * k + 2),
      height: css(4 * k + 3),
    }));
  }

  /** Draws a document in the room that there is. Where one of the figures of `elements` would find no room, the picture
      is little higher than the room, and the rest is scrolled to. Nothing of the picture is left out.
      What is only `tried` gets the room of the picture before it, or all that it needs.
      @returns as draw(), null where this is what was drawn last */
  fit(shown: Partial<Fields>, elements: Elements | null, tried: boolean): Drawn | null {
    const { step, figures } = shown;
    const place = JSON.stringify([step, elements?.name, elements?.tensor.layout, figures, innerWidth, innerHeight]);
    const { width, height, words } = this.size();
    let room = height && this.crowded.place === place ? this.crowded.height : height;
    if (height && tried) room = this.given;
    for (;;) {
      const document = encode({ ...shown, words, width: String(width), height: room ? String(room) : "" });
      if (document === this.document && (this.fitted || !elements)) return null;
      this.document = document;
      this.given = room;
      this.fitted = elements !== null;
      const frame = this.engine().frame(document);
      if (!room || !elements || !this.lacks(shown.figures, elements)) return this.show(frame);
      room = !tried && room < 1.5 * height ? Math.floor(room * 1.08) : 0;
      if (!tried) this.crowded = { place, height: room };
    }
  }

  /** What was drawn last. */
  get drawn(): string {
    return this.document;
  }

  /** The same is drawn again when it is asked for. */
  forget(): void {
    this.document = "";
  }

  /** Whether the grid or the strip of these elements is among the `figures` and found no room. */
  private lacks(figures: string | undefined, { tensor, cell }: Elements): boolean {
    const absent = (figure: string, target: string): boolean =>
      (figures || figure).includes(figure) && this.places(target).length === 0;
    return cell !== undefined && (absent("grid", `tensor:${tensor.object}`) || absent("strip", cell));
  }

  draw(document: string): Drawn {
    this.document = document;
    return this.show(this.engine().frame(document));
  }

  private show(frame: Frame): Drawn {
    const { width, height, scrolls } = this.measured ?? { width: 0, height: 0, scrolls: true };
    this.surface.show(frame, this.scale, scrolls ? { width: 0, height: 0 } : { width, height });
    return { description: frame.description, items: frame.items.length / this.engine().frameFields.words };
  }
}
