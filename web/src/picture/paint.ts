// A frame on a canvas: a loop and a switch, with no decision in it. All lengths arrive in 1/100 px.
import type { Frame, FrameFields } from "../engine";
import type { Surface } from "./stage";

const mono = '"JetBrains Mono", "DejaVu Sans Mono", "Noto Sans CJK SC", monospace';
const sans = '"Inter", "DejaVu Sans", "Noto Sans CJK SC", sans-serif';
const anchors: CanvasTextAlign[] = ["start", "center", "end"];

const css = new Map<number, string>();
function cssColor(color: number): string {
  let text = css.get(color);
  if (text === undefined) {
    text = "#" + (color >>> 0).toString(16).padStart(8, "0");
    css.set(color, text);
  }
  return text;
}

/** Draws in units of the frame; the caller has set the transform. */
type Paint = (context: CanvasRenderingContext2D, frame: Frame) => void;

/** Reads the places of the fields once, then paints. */
function painter({ fields, words, shapes }: FrameFields): Paint {
  const field = (name: string): number => {
    const place = fields[name];
    if (place === undefined) throw new Error(`the engine's frame has no field ${name}`);
    return place;
  };
  const [shape, color, x, y, width, height, radius] = ["shape", "color", "x", "y", "width", "height", "radius"].map(
    field,
  ) as [number, number, number, number, number, number, number];
  const [stroke, dashed, closed, filled, first, count] = ["stroke", "dashed", "closed", "filled", "first", "count"].map(
    field,
  ) as [number, number, number, number, number, number];
  const [columns, size, anchor, isMono, bold, vertical] = ["columns", "size", "anchor", "mono", "bold", "vertical"].map(
    field,
  ) as [number, number, number, number, number, number];
  const raster = document.createElement("canvas");
  const shades = raster.getContext("2d", { willReadFrequently: true, alpha: false });

  return (context, { items, points, text, pixels }) => {
    context.lineCap = context.lineJoin = "round";
    context.imageSmoothingEnabled = false;
    context.letterSpacing = "0.1px"; // of 1/100 px: where there is any no letters are joined, and ">=" stays what was written
    // A canvas reads a font, a colour and a dash anew each time it is told one.
    let face = "", fill = "", line = "", dashes = -1;
    const filledWith = (color: string): void => {
      if (color !== fill) context.fillStyle = fill = color;
    };
    for (let at = 0; at < items.length; at += words) {
      const get = (place: number): number => items[at + place] as number;
      const paint = cssColor(get(color));
      switch (get(shape)) {
        case shapes.rect: {
          if (get(radius) === 0 && get(stroke) === 0) {
            filledWith(paint);
            context.fillRect(get(x), get(y), get(width), get(height));
            continue;
          }
          context.beginPath();
          context.roundRect(get(x), get(y), get(width), get(height), get(radius));
          break;
        }
        case shapes.polyline: {
          context.beginPath();
          const end = 2 * (get(first) + get(count));
          for (let i = 2 * get(first); i < end; i += 2) context.lineTo(points[i] as number, points[i + 1] as number);
          if (get(closed)) context.closePath();
          break;
        }
        case shapes.text: {
          const wanted = `${get(bold) ? 600 : 400} ${get(size)}px ${get(isMono) ? mono : sans}`;
          if (wanted !== face) context.font = face = wanted;
          context.textAlign = anchors[get(anchor)] as CanvasTextAlign;
          filledWith(paint);
          const words = text.slice(get(first), get(first) + get(count));
          if (get(vertical)) {
            context.save();
            context.translate(get(x), get(y));
            context.rotate(-Math.PI / 2);
            context.fillText(words, 0, 0);
            context.restore();
          } else context.fillText(words, get(x), get(y));
          continue;
        }
        case shapes.image: {
          if (get(count) === 0) continue;
          raster.width = get(columns);
          raster.height = get(count) / get(columns);
          const begin = 4 * get(first);
          // Where they are: a million need no copy.
          const data = new Uint8ClampedArray(pixels.buffer as ArrayBuffer, pixels.byteOffset + begin, 4 * get(count));
          shades?.putImageData(new ImageData(data, raster.width), 0, 0);
          context.drawImage(raster, get(x), get(y), get(width), get(height));
          continue;
        }
      }
      if (get(filled) || get(stroke) === 0) {
        filledWith(paint);
        context.fill();
      } else {
        if (paint !== line) context.strokeStyle = line = paint;
        context.lineWidth = get(stroke);
        if (get(dashed) !== dashes) context.setLineDash((dashes = get(dashed)) ? [300, 400] : []);
        context.stroke();
      }
    }
  };
}

