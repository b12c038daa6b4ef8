// The chosen tensor's layout as other systems write it, each ready to be copied.
import { byId, h } from "../dom";
import type { Notation } from "../engine";
import { type Labels, type Light, sentence } from "./words";

/** Where C++ has no blank its lines end between names rather than in the middle of one. */
const breakable = (text: string): Node[] =>
  text.split(/(?<=::|<)/).flatMap((part, i) => [...(i > 0 ? [h("wbr")] : []), document.createTextNode(part)]);

export function notations(list: Notation[], labels: Labels, light: Light, copy: (text: string) => void): HTMLElement[] {
  return list.map(({ system, text, why_not }) =>
    h(
      "div",
      { class: "notation" },
      h("dt", {}, system),
      text
        ? h(
            "dd",
            {},
            h("code", {}, ...breakable(text)),
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                "aria-label": labels.say("copy", system),
                title: labels.say("copy", system),
                onclick: () => copy(text),
              },
              byId<HTMLTemplateElement>("copy-icon").content.cloneNode(true),
            ),
          )
        : h("dd", { class: "cannot" }, ...sentence(why_not ?? [], light)),
    ),
  );
}
