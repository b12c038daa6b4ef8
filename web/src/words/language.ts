// The language of all words: what was chosen here, else what the browser has.
import { kept } from "../document";
import { byId } from "../dom";
import type { Labels } from "./words";

const select = byId<HTMLSelectElement>("language");

export const ownLanguage = (): string => kept.get("lang") || (navigator.language.startsWith("zh") ? "zh" : "en");

export function onLanguage(changed: (lang: string) => void): void {
  select.addEventListener("change", () => {
    kept.set("lang", select.value);
    changed(select.value);
  });
}

/** Puts the page into a language. */
export function speak(lang: string, labels: Labels): void {
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : "en";
  labels.apply(document);
  select.value = lang;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-page]"))
    link.href = `docs/${link.dataset.page}${lang === "zh" ? ".zh" : ""}.html`;
}
