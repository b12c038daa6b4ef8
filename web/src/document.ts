// The document as text, "v=1&code=..&step=3": what the URL holds and what the engine is asked with. The engine
// (to_text and parse_document of stridescope.h) is its authority: it decides what is valid and what is a default.
import { afterFrame } from "./dom";

export interface Fields {
  code: string;
  step: string; // number of a statement; "" is the last
  op: string;
  head: string;
  pan: string; // the element in the middle of the windows; "" is none
  phase: string;
  hover: string;
  words: string; // "beside" where Why stands beside the picture
  labels: string;
  colour: string;
  unit: string;
  line: string;
  zoom: string; // steps; "" is none
  ask: string; // "yes" where a picture is a question
  figures: string;
  width: string;
  height: string;
  theme: string;
  lang: string;
  [other: string]: string;
}

export function encode(fields: Partial<Fields>): string {
  let text = "v=1";
  for (const [key, value] of Object.entries(fields)) if (value) text += `&${key}=${encodeURIComponent(value)}`;
  return text;
}

export function decode(text: string): Partial<Fields> {
  const fields: Partial<Fields> = {};
  for (const part of text.replace(/^#/, "").split("&")) {
    const equals = part.indexOf("=");
    if (equals <= 0) continue;
    const key = part.slice(0, equals);
    if (key === "v" || Object.hasOwn(Object.prototype, key)) continue;
    try {
      fields[key] = decodeURIComponent(part.slice(equals + 1));
    } catch {
      // Not an encoding of text; the engine says so when it is asked about the whole.
    }
  }
  return fields;
}

/** What is kept between visits. Every access can throw: storage is refused in sandboxes and when it is full. */
export const kept = {
  get(key: string): string {
    try {
      return localStorage.getItem(`stridescope.${key}`) ?? "";
    } catch {
      return "";
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(`stridescope.${key}`, value);
    } catch {
      // The URL still holds it.
    }
  },
};

const due = new Map<string, () => string>();
function keepNow(): void {
  for (const [key, value] of due) kept.set(key, value());
  due.clear();
}
globalThis.addEventListener?.("pagehide", keepNow);

/** Keeps what `value` is once the next frame is there, or the page is left. */
export function keepSoon(key: string, value: () => string): void {
  if (due.size === 0) afterFrame(keepNow);
  due.set(key, value);
}

const mostRecent = 8;

/** Programs that a person wrote and then left for another one, newest first. */
export function recent(): string[] {
  try {
    const list: unknown = JSON.parse(kept.get("recent") || "[]");
    return Array.isArray(list) ? list.filter((code): code is string => typeof code === "string") : [];
  } catch {
    return [];
  }
}

export function remember(code: string): void {
  if (!code.trim()) return;
  kept.set("recent", JSON.stringify([code, ...recent().filter((other) => other !== code)].slice(0, mostRecent)));
}

/** A function that runs once calls have paused for `delay` ms; `flush` runs it now if it is due. */
export function debounced(delay: number, run: () => void): { later: () => void; flush: () => void } {
  let timer = 0;
  const flush = (): void => {
    if (timer) {
      clearTimeout(timer);
      timer = 0;
      run();
    }
  };
  return {
    later: () => {
      clearTimeout(timer);
      timer = window.setTimeout(flush, delay);
    },
    flush,
  };
}
