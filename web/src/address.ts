// The address always holds the document, so that reload, back and a copied address all return to it.
import { type Fields, debounced, encode } from "./document";
import type { Engine } from "./engine";
import { pack } from "./link";

/** The document as a link holds it: without what belongs to this moment and this window. To the engine light is what a
    document without a theme has; here such a document follows the reader's own, so a light that was chosen is written. */
export function lasting(fields: Partial<Fields>, theme: string, engine: Engine): string {
  const { hover: _h, phase: _p, width: _w, height: _t, ...rest } = fields;
  return engine.normalise(encode({ ...rest, theme })) + (theme === "light" ? "&theme=light" : "");
}

/** The fragment that a visit begins with. A reload asks for the address of when it was asked for, which may not have
    followed the last keys: then it is what the page held when it was left. */
export function fragment(): string {
  try {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const [address, held] = JSON.parse(sessionStorage.getItem(left) ?? "[]") as (string | undefined)[];
    if (visit?.type === "reload" && address === location.hash && held) return "#" + held;
  } catch {
    // Storage is refused; what was typed is among the programs that the menu keeps.
  }
  return location.hash;
}
const left = "stridescope.left";

export class Address {
  /** @param document as a link holds it */
  constructor(private readonly document: () => string) {
    addEventListener("pagehide", () => {
      try {
        sessionStorage.setItem(left, JSON.stringify([location.hash, this.document()]));
      } catch {
        // As above.
      }
      this.hold();
    });
  }

  /** Holds the document once changes pause, packed where that is shorter. */
  readonly later = debounced(300, async () => {
    const text = this.document();
    const packed = await pack(text);
    if (text === this.document()) history.replaceState(null, "", "#" + packed);
  }).later;

  /** Holds it now, before anything else happens to it. */
  hold(): void {
    history.replaceState(null, "", "#" + this.document());
  }

  /** A new entry, from which Back returns to what is held now. */
  push(): void {
    this.hold();
    history.pushState(null, "", location.href);
  }

  async link(): Promise<string> {
    return new URL("#" + (await pack(this.document())), location.href).href;
  }
}
