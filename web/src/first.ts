// Until the engine is there a first visit sees the picture that was drawn of its example when the site was built.
import example, { pictures } from "virtual:first-example";
import { byId, h } from "./dom";

/** Shows it where the engine's own will be. @returns what takes it away */
export function firstPicture(lang: string, theme: string): () => void {
  const stage = byId("stage");
  const size = stage.clientWidth < 700 ? "narrow" : "wide";
  const image = h("img", { id: "first-picture", src: pictures[`${lang}-${theme}-${size}`] ?? "", alt: example.title[lang] ?? "" });
  let wanted = true;
  image.decode().then(
    () => wanted && stage.prepend(image),
    () => {}, // then the engine's is the first
  );
  return () => {
    wanted = false;
    image.remove();
  };
}
