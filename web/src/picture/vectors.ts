// A frame as SVG elements, for pages whose style shall reach the picture: an item is an element whose part is its role,
// in a group whose part is the figure it belongs to, and its colour is a name that the page can give another value.
import type { Frame, FrameFields } from "../engine";
import type { Surface } from "./stage";

const make = (name: string): SVGElement => document.createElementNS("http://www.w3.org/2000/svg", name) as SVGElement;
const sans = "Inter, DejaVu Sans, Noto Sans CJK SC, sans-serif";
const anchors = ["start", "middle", "end"];
/** The roles that stand around the picture, too: see colours.css. */
const around: Record<string, string> = { background: "ground", text: "ink", text_strong: "ink", text_muted: "muted" };

const px = (units: number): string => String(units / 100);
const hex = (color: number): string => `#${(color >>> 0).toString(16).padStart(8, "0")}`.replace(/ff$/, "");
const words = (role: string): string => role.replaceAll("_", "-");

/** Cells lie between two names, by their place in storage: while neither has a value both are the theme's own shade. */
function ink(role: string, shade: number, color: number): string {
  const own = hex(color);
  if (role === "cell")
    return `color-mix(in srgb, var(--stridescope-cell-deep, ${own}) ${Math.round(shade / 2.55)}%, var(--stridescope-cell-pale, ${own}))`;
  return `var(--stridescope-${around[role] ?? words(role)}, ${own})`;
}

interface Drawn {
  kind: string;
  node: SVGElement;
  attributes: Record<string, string>;
  text: string;
}
interface Group {
  node: SVGElement;
  figure: number;
  items: Drawn[];
}

/** Keeps the elements of the frame before and changes what is different. */
export function inElements(
  element: HTMLElement,
  { fields, words: length, shapes, figures, roles }: FrameFields,
): Surface {
  const svg = element.appendChild(make("svg"));
  const names = new Map(Object.entries(figures).map(([name, number]) => [number, name]));
  const inks = new Map<string, string>();
  const groups: Group[] = [];

  function group(at: number, figure: number): Group {
    const found = groups[at];
    if (found?.figure === figure) return found;
    for (const { node } of groups.splice(at)) node.remove();
    const made = { node: make("g"), figure, items: [] };
    const name = names.get(figure);
    if (name) made.node.setAttribute("part", name);
    svg.append(made.node);
    groups.push(made);
    return made;
  }

  /** The element of number `at` in a group, which is of this kind from now on. */
  function item({ node, items }: Group, at: number, kind: string): Drawn {
    const found = items[at];
    if (found?.kind === kind) return found;
    const made = { kind, node: make(kind), attributes: {}, text: "" };
    if (found) found.node.replaceWith(made.node);
    else node.append(made.node);
    return (items[at] = made);
  }

  function dress(drawn: Drawn, attributes: Record<string, string>): void {
    for (const name in attributes)
      if (drawn.attributes[name] !== attributes[name]) drawn.node.setAttribute(name, attributes[name] as string);
    for (const name in drawn.attributes) if (!(name in attributes)) drawn.node.removeAttribute(name);
    drawn.attributes = attributes;
  }

  function pixels({ node }: Drawn, frame: Frame, first: number, count: number, columns: number): void {
    const canvas =
      (node.firstElementChild as HTMLCanvasElement | null) ?? node.appendChild(document.createElement("canvas"));
    canvas.width = columns;
    canvas.height = count / columns;
    const data = new Uint8ClampedArray(frame.pixels.slice(4 * first, 4 * (first + count)).buffer);
    if (count) canvas.getContext("2d")?.putImageData(new ImageData(data, columns), 0, 0);
  }

  return {
    element,
    show(frame, scale) {
      const { items, points, text } = frame;
      svg.setAttribute("viewBox", `0 0 ${px(frame.width)} ${px(frame.height)}`);
      element.style.width = `${px(frame.width * scale)}px`;
      element.style.height = `${px(frame.height * scale)}px`;
      let groupsSeen = 0,
        seen = 0;
      let open: Group | undefined;
      const close = (): void => {
        for (const { node } of open?.items.splice(seen) ?? []) node.remove();
        seen = 0;
      };
      for (let at = 0; at < items.length; at += length) {
        const get = (name: string): number => items[at + (fields[name] as number)] as number;
        const figure = get("figure"),
          role = roles[get("role")] as string,
          shade = get("shade"),
          color = get("color");
        if (open?.figure !== figure) {
          close();
          open = group(groupsSeen++, figure);
        }
        const key = `${role} ${shade} ${color}`;
        const paint = inks.get(key) ?? ink(role, shade, color);
        inks.set(key, paint);
        const attributes: Record<string, string> = { part: words(role) };
        const box = (): void =>
          void Object.assign(attributes, {
            x: px(get("x")),
            y: px(get("y")),
            width: px(get("width")),
            height: px(get("height")),
          });
        const stroke = get("stroke"),
          first = get("first"),
          count = get("count");
        if (get("shape") === shapes.image) {
          /* its pixels have their colours */
        } else if (get("filled") || stroke === 0) attributes.fill = paint;
        else Object.assign(attributes, { fill: "none", stroke: paint, "stroke-width": px(stroke) });
        if (get("dashed")) attributes["stroke-dasharray"] = "3 4";
        switch (get("shape")) {
          case shapes.rect:
            box();
            if (get("radius")) attributes.rx = px(get("radius"));
            dress(item(open, seen++, "rect"), attributes);
            break;
          case shapes.polyline: {
            let d = "";
            for (let i = 2 * first; i < 2 * (first + count); i += 2)
              d += `${d ? "L" : "M"}${px(points[i] as number)} ${px(points[i + 1] as number)}`;
            attributes.d = get("closed") ? d + "Z" : d;
            dress(item(open, seen++, "path"), attributes);
            break;
          }
          case shapes.text: {
            if (get("vertical")) attributes.transform = `translate(${px(get("x"))} ${px(get("y"))}) rotate(-90)`;
            else Object.assign(attributes, { x: px(get("x")), y: px(get("y")) });
            attributes["font-size"] = px(get("size"));
            if (!get("mono")) attributes["font-family"] = sans;
            if (get("bold")) attributes["font-weight"] = "600";
            if (get("anchor")) attributes["text-anchor"] = anchors[get("anchor")] as string;
            const drawn = item(open, seen++, "text");
            dress(drawn, attributes);
            const said = text.slice(first, first + count);
            if (drawn.text !== said) drawn.node.textContent = drawn.text = said;
            break;
          }
          case shapes.image: {
            box();
            const drawn = item(open, seen++, "foreignObject"); // no address that a page's policy could refuse
            dress(drawn, attributes);
            pixels(drawn, frame, first, count, get("columns"));
            break;
          }
        }
      }
      close();
      for (const { node } of groups.splice(groupsSeen)) node.remove();
    },
  };
}
