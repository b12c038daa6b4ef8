// The wheel over the picture: with Control the cells grow and shrink; with Shift, or turned sideways, the read head
// goes along the rows, with Alt down them, and stays in the middle of the windows.

export interface Wheel {
  zoom(steps: number): unknown;
  /** Moves the head in a dimension counted from the innermost. */
  walk(level: 0 | 1, by: number): unknown;
}

const line = 32; // px of a wheel that counts lines
const notch = { zoom: 80, walk: 40 }; // px a step

export function turn(over: HTMLElement, wheel: Wheel): void {
  const rest = { zoom: 0, walk: 0 }; // of a wheel that turns by less than a step at a time
  const steps = (kind: keyof typeof rest, pixels: number): number => {
    if (rest[kind] * pixels < 0) rest[kind] = 0;
    rest[kind] += pixels;
    const whole = Math.trunc(rest[kind] / notch[kind]);
    rest[kind] -= whole * notch[kind];
    return whole;
  };
  over.addEventListener(
    "wheel",
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? line : 1;
      const x = event.deltaX * unit, y = event.deltaY * unit;
      if (event.ctrlKey || event.metaKey) wheel.zoom(-steps("zoom", y));
      else if (event.altKey) wheel.walk(1, steps("walk", y));
      else if (event.shiftKey || Math.abs(x) > Math.abs(y)) wheel.walk(0, steps("walk", x || y));
      else return;
      event.preventDefault();
    },
    { passive: false },
  );
}
