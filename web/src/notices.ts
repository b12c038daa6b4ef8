// What the page says besides the picture: above it what is wrong, at its foot what was done, and aloud what changed.
import { byId, h } from "./dom";
import type { Diagnostic } from "./engine";
import { type Labels, sentence } from "./words/words";

/** What is wrong with a link or with the engine; nothing takes the notice away. */
export function notice(problems: (Diagnostic | string)[]): void {
  byId("notice").hidden = problems.length === 0;
  byId("notice-text").replaceChildren(
    ...problems.map((problem) =>
      h("p", {}, ...(typeof problem === "string" ? [problem] : sentence(problem.reason, () => {}))),
    ),
  );
}
byId("notice-close").addEventListener("click", () => (byId("notice").hidden = true));

let announcement = 0;
/** Reads a text out once the person pauses. */
export function announce(text: string): void {
  clearTimeout(announcement);
  announcement = window.setTimeout(() => (byId("live").textContent = text), 250);
}

let toast = 0;
/** Says in passing that something was done. */
export function mention(text: string): void {
  const place = byId("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast);
  toast = window.setTimeout(() => (place.hidden = true), 2500);
}

/** Puts a text on the clipboard and says so. */
export const copy = (text: string, labels: Labels): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => mention(labels.say("copied")),
    () => mention(labels.say("not_copied")),
  );
