// The address always holds the document, so that reload, back and a copied address all return to it.
import { debounced } from "./document";
import { pack } from "./link";

export class Address {
  /** @param document as a link holds it */
  constructor(private readonly document: () => string) {
    addEventListener("pagehide", () => this.hold());
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
