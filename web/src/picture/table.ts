// The stage for those who do not see it: an ARIA grid of the elements around the read head, with a roving focus. Moving
// the focus moves the head.
import { h, whenIdle } from "../dom";
import type { Elements } from "../engine";
import type { Labels } from "../words/words";
import { Place } from "./travel";

export class Table {
  private focusAfterRender = false;
  private anchor: bigint | null = null; // where a box begins that is cut out with Shift
  private elements: Elements | null = null;
  private labels: Labels | undefined;
  private lengths = ""; // of the rows that stand there
  private due = false; // something new waits to be written

  constructor(
    private readonly host: HTMLElement,
    private readonly go: (element: bigint) => void,
    private readonly enter: (element: bigint) => void,
    private readonly cut: (from: bigint, to: bigint) => void = () => {},
  ) {
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("click", (event) => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-element]") : null;
      if (cell) go(BigInt(cell.dataset.element ?? "0"));
    });
  }

  /** Whether the keyboard is in the table. */
  get focused(): boolean {
    return this.host.contains((this.host.getRootNode() as Document | ShadowRoot).activeElement);
  }

  render(elements: Elements | null, labels: Labels): void {
    if (elements === this.elements && labels === this.labels) return;
    this.elements = elements;
    this.labels = labels;
    if (this.focusAfterRender || this.focused) return this.write();
    // Nobody is in it: what it says waits until the picture is drawn, and of many pictures the last is told.
    if (!this.due) whenIdle(() => this.write());
    this.due = true;
  }

  private write(): void {
    const { elements, labels } = this;
    this.due = false;
    if (!labels) return;
    if (!elements?.head) {
      this.host.replaceChildren();
      this.lengths = "";
      return;
    }
    const keep = this.focusAfterRender || this.focused;
    this.focusAfterRender = false;
    const lengths = elements.window.map((row) => row.length).join();
    if (lengths !== this.lengths) this.build(elements);
    this.lengths = lengths;
    this.fill(elements, elements.head.element, labels);
    if (keep) this.host.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  private build({ window }: Elements): void {
    const cells = (count: number): HTMLElement[] =>
      Array.from({ length: count }, () => h("div", { role: "gridcell" }, ""));
    this.host.replaceChildren(
      h(
        "div",
        { role: "grid", "aria-describedby": "description" },
        ...window.map((row) => h("div", { role: "row" }, ...cells(row.length))),
      ),
    );
  }

  /** Writes what is new into the cells that are there: while the head walks, little is. */
  private fill({ name, tensor, index, rows, columns, window }: Elements, here: string, labels: Labels): void {
    const grid = this.host.firstElementChild as HTMLElement;
    const put = (element: Element, attribute: string, value: string): void => {
      if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
    };
    put(grid, "aria-label", labels.say("elements", name, tensor.layout));
    put(grid, "aria-rowcount", ariaCount(rows.count));
    put(grid, "aria-colcount", ariaCount(columns.count));
    const prefix = index.slice(0, Math.max(0, index.length - 2));
    window.forEach((cells, r) => {
      const row = grid.children[r] as Element;
      const inRow = BigInt(rows.first) + BigInt(r);
      put(row, "aria-rowindex", ariaCount(String(inRow + 1n)));
      cells.forEach(({ element, value, offset }, c) => {
        const cell = row.children[c] as HTMLElement;
        const inColumn = BigInt(columns.first) + BigInt(c);
        const place = [inRow, inColumn].slice(2 - Math.min(index.length, 2));
        put(cell, "aria-colindex", ariaCount(String(inColumn + 1n)));
        put(cell, "aria-selected", String(element === here));
        put(cell, "tabindex", element === here ? "0" : "-1");
        put(cell, "data-element", element);
        const text = labels.say("element", `${name}[${[...prefix, ...place].join(", ")}]`, value, offset);
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  }

  /** Arrows walk the last two dimensions, Page Up and Page Down the one before them, Home and End a row. */
  private key(event: KeyboardEvent): void {
    const { elements } = this;
    if (!elements?.head || event.altKey || event.metaKey) return;
    const place = new Place(elements);
    const { last } = place;
    const edge = (end: boolean): void => {
      for (let dim = event.ctrlKey ? 0 : last; dim <= last; ++dim) place.edge(dim, end);
    };
    switch (event.key) {
      case "ArrowLeft": place.move(last, -1n); break;
      case "ArrowRight": place.move(last, 1n); break;
      case "ArrowUp": place.move(last - 1, -1n); break;
      case "ArrowDown": place.move(last - 1, 1n); break;
      case "PageUp": place.move(last - 2, -1n); break;
      case "PageDown": place.move(last - 2, 1n); break;
      case "Home": edge(false); break;
      case "End": edge(true); break;
      case "Enter":
        event.preventDefault();
        this.focusAfterRender = false; // the focus goes elsewhere
        this.enter(BigInt(elements.head.element));
        return;
      default:
        if (event.key === "Escape") this.anchor = null;
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.focusAfterRender = true;
    const boxed = event.shiftKey && event.key.startsWith("Arrow");
    this.anchor = boxed ? (this.anchor ?? BigInt(elements.head.element)) : null;
    this.cut(this.anchor ?? place.element, place.element);
    this.go(place.element);
  }
}

/** ARIA counts are 32-bit; -1 says "more than can be told". */
const ariaCount = (count: string): string => (BigInt(count) <= 0x7fffffffn ? count : "-1");
