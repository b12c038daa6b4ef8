// A program alive in a page: its lines, its picture, the read head over it, and why. What is shown is a function of
// `fields`, as in the playground; nothing of it can be written here.
import { type Fields, encode } from "./document";
import { h } from "./dom";
import type { Beside, Elements, Engine } from "./engine";
import { listen } from "./keyboard";
import { point } from "./picture/point";
import { Stage } from "./picture/stage";
import { Table } from "./picture/table";
import { Transport } from "./picture/transport";
import { inElements } from "./picture/vectors";
import { explanation } from "./words/explanation";
import { listing } from "./words/listing";
import { Reading } from "./words/reading";
import { Labels, plain, related } from "./words/words";

/** What of a figure is shown besides its picture. */
export interface Shown {
  code: boolean;
  why: boolean;
  controls: "all" | "play" | "none";
}
/** Where the read head is, and in which step. */
export interface At {
  step: number;
  index: number[];
  offset: number;
}
export interface FigureHost {
  engine(): Engine;
  /** Light or dark. */
  theme(): string;
  moved(at: At): void;
  /** Nothing can be drawn any more with this engine. */
  failed(reason: unknown, engine: Engine): void;
}

const languages = new Map<string, Labels>();
/** Read once for all figures of a page. */
export function labelsIn(lang: string, engine: Engine): Labels {
  const labels = languages.get(lang) ?? new Labels(engine.labels(encode({ lang })));
  languages.set(lang, labels);
  return labels;
}

/** What each part of a figure was last made from. */
const nothing = { words: "", program: "", step: "", elements: "", picture: "", hover: "" };

export class Figure {
  fields: Partial<Fields> = {};
  shown: Shown = { code: false, why: false, controls: "none" };
  labels = new Labels({});
  readonly root = h("div", { id: "figure", part: "figure" });
  readonly transport: Transport;
  private reading = Reading.nothing;
  private elements: Elements | null = null;
  private readonly code = h("ol", { id: "listing", class: "listing", part: "code", "data-label": "code" });
  private readonly room = h("div", {
    id: "stage",
    part: "stage",
    role: "group",
    "data-label": "stage",
    "aria-describedby": "description",
  });
  private readonly description = h("p", { id: "description", class: "unseen" });
  private readonly controls = h("div", {
    id: "controls",
    class: "controls",
    part: "controls",
    role: "group",
    "data-label": "transport",
  });
  private readonly why = h("div", { id: "why", part: "why", role: "group", "data-label": "why" });
  private readonly stage: Stage;
  private readonly table: Table;
  private readonly said = { ...nothing, at: "" };
  private due = false;

