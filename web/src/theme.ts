// Light or dark: what a link says, else what was chosen here before, else what the system has.
import { kept } from "./document";
import { byId } from "./dom";

export class Theme {
  private readonly select = byId<HTMLSelectElement>("theme");
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  chosen = kept.get("theme") || "auto";

  listen(changed: () => void): void {
    this.dark.addEventListener("change", changed);
    this.select.addEventListener("change", () => {
      this.chosen = this.select.value;
      kept.set("theme", this.chosen);
      changed();
    });
  }

  /** @param said by the link, as it was written: to the engine light is what a document that says nothing has */
  open(said: string | undefined): void {
    this.chosen = said === "light" || said === "dark" || said === "print" ? said : kept.get("theme") || "auto";
  }

  /** As it is written into a document; "" where it follows the reader's system. */
  get written(): string {
    return this.chosen === "auto" ? "" : this.chosen;
  }

  /** What the picture is drawn in. */
  get drawn(): string {
    return this.written || (this.dark.matches ? "dark" : "light");
  }

  show(): void {
    document.documentElement.dataset.theme = this.chosen;
    this.select.value = this.chosen;
  }
}
