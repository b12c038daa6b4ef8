// All that hands do to the tensor on the stage, and the panels they do it in: chips for its dimensions, a handle at the
// grid's corner, its shapes, its numbers, its cells.
import { byId } from "../dom";
import type { Elements, Engine, Gestures, Tensor } from "../engine";
import { mention } from "../notices";
import type { Stage } from "../picture/stage";
import type { Labels } from "../words/words";
import { Box } from "./box";
import { ChipMenu } from "./chip_menu";
import { Chips } from "./chips";
import { Corner } from "./corner";
import { Explorer } from "./explorer";
import { Hand, type Written } from "./hand";
import { Poke } from "./poke";
import { Raw } from "./raw";

export interface Page {
  engine(): Engine;
  labels(): Labels;
  stage(): Stage;
  elements(): Elements | null;
  /** The document with the tensor in hand. */
  document(): string;
  /** That document with a gesture done. */
  after(written: Written): string;
  redraw(): void;
  light(target: string): void;
  /** Makes the program this one, as one step that can be undone. */
  write(written: Written): void;
}

const panels = ["shapes", "raw"];

export class Hands {
  private gestures: Gestures | null = null;
  private said: Labels | null = null; // the words that everything was last made with
  private flashes = false; // the next picture is of a line that was written here
  private readonly hand: Hand;
  private readonly chips: Chips;
  private readonly corner: Corner;
  private readonly explorer: Explorer;
  private readonly raw: Raw;
  private readonly poke: Poke;
  private readonly box: Box;

  constructor(private readonly page: Page) {
    const { engine, labels, document, redraw } = page;
    const write = (written: Written): void => {
      this.flashes = true;
      page.write(written);
    };
    this.hand = new Hand({ engine, document, redraw, write, refuse: mention });
    const menu = new ChipMenu(this.hand, labels);
    this.chips = new Chips(
      byId("chips"),
      this.hand,
      labels,
      page.light,
      (dim, chip) => this.gestures && menu.open(this.gestures, dim, chip),
    );
    this.corner = new Corner(byId("stage"), engine, document, this.hand, labels);
    this.explorer = new Explorer(engine, document, this.hand, labels);
    this.raw = new Raw(this.hand, labels, (written) => engine().gestures(page.after(written)));
    this.poke = new Poke(byId("stage"), this.hand, labels);
    this.box = new Box(byId("stage"), page.stage, this.hand, (target) => this.element(target));
    for (const panel of panels) byId(`open-${panel}`).addEventListener("click", () => this.toggle(panel));
  }

  /** What the picture shows instead, while a gesture is tried. */
  get tried(): Written | null {
    return this.hand.tried;
  }

  /** Asks what can be done now. */
  render(): void {
    const labels = this.page.labels();
    const gestures = this.page.engine().gestures(this.page.document());
    if (gestures === this.gestures && labels === this.said && !this.hand.tried) return;
    this.hand.tried = null; // it was of another program
    this.box.drop();
    this.gestures = gestures;
    this.said = labels;
    byId("chips").setAttribute(
      "aria-label",
      this.gestures ? labels.say("chips", this.gestures.name) : labels.say("do"),
    );
    byId("do").classList.toggle("nothing", !gestures);
    this.chips.render(this.gestures);
    this.corner.render(this.gestures);
    for (const panel of panels) byId<HTMLButtonElement>(`open-${panel}`).disabled = !this.gestures;
    this.renderPanels();
  }

  /** The picture was drawn. @returns whether it is the first of a line that was written here */
  drawn(still: boolean): boolean {
    const stage = this.page.stage();
    this.corner.stand((still && this.gestures && stage.places(`tensor:${this.gestures.object}`)[0]) || null);
    const first = this.flashes;
    this.flashes = false;
    if (this.box.open) this.box.show();
    if (first) this.poke.flash(stage.places("changed"));
    return first;
  }

  /** Asks for a new value of the element that a target of the picture is about, beside it: its cell in the grid or
      in the strip. A box that was cut out is written instead. */
  ask(target: string): void {
    const found = this.element(target), cell = this.page.stage().places(target)[0], name = this.page.elements()?.name;
    if (this.box.write() || !found || !cell || !name) return;
    const { left, top } = byId("canvas").getBoundingClientRect();
    this.poke.open(name, found.tensor, found.element, {
      left: left + cell.left,
      top: top + cell.top,
      bottom: top + cell.top + cell.height,
    });
  }

  /** Cuts out the box between two elements; nothing is written yet. */
  cut(from: bigint, to: bigint): void {
    const tensor = this.page.elements()?.tensor;
    if (tensor && !this.hand.tried && !byId("do").inert) this.box.extend(tensor, from, to);
  }

  /** The element of the tensor in hand that a target is about, or that reads the cell that it is about. */
  private element(target: string): { tensor: Tensor; element: bigint } | null {
    const tensor = this.page.elements()?.tensor, [kind, owner, number = ""] = target.split(":");
    if (!tensor || this.hand.tried || byId("do").inert) return null;
    const ours = kind === "element" && Number(owner) === tensor.object;
    const element = kind === "cell" ? this.page.engine().reader(this.page.document(), target) : ours ? number : "";
    return element ? { tensor, element: BigInt(element) } : null;
  }

  private toggle(panel: string): void {
    for (const other of panels) {
      const open = other === panel && byId(other).hidden;
      byId(other).hidden = !open;
      byId(`open-${other}`).setAttribute("aria-expanded", String(open));
    }
    this.hand.letGo();
    this.page.redraw();
    this.renderPanels();
  }

  private renderPanels(): void {
    if (!byId("shapes").hidden) this.explorer.render(this.gestures?.axes.length ?? 0);
    if (!byId("raw").hidden) this.raw.render(this.gestures);
  }
}
