// <stride-scope>: a program's picture in anybody's page. What stands between its tags is shown until the engine has
// come, where it is refused, and on paper.
import texts from "virtual:words";
import { type Fields, decode, encode } from "./document";
import { h, styled } from "./dom";
import type { Engine } from "./engine";
import { type At, Figure, labelsIn } from "./figure";
import { mostBytes, unpack } from "./link";
import { png } from "./picture/png";
import { engineNow, engineStopped, sharedEngine } from "./shared_engine";
import style from "./style/element.css?inline";
import { type Labels, plain } from "./words/words";

const attributes = [
  "code",
  "src",
  "step",
  "view",
  "theme",
  "ask",
  "controls",
  "autoplay",
  "loop",
  "speed",
  "loading",
  "lang",
] as const;
const beside = new Set(["code", "why"]); // of the words of `view` those that are no figure of the picture
const themes = new Set(["light", "dark", "print"]);
/** No picture is larger (max_picture_bytes). */
const mostPictureBytes = 64 << 20;

export type { At };

// A server that only imports this has no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
let sheet: CSSStyleSheet | undefined;

export class StrideScope extends Base {
  static readonly observedAttributes: readonly string[] = attributes;

  private figure: Figure | undefined;
  private wanted: string | undefined; // by setState, until there is a figure
  private opening: Promise<void> | undefined;
  private visible: IntersectionObserver | undefined;
  private failed = false;
  private around: "light" | "dark" | undefined; // what the page has, where the browser was asked for it
  private readonly slotted = h("slot");
  private readonly program = h("pre", { part: "program", hidden: true });
  private readonly message = h("p", { part: "message", role: "status", hidden: true });
  private readonly paper = h("div", { id: "paper" });
  private readonly probe = h("span", { id: "probe" });
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [(sheet ??= styled(style))];
    root.append(this.slotted, this.program, this.message, this.paper, this.probe);
    // The colour scheme of the page has no event of its own; the colour that follows it has.
    this.probe.addEventListener("transitionend", () => this.redress());
  }

  connectedCallback(): void {
    addEventListener("beforeprint", this.toPaper);
    addEventListener("afterprint", this.fromPaper);
    if (this.figure) return this.redress();
    this.visible?.disconnect();
    if (this.getAttribute("loading") === "eager") return void this.open();
    this.visible = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.visible?.disconnect();
        void this.open();
      },
      { rootMargin: "300px" },
    );
    this.visible.observe(this);
  }

  disconnectedCallback(): void {
    removeEventListener("beforeprint", this.toPaper);
    removeEventListener("afterprint", this.fromPaper);
    this.visible?.disconnect();
    this.figure?.transport.pause();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    const { figure } = this;
    const program = name === "code" || name === "src";
    if (before === now || !this.isConnected) return;
    if (name === "loading" && now === "eager") void this.open();
    if (!figure && program && this.failed) {
      this.opening = undefined;
      void this.open();
    }
    if (!figure) return;
    if (program) return void this.reopen(this.asked());
    if (name === "step") figure.choose(Number(now ?? figure.steps.length - 1));
    if (name === "ask") figure.fields.ask = "";
    if (name === "loop" || name === "speed") this.walk(figure);
    this.dress(figure);
    this.redress();
  }

  // ---- what a page can ask

  play(): void {
    this.when((figure) => figure.transport.plays || figure.transport.toggle());
  }
  pause(): void {
    this.when((figure) => figure.transport.pause());
  }
  /** Puts the read head on an element, counted in the order of reading, of this step or of another. */
  seek(element: number | bigint, step?: number): void {
    const head = typeof element === "bigint" ? element : Number.isFinite(element) ? BigInt(Math.trunc(element)) : 0n;
    this.when((figure) => {
      figure.transport.pause();
      if (step !== undefined) figure.choose(step);
      figure.change({ head: String(head < 0n ? 0n : head), phase: "" });
    });
  }
  /** The picture as it stands, as a document of its own. */
  async toSVG(): Promise<string> {
    return this.whenOpen((figure) => figure.svg(this.scheme()));
  }
  async toBlob({ type = "image/png" } = {}): Promise<Blob> {
    const svg = await this.toSVG();
    return type === "image/svg+xml" ? new Blob([svg], { type }) : png(svg);
  }
  /** Program and view as one text: the fragment of a link. */
  getState(): string {
    return (
      this.figure?.state() ?? this.wanted ?? encode({ code: this.written ?? "", step: this.getAttribute("step") ?? "" })
    );
  }
  /** Takes what getState() gave, or the fragment of a link. */
  setState(state: string): void {
    this.wanted = String(state);
    if (this.figure) void this.reopen(this.given(this.wanted));
    else if (this.failed) this.opening = undefined;
    if (!this.figure && this.opening === undefined && this.isConnected) void this.open();
  }

  // ---- from the attributes to the figure

  /** The language of the words: the nearest `lang`. */
  private get language(): string {
    return (this.closest<HTMLElement>("[lang]")?.lang ?? "").startsWith("zh") ? "zh" : "en";
  }

  /** What is written in the page itself; nothing where `src` is to be fetched. */
  private get written(): string | undefined {
    const code = this.getAttribute("code");
    if (code !== null) return code;
    if (this.hasAttribute("src")) return undefined;
    return ((this.querySelector("pre, code") ?? this).textContent ?? "").replace(/^\s*\n|\s+$/g, "");
  }

  /** The document that the attributes ask for. */
  private async asked(): Promise<Partial<Fields>> {
    const step = this.getAttribute("step") ?? "";
    const code = this.written;
    if (code !== undefined) return { code, step };
    const src = this.getAttribute("src") ?? "";
    const unread = new Error(this.words().say("file_unread", src));
    const response = await fetch(new URL(src, this.baseURI)).catch(() => Promise.reject(unread));
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > mostPictureBytes) throw unread;
    const found = engineNow().opened(new Uint8Array(await response.arrayBuffer()), encode({ lang: this.language }));
    if ("refused" in found) throw new Error(plain(found.refused));
    if ("code" in found) return { code: found.code, step };
    const { lang: _l, theme: _t, ...rest } = decode(found.document);
    return step ? { ...rest, step } : rest;
  }

  /** The document of a link or of getState(). */
  private async given(state: string): Promise<Partial<Fields>> {
    const { text, trouble } = await unpack(state.replace(/^#/, ""));
    const problems = engineNow().problems(text).map(({ reason }) => plain(reason));
    if (trouble) problems.unshift(this.words().say(`figure_${trouble}`, String(mostBytes)));
    const fields = decode(engineNow().normalise(text));
    if (!fields.code?.trim()) throw new Error(problems.join(" ") || this.words().say("figure_link_empty"));
    if (problems.length) this.say(problems.join(" "));
    return fields;
  }

  private words(): Labels {
    return labelsIn(this.language, engineNow());
  }

  /** Whether it was not opened before: then it is opened now. */
  private open(): Promise<void> {
    return (this.opening ??= this.load().catch((reason: unknown) => this.fail(reason)));
  }

  private async load(): Promise<void> {
    this.failed = false;
    await sharedEngine().catch((reason: unknown) => {
      throw new Error((texts.without_engine?.[this.language] ?? "{0}").replace("{0}", String(reason)));
    });
    const { wanted } = this;
    const fields = await (wanted === undefined ? this.asked() : this.given(wanted));
    if (!fields.code?.trim()) throw new Error(this.words().say("no_program"));
    const figure = new Figure({
      engine: engineNow,
      theme: () => this.scheme(),
      moved: (at) => this.tell("step", at),
      failed: (reason, engine) => this.stop(reason, engine),
    });
    figure.fields = fields;
    this.figure = figure;
    this.dress(figure);
    this.walk(figure);
    this.message.before(figure.root);
    this.slotted.hidden = this.program.hidden = true;
    // All figures that are opened together are in the page before the first is measured, and all are measured before
    // the first is drawn: the browser lays the page out once.
    await Promise.resolve();
    figure.measure();
    await Promise.resolve();
    if (figure !== this.figure) return;
    figure.draw();
    if (this.failed) return;
    this.complain(figure);
    this.tell("load", { state: figure.state() });
    if (this.hasAttribute("autoplay") && !this.still.matches) this.play();
  }

  /** Another document for the figure that is there. */
  private async reopen(fields: Promise<Partial<Fields>>): Promise<void> {
    const { figure } = this;
    this.message.hidden = true;
    try {
      const next = await fields;
      if (!figure || figure !== this.figure) return;
      if (!next.code?.trim()) throw new Error(this.words().say("no_program"));
      figure.transport.pause();
      figure.fields = next;
      this.dress(figure);
      figure.draw();
      this.complain(figure);
    } catch (reason) {
      this.say(reason instanceof Error ? reason.message : String(reason));
    }
  }

  /** The attributes that choose how a document is shown. */
  private dress(figure: Figure): void {
    const view = this.getAttribute("view");
    const parts = (view ?? "code").split(/[\s,]+/).filter(Boolean);
    const figures = parts.filter((part) => !beside.has(part)).join(",");
    if (figures) figure.fields.figures = figures;
    if (this.hasAttribute("ask")) figure.fields.ask = "yes";
    const lang = this.hasAttribute("lang") ? this.language : figure.fields.lang || this.language;
    figure.fields.lang = lang;
    const controls = this.hasAttribute("controls") ? "all" : this.hasAttribute("autoplay") ? "play" : "none";
    figure.shown = { code: parts.includes("code"), why: parts.includes("why"), controls };
  }

  private walk(figure: Figure): void {
    figure.transport.loops = this.hasAttribute("loop");
    figure.transport.pace = Number(this.getAttribute("speed")) || 1;
  }

  /** Draws again in what the page around it has now. */
  private redress(): void {
    this.around = undefined;
    this.figure?.later();
  }

  /** The theme of the picture: what is asked for, else what the page around it has. */
  private scheme(): string {
    const asked = [this.getAttribute("theme"), this.figure?.fields.theme].find((theme) => theme && themes.has(theme));
    const scheme =
      asked ?? (this.around ??= getComputedStyle(this.probe).color === "rgb(255, 255, 255)" ? "dark" : "light");
    if (this.figure) this.figure.root.style.colorScheme = scheme === "dark" ? "dark" : "light";
    return scheme;
  }

  // ---- what is said

  private tell(what: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`stridescope-${what}`, { detail, bubbles: true, composed: true }));
  }

  private say(message: string): void {
    this.message.textContent = message;
    this.message.hidden = false;
    this.tell("error", { message });
  }

  /** Says what is wrong with the program as a whole and with what the attributes ask for. */
  private complain(figure: Figure): void {
    const asked = engineNow().problems(encode(figure.fields)).map(({ reason }) => plain(reason));
    const problems = [...asked, ...figure.problems];
    if (problems.length) this.say(problems.join(" "));
  }

  /** There is no figure: what the page's author wrote stays, or the program as it is. */
  private fail(reason: unknown): void {
    this.failed = true;
    this.figure?.root.remove();
    this.figure = undefined;
    this.program.textContent = this.getAttribute("code") ?? decode(this.wanted ?? "").code ?? "";
    this.program.hidden = !this.empty || !this.program.textContent;
    this.slotted.hidden = false;
    this.say(reason instanceof Error ? reason.message : String(reason));
  }

  private stop(reason: unknown, engine: Engine): void {
    const stopped = reason instanceof WebAssembly.RuntimeError;
    this.fail(stopped ? new Error(this.words().say("engine_stopped")) : reason);
    if (stopped) engineStopped(engine);
  }

  /** Whether nothing stands between the tags. */
  private get empty(): boolean {
    return !this.childElementCount && !this.textContent?.trim();
  }

  private when(then: (figure: Figure) => unknown): void {
    this.whenOpen(then).catch(() => {}); // why there is no figure was said
  }
  private async whenOpen<T>(then: (figure: Figure) => T): Promise<T> {
    await this.open();
    if (!this.figure) throw new Error(this.message.textContent ?? "");
    return then(this.figure);
  }

  // ---- paper

  /** A picture that the author gave is what is printed; else what is shown, as vectors. */
  private readonly toPaper = (): void => {
    const { figure } = this;
    if (!figure) return;
    this.toggleAttribute("data-printing", true);
    if (this.querySelector("img, svg, picture, object")) this.slotted.hidden = false;
    else this.paper.replaceChildren(...figure.printed());
  };
  private readonly fromPaper = (): void => {
    this.toggleAttribute("data-printing", false);
    this.paper.replaceChildren();
    this.slotted.hidden = Boolean(this.figure);
  };
}

if (globalThis.customElements && !customElements.get("stride-scope"))
  customElements.define("stride-scope", StrideScope);
