// Elements from data. Text is always a text node, so no string of a program can become markup.
type Value = string | number | boolean | ((event: never) => void);

/** `h("button", {type: "button", onclick: play}, "Play")`: functions become listeners, false leaves an attribute
    out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Value> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else if (value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** The text of a style sheet for a shadow root, which no sheet of the page reaches and no policy refuses. */
export function styled(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** A drawing of 16 by 16 for a button that is named otherwise: paths, each with its class after it. */
export function icon(...paths: string[]): SVGSVGElement {
  const make = <Name extends keyof SVGElementTagNameMap>(name: Name): SVGElementTagNameMap[Name] =>
    document.createElementNS("http://www.w3.org/2000/svg", name);
  const picture = make("svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  for (let at = 0; at < paths.length; at += 2) {
    const path = make("path");
    path.setAttribute("d", paths[at] as string);
    path.setAttribute("class", paths[at + 1] ?? "");
    picture.append(path);
  }
  return picture;
}

/** Runs it once the browser has nothing to draw, a tenth of a second from now at the latest. */
export const whenIdle = (act: () => void): unknown =>
  "requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 100 }) : setTimeout(act, 100);

/** Runs it once the frame that is being made, or the next one, is there: what need not be seen in it. */
export const afterFrame = (act: () => void): unknown => requestAnimationFrame(() => setTimeout(act));

/** Lets a popover stand under the button that opens it, within the window. @param width that it takes at most */
export function standUnder(menu: HTMLElement, opener: HTMLElement, width: number): void {
  menu.addEventListener("beforetoggle", () => {
    const { left, bottom } = opener.getBoundingClientRect();
    Object.assign(menu.style, { left: `${Math.min(left, innerWidth - width - 8)}px`, top: `${bottom + 4}px` });
  });
  menu.addEventListener("toggle", (event) => {
    const open = (event as ToggleEvent).newState === "open";
    opener.setAttribute("aria-expanded", String(open));
    if (open) menu.querySelector<HTMLElement>("button, input")?.focus();
  });
}

/** The element of the page's skeleton with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Gives an element the colour of an axis, for its style sheet to use. */
export function paintAxis<T extends HTMLElement>(element: T, axis: number): T {
  element.style.setProperty("--axis", `var(--axis${axis})`);
  return element;
}
