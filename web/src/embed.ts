// embed.html: the figure of the address's fragment, alone in a frame. What it tells the page around it are heights and
// the place of the read head; what it takes from there are the words below, from its parent alone.
import texts from "virtual:words";
import { debounced, decode } from "./document";
import { byId, h } from "./dom";
import type { StrideScope } from "./element";
import { unpack } from "./link";

const figure = byId<StrideScope>("figure");
const open = byId<HTMLAnchorElement>("open");
const look = new URLSearchParams(location.search);
const framed = window.parent !== window;

// ---- the address

async function show(): Promise<void> {
  lead(location.hash.slice(1));
  figure.setState?.(location.hash);
  const { text } = await unpack(location.hash.slice(1));
  const fields = decode(text);
  speak(fields.lang);
  // Of an address without a program the figure says why there is none; that JavaScript is missing is not so.
  figure.replaceChildren(...(fields.code ? [h("pre", { tabindex: 0 }, h("code", {}, fields.code))] : []));
}

/** In the language of the address, of its document, or of the browser. */
function speak(written: string | undefined): void {
  const lang = (look.get("lang") || written || navigator.language).startsWith("zh") ? "zh" : "en";
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : "en";
  figure.setAttribute("lang", lang);
  open.textContent = texts.open_playground?.[lang] ?? "";
}

/** The playground on what is shown here. */
function lead(state: string): void {
  open.href = `./#${state}`;
}

for (const name of ["theme", "speed"]) if (look.has(name)) figure.setAttribute(name, look.get(name) ?? "");
for (const name of ["autoplay", "loop"]) figure.toggleAttribute(name, on(name, false));
figure.toggleAttribute("controls", on("controls", true));
const theme = look.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
const ui = look.get("ui") ?? "";
figure.setAttribute("view", ui === "min" ? "" : ui === "full" ? "code,why" : "code");
open.hidden = ui === "min";

function on(name: string, otherwise: boolean): boolean {
  return look.has(name) ? !["0", "false"].includes(look.get(name) ?? "") : otherwise;
}

// ---- to the page around

let told = 0;
new ResizeObserver(() => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (!framed || Math.abs(height - told) <= 1) return;
  told = height;
  // Our own; Observable's; Canvas's; Embedly's.
  for (const message of [
    { type: "stridescope:resize", height },
    { height },
    { subject: "lti.frameResize", height },
    JSON.stringify({ context: "iframe.resize", height }),
  ])
    parent.postMessage(message, "*");
}).observe(document.body);

const follow = debounced(200, () => lead(figure.getState()));
figure.addEventListener("stridescope-step", (event) => {
  follow.later();
  if (framed) parent.postMessage({ type: "stridescope:step", ...(event as CustomEvent<object>).detail }, "*");
});

// ---- from the page around

addEventListener("message", ({ source, data, origin }: MessageEvent<unknown>) => {
  if (!framed || source !== parent) return;
  const asked = typeof data === "string" ? { type: data } : data;
  if (typeof asked !== "object" || asked === null) return;
  const { type, element, step, state } = asked as Record<string, unknown>;
  if (type === "stridescope:play") figure.play();
  else if (type === "stridescope:pause" || type === "slide:stop") figure.pause();
  else if (type === "slide:start" && on("autoplay", true) && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    figure.play();
  else if (type === "stridescope:seek" && typeof element === "number")
    figure.seek(element, typeof step === "number" ? step : undefined);
  else if (type === "stridescope:setState" && typeof state === "string") figure.setState(state);
  else if (type === "stridescope:getState")
    parent.postMessage({ type: "stridescope:state", state: figure.getState() }, origin === "null" ? "*" : origin);
});

addEventListener("hashchange", () => void show());
speak(""); // until it is known what the document says
void show();
