// The dialog that hands the document out for other places.
import { byId, h } from "../dom";
import type { Labels } from "../words/words";
import type { Form } from "./forms";

export function offerEmbedding(labels: () => Labels, forms: () => Promise<Form[]>): void {
  const dialog = byId<HTMLDialogElement>("embed");
  const said = byId("embed-said");
  const copy = (text: string): void => {
    // The page's own notices are behind the dialog.
    const say = (id: string): void => void (said.textContent = labels().say(id));
    navigator.clipboard.writeText(text).then(
      () => say("copied"),
      () => say("not_copied"),
    );
  };
  const section = ({ id, text }: Form): HTMLElement => {
    const name = labels().say(`embed_${id}`);
    const title = labels().say("copy", name);
    const button = h(
      "button",
      { type: "button", class: "quiet", "aria-label": title, title, onclick: () => copy(text) },
      byId<HTMLTemplateElement>("copy-icon").content.cloneNode(true),
    );
    return h(
      "section",
      { "data-form": id },
      h("div", { class: "row" }, h("h3", {}, name), button),
      h("pre", { tabindex: 0, role: "region", "aria-label": name }, h("code", {}, text)),
      ...(id === "frame" ? [h("p", { class: "faint" }, labels().say("embed_height"))] : []),
    );
  };
  byId("open-embed").addEventListener("click", async () => {
    const all = await forms();
    byId("share-menu").hidePopover();
    said.textContent = "";
    byId("embed-forms").replaceChildren(...all.map(section));
    dialog.showModal();
  });
  byId("embed-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
