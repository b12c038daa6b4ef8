// What a visit begins with: its program, the picture that a first visit sees meanwhile, the engine; where that is
// refused, the program stays and the page says why.
import firstExample from "virtual:first-example";
import { fragment } from "./address";
import { type Fields, decode, kept, remember } from "./document";
import { byId } from "./dom";
import { type Engine, loadEngine } from "./engine";
import { firstPicture } from "./first";
import { unpack } from "./link";
import { ownLanguage } from "./words/language";

const firstProgram = (): string => firstExample.code[ownLanguage()] ?? "";

type Link = Awaited<ReturnType<typeof unpack>>;
export interface Start {
  link: Link;
  first: ReturnType<typeof firstPicture> | undefined;
  engine: Engine;
}

/** The document of a link, or what was kept, or the first visit's example; and whether its program is the person's
    own. */
export function documentOf({ text }: Link, engine: Engine): { fields: Partial<Fields>; edited: boolean } {
  const ofLink = decode(engine.normalise(text)), own = decode(engine.normalise(kept.get("document")));
  if (ofLink.code && own.code && own.code !== ofLink.code) remember(own.code);
  const edited = !ofLink.code || own.code === ofLink.code;
  const fields = ofLink.code ? ofLink : own.code ? own : { code: firstProgram(), step: "1" };
  fields.code = fields.code?.replace(/\r\n?/g, "\n") ?? ""; // as the editor has them: places count alike
  return { fields: { ...fields, lang: fields.lang || decode(text).lang || ownLanguage() }, edited };
}

/** @param theme light or dark */
export async function start(theme: string): Promise<Start> {
  const link = await unpack(fragment());
  const given = decode(link.text).code ?? decode(kept.get("document")).code;
  byId<HTMLTextAreaElement>("plain-editor").value = given ?? firstProgram();
  const first = given === undefined ? firstPicture(ownLanguage(), theme) : undefined;
  const loading = loadEngine();
  await first?.shown;
  const engine = await loading.catch((reason: unknown) => {
    byId("failed").hidden = false;
    byId("failed-reason").textContent = String(reason);
    document.documentElement.classList.add("without-engine");
    throw reason;
  });
  return { link, first, engine };
}

/** Everything else comes after the first picture, each part by itself, and is done without where it does not come. */
export function improve(...parts: (() => Promise<void>)[]): Promise<unknown> {
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
  const task = (): Promise<unknown> => new Promise((done) => setTimeout(done));
  const begun = (part: () => Promise<void>): Promise<void> => task().then(part).catch(console.warn);
  return frame().then(frame).then(() => Promise.all(parts.map(begun)));
}
