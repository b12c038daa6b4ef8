// The stage for those who do not see it: an ARIA grid of the elements around the read head, with a roving focus. Moving
// the focus moves the head.
import { h } from "./dom";
import type { Elements } from "./engine";
import type { Labels } from "./words";

export class Table {
  private focusAfterRender = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly go: (element: bigint) => void,
  ) {}

  /** Whether the keyboard is in the table. */
  get focused(): boolean {
    return this.host.contains(document.activeElement);
  }

  render(elements: Elements | null, labels: Labels): void {
    if (!elements?.head) {
      this.host.replaceChildren();
      return;
    }
    const keep = this.focusAfterRender || this.focused;
    this.focusAfterRender = false;
    const { head, rows, columns } = elements;
    const prefix = elements.index.slice(0, Math.max(0, elements.index.length - 2));
    const rank = elements.index.length;
    const grid = h(
      "div",
      {
        role: "grid",
        "aria-describedby": "description",
        "aria-label": labels.say("elements", elements.name, elements.tensor.layout),
        "aria-rowcount": ariaCount(rows.count),
        "aria-colcount": ariaCount(columns.count),
      },
      ...elements.window.map((row, r) =>
        h(
          "div",
          { role: "row", "aria-rowindex": ariaCount(String(BigInt(rows.first) + BigInt(r) + 1n)) },
          ...row.map((cell, c) => {
            const place = [BigInt(rows.first) + BigInt(r), BigInt(columns.first) + BigInt(c)].slice(2 - Math.min(rank, 2));
            const index = [...prefix, ...place].join(", ");
            const here = cell.element === head.element;
            return h(
              "div",
              {
                role: "gridcell",
                tabindex: here ? 0 : -1,
                "aria-colindex": ariaCount(String(BigInt(columns.first) + BigInt(c) + 1n)),
                "aria-selected": String(here),
                "data-element": cell.element,
                onclick: () => this.go(BigInt(cell.element)),
              },
              labels.say("element", `${elements.name}[${index}]`, cell.value, cell.offset),
            );
          }),
        ),
      ),
    );
    grid.addEventListener("keydown", (event) => this.key(event, elements));
    this.host.replaceChildren(grid);
    if (keep) grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** Arrows walk the last two dimensions, Page Up and Page Down the one before them, Home and End a row. */
  private key(event: KeyboardEvent, elements: Elements): void {
    if (!elements.head || event.altKey || event.metaKey) return;
    const sizes = elements.tensor.sizes.map(BigInt);
    const index = elements.index.map(BigInt);
    const last = index.length - 1;
    const all = event.ctrlKey;
    const move = (dim: number, by: bigint): boolean => {
      const at = (index[dim] ?? 0n) + by;
      if (dim < 0 || at < 0n || at >= (sizes[dim] ?? 0n)) return true;
      index[dim] = at;
      return true;
    };
    const edge = (dim: number, end: boolean): void => {
      for (let d = all ? 0 : dim; d <= dim; ++d) if (d >= 0) index[d] = end ? (sizes[d] ?? 1n) - 1n : 0n;
    };
    switch (event.key) {
      case "ArrowLeft": move(last, -1n); break;
      case "ArrowRight": move(last, 1n); break;
      case "ArrowUp": move(last - 1, -1n); break;
      case "ArrowDown": move(last - 1, 1n); break;
      case "PageUp": move(last - 2, -1n); break;
      case "PageDown": move(last - 2, 1n); break;
      case "Home": edge(last, false); break;
      case "End": edge(last, true); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.focusAfterRender = true;
    this.go(index.reduce((element, i, dim) => element * (sizes[dim] ?? 1n) + i, 0n));
  }
}

/** ARIA counts are 32-bit; -1 says "more than can be told". */
const ariaCount = (count: string): string => (BigInt(count) <= 0x7fffffffn ? count : "-1");
