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
const programs = new Set(["code", "src"]);
const beside = new Set(["code", "why"]); // of the words of `view` those that are no figure of the picture
const themes = new Set(["light", "dark", "print"]);
/** No picture is larger (max_picture_bytes). */
const mostPictureBytes = 64 << 20;

export type { At };

/** A document, and what was wrong with it as it was given. */
interface Asked {
  fields: Partial<Fields>;
  problems: string[];
}

const inWords = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

// A server that only imports this has no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
let sheet: CSSStyleSheet | undefined;

export class StrideScope extends Base {
  static readonly observedAttributes: readonly string[] = attributes;

  private figure: Figure | undefined;
  private wanted: string | undefined; // by setState, rather than by the attributes
  private opening: Promise<void> | undefined; // of what was asked for last, once anything was
  private requests = 0;
  private missed = new Set<string>(); // attributes that changed while it stood in no page
  private visible: IntersectionObserver | undefined;
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
    this.follow([...this.missed]);
    this.missed.clear();
    if (this.opening) return;
    if (this.getAttribute("loading") === "eager") return void this.open();
    if (this.getAttribute("loading") === "state") return; // what stands here is no program: setState() says what is
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
    if (before === now) return;
    if (programs.has(name)) this.wanted = undefined;
    if (this.isConnected) this.follow([name]);
    else this.missed.add(name);
  }

  /** Does what other attributes ask for. */
  private follow(changed: string[]): void {
    if (changed.includes("loading") && this.getAttribute("loading") === "eager") void this.open();
    const { figure } = this;
    if (figure && (changed.includes("loop") || changed.includes("speed"))) this.walk(figure);
    if (this.opening && changed.some((name) => programs.has(name))) return this.reopen();
    if (!figure) return;
    if (changed.includes("step")) figure.choose(Number(this.getAttribute("step") ?? figure.steps.length - 1));
    if (changed.includes("ask")) figure.fields.ask = "";
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
    if (this.opening || this.isConnected) this.reopen();
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
  private async asked(): Promise<Asked> {
    const step = this.getAttribute("step") ?? "";
    const code = this.written;
    if (code !== undefined) return { fields: { code, step }, problems: [] };
    const src = this.getAttribute("src") ?? "";
    const unread = new Error(this.words().say("file_unread", src));
    const response = await fetch(new URL(src, this.baseURI)).catch(() => Promise.reject(unread));
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > mostPictureBytes) throw unread;
    const found = engineNow().opened(new Uint8Array(await response.arrayBuffer()), encode({ lang: this.language }));
    if ("refused" in found) throw new Error(plain(found.refused));
    if ("code" in found) return { fields: { code: found.code, step }, problems: [] };
    const { lang: _l, theme: _t, ...rest } = decode(found.document);
    return { fields: step ? { ...rest, step } : rest, problems: [] };
  }

  /** The document of a link or of getState(). */
  private async given(state: string): Promise<Asked> {
    const { text, trouble } = await unpack(state.replace(/^#/, ""));
    const problems = engineNow().problems(text).map(({ reason }) => plain(reason));
    if (trouble) problems.unshift(this.words().say(`figure_${trouble}`, String(mostBytes)));
    const fields = decode(engineNow().normalise(text));
    if (!fields.code?.trim()) throw new Error(problems.join(" ") || this.words().say("figure_link_empty"));
    return { fields, problems };
  }

  private words(): Labels {
    return labelsIn(this.language, engineNow());
  }

  /** Opens what is asked for, unless that was done. */
  private open(): Promise<void> {
    return (this.opening ??= this.load());
  }

  /** Something else is asked for: it takes the place of what is shown, and of what is still on its way. */
  private reopen(): void {
    this.visible?.disconnect();
    this.opening = this.load();
  }

  private async load(): Promise<void> {
    const request = ++this.requests;
    const late = (): boolean => request !== this.requests; // then the newest is waited for instead
    this.message.hidden = true;
    let engine: Engine | undefined;
    try {
      engine = await sharedEngine().catch((reason: unknown) => {
        throw new Error((texts.without_engine?.[this.language] ?? "{0}").replace("{0}", String(reason)));
      });
      if (late()) return this.opening;
      const asked = await (this.wanted === undefined ? this.asked() : this.given(this.wanted));
      if (late()) return this.opening;
      if (!asked.fields.code?.trim()) throw new Error(this.words().say("no_program"));
      await (this.figure ? this.change(this.figure, asked) : this.begin(asked));
    } catch (reason) {
      if (late()) return this.opening;
      if (reason instanceof WebAssembly.RuntimeError && engine) this.stop(reason, engine);
      else if (this.figure) this.say(inWords(reason));
      else this.fail(reason);
    }
  }

  private async begin({ fields, problems }: Asked): Promise<void> {
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
    if (!(await this.drawn(figure))) return;
    this.complain(figure, problems);
    this.tell("load", { state: figure.state() });
    if (this.hasAttribute("autoplay") && !this.still.matches) this.play();
  }

  /** Another document for the figure that is there. */
  private async change(figure: Figure, { fields, problems }: Asked): Promise<void> {
    figure.transport.pause();
    figure.fields = fields;
    this.dress(figure);
    if (await this.drawn(figure)) this.complain(figure, problems);
  }

  /** Draws a figure, once more where another one had stopped the engine. @returns whether it has a picture */
  private async drawn(figure: Figure): Promise<boolean> {
    while (figure === this.figure) {
      if (figure.draw()) return true;
      await sharedEngine();
    }
    return false;
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

  /** Says what is wrong with the document that was asked for, with the attributes and with the program as a whole. */
  private complain(figure: Figure, asked: string[]): void {
    const attributes = engineNow().problems(encode(figure.fields)).map(({ reason }) => plain(reason));
    const problems = [...asked, ...attributes, ...figure.problems];
    if (problems.length) this.say(problems.join(" "));
  }

  /** There is no figure: what the page's author wrote stays, or the program as it is. */
  private fail(reason: unknown): void {
    this.figure?.root.remove();
    this.figure = undefined;
    const code = this.wanted === undefined ? this.getAttribute("code") : decode(this.wanted).code;
    this.program.textContent = code ?? "";
    this.program.hidden = !this.empty || !this.program.textContent;
    this.slotted.hidden = false;
    this.say(inWords(reason));
  }

  /** Who stopped the engine is not drawn again; who only met it stopped waits for the other one. */
  private stop(reason: unknown, engine: Engine): void {
    if (!(reason instanceof WebAssembly.RuntimeError)) this.fail(reason);
    else if (engineStopped(engine)) this.fail(texts.engine_stopped?.[this.language]);
    else if (this.figure) sharedEngine().then(() => this.figure?.later(), (refused: unknown) => this.fail(refused));
    else this.reopen();
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
    if (this.figure) await sharedEngine(); // another one may be on its way
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