/** Without a GPU a canvas of another size takes longer than a frame: the browser makes it out of fresh memory, and twice.
    So a picture stands on a part of one that has room, and of that no more is shown. While the sizes of a window or of
    cells follow each other that is a little more than is needed; once they rest, all the room of the stage. */
const rest = 300; // ms
const roomy = (pixels: number): number => 256 * Math.ceil(pixels / 256);

export function onCanvas(canvas: HTMLCanvasElement, fields: FrameFields): Surface {
  // Pixels are made by the processor here: without a GPU that is several times faster than the round trip. Every
  // picture has a ground, so nothing shines through, and the browser need not blend it with the page.
  const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false });
  if (!context) throw new Error("this browser gives no 2-D canvas");
  const paint = painter(fields);
  let width = 0, height = 0, changed = -rest, timer = 0;
  let most = { width: 0, height: 0 };
  const is = (wide: number, high: number): boolean => canvas.width === wide && canvas.height === high;
  const fit = (wide: number, high: number): void => {
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    canvas.style.objectFit = is(width, height) ? "" : "none";
  };
  const keepAndFit = (wide: number, high: number): void => {
    if (is(wide, high)) return;
    const picture = context.getImageData(0, 0, width, height);
    fit(wide, high);
    context.putImageData(picture, 0, 0);
  };
  const again = (): void => context.putImageData(context.getImageData(0, 0, 1, 1), 0, 0);
  const settle = (): void => {
    keepAndFit(most.width, most.height);
    // Two are shown in turn, and each is made when it first is.
    requestAnimationFrame(() => (again(), requestAnimationFrame(again)));
  };
  canvas.addEventListener("contextmenu", () => keepAndFit(width, height)); // which offers to save it
  return {
    element: canvas,
    show(frame, scale, room) {
      const finer = window.devicePixelRatio || 1, ratio = finer * scale;
      const pixels = (units: number): number => Math.floor((units / 100) * ratio + 1e-6); // the ground covers each
      const wide = pixels(frame.width), high = pixels(frame.height), first = width === 0;
      if (wide !== width || high !== height) {
        const now = performance.now(), grown = now - changed < rest ? roomy : Math.floor;
        [width, height, changed] = [wide, high, now];
        // Else a pixel of the canvas is none of CSS, and no part of it can be shown.
        if (finer !== 1 || first) fit(width, height);
        else fit(canvas.width < width ? grown(width) : canvas.width, canvas.height < height ? grown(height) : canvas.height);
        canvas.style.width = `${width / finer}px`; // to the pixel: nothing is stretched
        canvas.style.height = `${height / finer}px`;
      }
      most = { width: Math.max(width, room.width), height: Math.max(height, room.height) };
      clearTimeout(timer);
      if (finer === 1 && !is(most.width, most.height)) timer = window.setTimeout(settle, rest);
      context.setTransform(ratio / 100, 0, 0, ratio / 100, 0, 0);
      paint(context, frame);
    },
  };
}

/** Runs it when the window comes to a screen with finer or coarser pixels, which need not change its size. */
export function onOtherScreen(act: () => void): void {
  const pixels = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  const come = (): void => {
    act();
    onOtherScreen(act);
  };
  pixels.addEventListener("change", come, { once: true });
}
