// Taking the work elsewhere: the link, the code, Python that checks itself, pictures and paper.
import { byId, h, standUnder } from "../dom";
import { png } from "../picture/png";

export interface Keeper {
  /** Each is asked for at the moment of the click. */
  link(): Promise<string>;
  code(): string;
  python(): string;
  svg(): string;
  /** Puts a text on the clipboard and says so. */
  copy(text: string): Promise<void>;
}

export function offer(keeper: Keeper): void {
  const menu = byId("share-menu");
  const actions: Record<string, () => unknown> = {
    "copy-link": async () => keeper.copy(await keeper.link()),
    "copy-code": () => keeper.copy(keeper.code()),
    "copy-python": () => keeper.copy(keeper.python()),
    "save-svg": () => save(new Blob([keeper.svg()], { type: "image/svg+xml" }), "stridescope.svg"),
    "save-png": async () => save(await png(keeper.svg()), "stridescope.png"),
    print: () => window.print(),
  };
  for (const [id, act] of Object.entries(actions))
    byId(id).addEventListener("click", () => {
      menu.hidePopover();
      void act();
    });
  standUnder(menu, byId("open-share"), 280);
  // Arrow keys walk a menu.
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll<HTMLElement>("button")];
    const at = items.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items[(to + items.length) % items.length]?.focus();
  });
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
