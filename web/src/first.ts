// Until the engine is there a first visit sees the picture that was drawn of its example when the site was built.
import example, { pictures } from "virtual:first-example";
import { byId, h } from "./dom";

const patience = 150; // ms that the engine's own picture waits for it at most

/** Shows it where the engine's own will be. `shown` comes once it is seen, `forget` takes it away. */
export function firstPicture(lang: string, theme: string): { shown: Promise<void>; forget(): void } {
  const stage = byId("stage");
  const size = stage.clientWidth < 700 ? "narrow" : "wide";
  const image = h("img", {
    id: "first-picture",
    src: pictures[`${lang}-${theme}-${size}`] ?? "",
    alt: example.title[lang] ?? "",
  });
  stage.prepend(image);
  const seen = image.decode().then(
    () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))),
    () => image.remove(), // then the engine's is the first
  );
  return {
    shown: Promise.race([seen, new Promise<void>((done) => setTimeout(done, patience))]),
    forget: () => image.remove(),
  };
}
