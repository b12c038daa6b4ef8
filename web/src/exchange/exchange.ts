// What goes out of the page and what comes in: paper, links, code, pictures, forms to embed; files, examples.
import { type Fields, decode, encode, recent } from "../document";
import type { Engine, Step } from "../engine";
import { copy, mention, notice } from "../notices";
import { listing } from "../words/listing";
import type { Reading } from "../words/reading";
import type { Labels } from "../words/words";
import { offerEmbedding } from "./embed_dialog";
import { Examples } from "./examples";
import { column, forms, frameHeight } from "./forms";
import { offer } from "./keep";
import { openFiles } from "./open_file";
import { printable } from "./print";

/** What is on the page now. */
export interface Shown {
  engine: Engine;
  labels: Labels;
  fields: Partial<Fields>;
  reading: Reading;
  chosen: number;
  step: Step | null;
  /** The document as a link holds it. */
  lasting: string;
  /** The document that the picture is of. */
  pictured: string;
}
export interface Door {
  now(): Shown;
  link(): Promise<string>;
  openProgram(code: string): void;
  /** Opens a program and looks at it in this way. */
  openView(code: string, view: Partial<Fields>): void;
}

export function exchange({ now, link, openProgram, openView }: Door): void {
  const code = (): string => now().fields.code ?? "";
  const say = (id: string, ...args: string[]): void => mention(now().labels.say(id, ...args));

  printable(
    () => {
      const { engine, fields } = now();
      return engine.svg(encode({ ...fields, hover: "", phase: "", theme: "print", width: "", height: "" }));
    },
    () => listing(now().reading, now().chosen),
    now,
  );
  offer({
    link,
    code,
    python: () => now().engine.assertions(encode({ code: code() })),
    svg() {
      const { engine, pictured, reading } = now();
      const shown = decode(pictured);
      // Outside of the page it says why itself and is as high as it is. The comments may be newer than the picture.
      const alone = { ...shown, words: "", height: "" };
      return engine.svg(encode(shown.code === reading.program ? { ...alone, code: code() } : alone));
    },
    copy: (text) => copy(text, now().labels),
  });
  offerEmbedding(
    () => now().labels,
    async () => {
      const { engine, lasting, reading } = now();
      const { title, height } = engine.frame(encode({ ...decode(lasting), width: String(100 * (column - 2)) })); // its border
      const room = frameHeight(code().split("\n").length, reading.beside(-1).length, Math.ceil(height / 100));
      return forms(await link(), decode(lasting), title, room);
    },
  );
  openFiles({
    labels: () => now().labels,
    read: (bytes) => now().engine.opened(bytes, encode({ lang: now().fields.lang ?? "" })),
    program(text, name) {
      openProgram(text);
      say("file_opened", name);
    },
    figure(text, name) {
      const { code: program = "", theme: _t, lang: _l, ...view } = decode(text);
      openView(program, view);
      say("file_opened", name);
    },
    refuse: (reason) => notice([reason]),
  });
  new Examples(() => ({ labels: now().labels, lang: now().fields.lang || "en" }), recent, openProgram);
}
