// A finger that rests before it moves takes hold of what it is on; one that moves at once scrolls the page.

const resting = { time: 400, distance: 8 }; // ms that it stays within so many px

/** @param take what the finger rests on; @param held whether it is held now: then the page neither scrolls nor opens a
    menu */
export function onRest(host: HTMLElement, take: (event: PointerEvent) => void, held: () => boolean): void {
  let from: { x: number; y: number } | null = null, timer = 0;
  const lift = (): void => {
    clearTimeout(timer);
    from = null;
  };
  const wait = (event: PointerEvent): void => {
    lift();
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    from = { x: event.x, y: event.y };
    timer = window.setTimeout(() => {
      lift();
      take(event);
    }, resting.time);
  };
  host.addEventListener("pointerdown", wait, { capture: true });
  host.addEventListener("pointermove", ({ x, y }) => {
    if (from && Math.hypot(x - from.x, y - from.y) > resting.distance) lift();
  });
  for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, lift);
  for (const kind of ["touchmove", "contextmenu"])
    host.addEventListener(kind, (event) => held() && event.preventDefault(), { passive: false });
}
