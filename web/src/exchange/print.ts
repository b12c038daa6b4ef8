// Paper: the chosen step as a vector picture, the program with what each line came to, and the tensors as a table.
import { byId, h } from "../dom";
import type { Step } from "../engine";
import type { Labels } from "../words/words";

const shortTable = 8; // rows of one that stands on the page of the picture

/** Fills the sheet when the browser is about to print, however it was asked to. */
export function printable(
  svg: () => string,
  program: () => HTMLElement[],
  what: () => { step: Step | null; labels: Labels },
): void {
  const sheet = byId("sheet");
  addEventListener("beforeprint", () => {
    const { step, labels } = what();
    const picture = document.importNode(new DOMParser().parseFromString(svg(), "image/svg+xml").documentElement, true);
    const cells = (kind: "th" | "td", texts: string[]): HTMLElement[] => texts.map((text) => h(kind, {}, text));
    const tuple = (numbers: number[]): string => `(${numbers.join(", ")})`;
    const rows = (step?.names ?? []).map(({ name, tensor }) =>
      h(
        "tr",
        {},
        ...cells("td", [
          name,
          tuple(tensor.sizes),
          tuple(tensor.strides),
          String(tensor.offset),
          `${tensor.library} ${tensor.dtype}`,
        ]),
      ),
    );
    picture.setAttribute("preserveAspectRatio", "xMinYMin"); // where it is made smaller
    const listing = h("ol", { class: "listing" }, ...program());
    const beside = rows.length <= shortTable ? rows.length + 2 : 0; // with its title and its head
    sheet.style.setProperty("--rows", String(listing.querySelectorAll("code, .outcome").length + beside));
    sheet.replaceChildren(
      listing,
      picture,
      h("h2", {}, labels.say("tensors")),
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...cells(
              "th",
              ["name", "sizes", "strides", "offset"].map((id) => labels.say(id)),
            ),
            h("th", {}, "dtype"),
          ),
        ),
        h("tbody", {}, ...rows),
      ),
    );
  });
  addEventListener("afterprint", () => sheet.replaceChildren());
}