  constructor(private readonly host: FigureHost) {
    const picture = h("div", { id: "picture", part: "picture", "aria-hidden": "true" });
    const table = h("div", { id: "table", class: "unseen" });
    this.room.append(picture, this.description, table);
    this.root.append(this.code, this.room, this.controls, this.why);
    this.stage = new Stage(
      host.engine,
      inElements(picture, host.engine().frameFields),
      this.room,
      () => this.later(),
      { over: this.point, ask: this.ask },
    );
    this.table = new Table(
      table,
      (element) => this.go(String(element)),
      () => {},
    );
    this.transport = new Transport(this.controls, (head, phase) =>
      this.change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }),
    );
    this.code.addEventListener("click", (event) => this.chooseRow(event));
    this.code.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.chooseRow(event);
    });
    listen(this.root, {
      line: (by) => this.choose(this.chosen + by),
      head: (key) => this.transport.key(key),
    });
  }

  change(patch: Partial<Fields>): void {
    Object.assign(this.fields, patch);
    this.later();
  }

  later(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      if (this.root.isConnected) this.draw();
    });
  }

  get steps(): Beside[] {
    return this.reading.outline.steps;
  }
  get chosen(): number {
    return this.reading.at(this.fields.step);
  }

  /** The program as far as it may be seen. */
  private get known(): Reading {
    return this.fields.ask === "yes" ? this.reading.until(this.chosen) : this.reading;
  }

  /** The document as a link holds it. */
  state(): string {
    const { hover: _h, phase: _p, width: _w, height: _t, ...rest } = this.fields;
    const text = encode(rest);
    try {
      return this.host.engine().normalise(text);
    } catch {
      return text; // the engine has stopped: this is the document, too, if not as its one writer writes it
    }
  }

  svg(theme: string): string {
    return this.host
      .engine()
      .svg(encode({ ...this.fields, hover: "", phase: "", theme, width: this.width, height: "" }));
  }

  /** What is shown as still elements for paper: the program, where it is shown, and the picture as vectors. */
  printed(): Node[] {
    const picture = document.importNode(
      new DOMParser().parseFromString(this.svg("print"), "image/svg+xml").documentElement,
      true,
    );
    return this.shown.code
      ? [h("ol", { class: "listing" }, ...listing(this.known, this.chosen)), picture]
      : [picture];
  }

  /** "" where there is no room yet. */
  private get width(): string {
    return String(this.stage.size().width || "");
  }

  /** The nearest that there is; the last for what is no number. */
  choose(step: number): void {
    const last = this.steps.length - 1;
    this.transport.pause();
    this.change({
      step: Number.isInteger(step) ? String(Math.max(0, Math.min(last, step))) : "",
      op: "",
      head: "",
      phase: "",
    });
  }

  /** Asks the browser what a drawing will need to know, while nothing has changed. */
  measure(): void {
    this.stage.size();
    this.host.theme();
  }

  /** @returns whether it is drawn */
  draw(): boolean {
    const engine = this.host.engine();
    try {
      this.render(engine);
      return true;
    } catch (reason) {
      Object.assign(this.said, nothing); // what was begun is made anew
      this.host.failed(reason, engine);
      return false;
    }
  }

  private render(engine: Engine): void {
    const { hover = "", phase = "", ...rest } = this.fields;
    const { code = "", lang = "en" } = rest;
    if (this.refreshed("words", lang)) {
      this.labels = labelsIn(lang, engine);
      this.root.lang = lang === "zh" ? "zh-Hans" : "en";
      this.labels.apply(this.root);
      this.reading = Reading.nothing;
    }
    const { code: withCode, why: withWhy, controls } = this.shown;
    this.code.hidden = !withCode;
    this.why.hidden = !withWhy;
    this.controls.hidden = controls === "none";
    this.controls.classList.toggle("only-play", controls === "play");
    if (this.refreshed("program", encode({ code, lang })))
      this.reading = Reading.of(code, engine.outline(encode({ code, lang })), this.labels, this.reading);
    const { op = "", ask = "" } = rest;
    if (this.refreshed("step", encode({ code, lang, step: String(this.chosen), op, ask }))) this.renderStep();
    const still = encode({ ...rest, theme: "" });
    if (this.refreshed("elements", still)) {
      this.elements = engine.elements(still);
      this.transport.render(this.elements, this.labels);
      this.table.render(this.elements, this.labels);
    }
    if (this.refreshed("hover", hover))
      for (const word of this.root.querySelectorAll<HTMLElement>(".word, .outcome"))
        word.classList.toggle("lit", related(hover, word.dataset.target ?? ""));
    const moment = encode({ ...rest, hover, phase, theme: this.host.theme(), width: this.width });
    if (this.refreshed("picture", moment)) {
      const { description } = this.stage.draw(moment);
      if (this.description.textContent !== description) this.description.textContent = description;
    }
    const head = this.elements?.head;
    const at = {
      step: this.chosen,
      index: head ? (this.elements?.index ?? []).map(Number) : [],
      offset: head ? Number(head.offset) : -1,
    };
    if (this.refreshed("at", JSON.stringify(at))) this.host.moved(at);
  }

  private refreshed(part: keyof typeof this.said, from: string): boolean {
    if (this.said[part] === from) return false;
    this.said[part] = from;
    return true;
  }

  private renderStep(): void {
    const focused = [...this.code.querySelectorAll("code")].indexOf(
      (this.root.getRootNode() as ShadowRoot).activeElement as HTMLElement,
    );
    this.code.replaceChildren(...listing(this.known, this.chosen));
    const beside = this.reading.beside(this.chosen);
    [...this.code.querySelectorAll("code")].forEach((line, i) => {
      const step = beside.find((step) => this.steps[step]?.line === i + 1);
      if (step === undefined) return;
      for (const [name, value] of Object.entries({
        role: "button",
        tabindex: "0",
        "aria-pressed": String(step === this.chosen),
      }))
        line.setAttribute(name, value);
      if (i === focused) line.focus();
    });
    const { code = "", lang = "en", op, ask } = this.fields;
    const words = explanation(
      ask === "yes" ? null : this.host.engine().step(encode({ code, lang, step: String(this.chosen) })),
      this.reading.wrong,
      this.point,
      ({ span, replacement }) => this.change({ code: this.reading.fixed(span[0], span[1], replacement) }),
      (op) => this.change({ op: String(op) }),
      Number(op || -1),
      this.labels,
    );
    this.why.replaceChildren(...words);
  }

  /** What is wrong with the program as a whole, in words. */
  get problems(): string[] {
    return this.reading.outline.diagnostics.map(({ reason }) => plain(reason));
  }

  private chooseRow(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    if (row) this.chooseLine([...this.code.children].indexOf(row) + 1);
  }

  private chooseLine(line: number): void {
    const step = this.reading.stepAt(line, this.chosen);
    if (step >= 0) this.choose(step);
  }

  /** An engine that another figure stopped answers nothing; what is drawn stays until there is another. */
  private readonly ask = (question: (engine: Engine) => string): string => {
    const engine = this.host.engine();
    try {
      return question(engine);
    } catch (reason) {
      this.host.failed(reason, engine);
      return "";
    }
  };

  private readonly point = (target: string, pressed?: boolean): void =>
    point(
      {
        elements: this.elements,
        hover: this.fields.hover ?? "",
        reader: (cell) =>
          this.ask((engine) => engine.reader(encode({ ...this.fields, step: String(this.chosen) }), cell)),
        light: (hover) => this.change({ hover }),
        choose: (step) => this.choose(step),
        goToLine: (line) => this.chooseLine(line),
        go: (element, hover) => this.go(element, hover),
      },
      target,
      pressed,
    );

  /** Takes the head to an element. */
  private go(element: string, hover = this.fields.hover ?? ""): void {
    this.transport.pause();
    this.change({ head: element, hover, phase: "" });
  }
}
