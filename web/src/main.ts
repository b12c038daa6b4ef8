// The page as a function of its document. One place holds the state (`fields`); every change goes through change(),
// and the next animation frame asks the engine again for what that change can have altered.
import firstExample from "virtual:first-example";
import { Address } from "./address";
import { readElement, readStep, readWritten } from "./aloud";
import { CodePane } from "./code_pane";
import { type Fields, debounced, decode, encode, kept, recent, remember } from "./document";
import { afterFrame, byId } from "./dom";
import { offerEmbedding } from "./embed_dialog";
import { type Beside, type Elements, type Engine, type Fix, type Step, loadEngine } from "./engine";
import { Examples } from "./examples";
import { loadFaces } from "./faces";
import { firstPicture } from "./first";
import { forms, frameHeight } from "./forms";
import type { Hands } from "./hands";
import { offer } from "./keep";
import { listen } from "./keyboard";
import { onLanguage, ownLanguage, speak } from "./language";
import { LastPicture } from "./last_picture";
import { unpack } from "./link";
import { listing } from "./listing";
import { mention, notice } from "./notices";
import { keepOffline } from "./offline";
import { openFiles } from "./open_file";
import { subject } from "./outcome";
import { onCanvas } from "./paint";
import { printable } from "./print";
import { Reading } from "./reading";
import { Rescue } from "./rescue";
import { Stage } from "./stage";
import { Table } from "./table";
import { Theme } from "./theme";
import { Transport } from "./transport";
import { Place } from "./travel";
import { ViewBar } from "./view_bar";
import { Odometer } from "./walk";
import { turn } from "./wheel";
import { warm } from "./warm";
import { Why } from "./why";
import { Labels } from "./words";

const firstProgram = (): string => firstExample.code[ownLanguage()] ?? "";

const theme = new Theme();

let link = await unpack(location.hash);
const given = decode(link.text).code ?? decode(kept.get("document")).code;
byId<HTMLTextAreaElement>("plain-editor").value = given ?? firstProgram();
const first = given === undefined ? firstPicture(ownLanguage(), theme.drawn) : undefined;

const loading = loadEngine();
await first?.shown;
let engine: Engine = await loading.catch((reason: unknown) => {
  byId("failed").hidden = false;
  byId("failed-reason").textContent = String(reason);
  document.documentElement.classList.add("without-engine");
  throw reason;
});

let fields: Partial<Fields> = {};
let labels = new Labels({});
let wordsOf = ""; // the language of the labels
let reading = Reading.nothing;
let step: Step | null = null; // the chosen one, whole
let elements: Elements | null = null;
let instead: Partial<Fields> | null = null; // whose picture stays while a line is half typed
let edited = false; // whether the program is the person's own
let pick = false; // after the next trace, the step to show is the one that the program is about
let typing = false; // what the program is now was typed, not chosen
let rests = true; // nothing was written for a moment
let writtenLine = 0; // which the step that is shown follows; 0 when nothing was written since the last frame
let crowded = ""; // for which tensor and window a figure found no room: there the stage scrolls
const lastPicture = new LastPicture();
const said = { words: "", program: "", step: "", why: "", rows: "", told: "", placed: "", hands: "", elements: "", picture: "", lit: "" }; // what each part was last made from

// ---- state in, state out

/** Takes the document of a link, or what was kept, or the first visit's example. */
function open(from: typeof link): void {
  link = from;
  const own = decode(engine.normalise(kept.get("document"))).code ?? "";
  fields = decode(engine.normalise(link.text));
  if (fields.code && own && own !== fields.code) remember(own);
  edited = !fields.code || own === fields.code;
  if (!fields.code) fields = decode(engine.normalise(kept.get("document")));
  if (!fields.code) fields = { code: firstProgram(), step: "1" };
  theme.open(decode(link.text).theme);
  fields.lang ||= decode(link.text).lang || ownLanguage();
  setWords(fields.lang);
  notice(link.trouble ? [labels.say(link.trouble, "65536")] : engine.problems(link.text));
}

const code = (): string => fields.code ?? "";
const steps = (): Beside[] => reading.outline.steps;
const chosen = (): number => {
  const at = fields.step === undefined || fields.step === "" ? -1 : Number(fields.step);
  return at < 0 || at >= steps().length ? steps().length - 1 : at;
};

/** The document as a link holds it: without what belongs to this moment and this window. To the engine light is what a
    document without a theme has; here such a document follows the reader's own, so light is written where it was chosen. */
function lasting(): string {
  const { hover: _h, phase: _p, width: _w, height: _t, ...rest } = fields;
  return engine.normalise(encode({ ...rest, theme: theme.written })) + (theme.written === "light" ? "&theme=light" : "");
}
const address = new Address(lasting);

function change(patch: Partial<Fields>): void {
  Object.assign(fields, patch);
  schedule();
}

let due = false;
function schedule(): void {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    if (!rescue.halted) render();
  });
}

const rescue = new Rescue(
  code,
  () => {
    transport.pause();
    notice([labels.say("engine_stopped")]);
  },
  (another) => {
    engine = another;
    for (const part of Object.keys(said)) said[part as keyof typeof said] = ""; // all is made anew
  },
);

// ---- from the document to the page

function render(): void {
  const lang = fields.lang || "en";
  if (refreshed("words", lang + theme.chosen)) renderWords(lang);
  const typed = refreshed("program", encode({ code: code(), lang })) && read(lang);
  if (refreshed("step", String(chosen()))) {
    step = engine.step(encode({ code: reading.program, lang, step: String(chosen()) }));
    said.why = "";
  }
  instead = lastPicture.instead(reading, step, chosen(), fields.op ?? "", typing, rests);
  byId("stage").classList.toggle("stale", Boolean(instead));
  byId("unfinished").toggleAttribute("hidden", !instead);
  byId("do").toggleAttribute("inert", Boolean(instead));
  const { hover = "", phase = "", ...rest } = { ...fields, code: reading.program, ...instead };
  const still = encode({ ...rest, lang, theme: "" });
  if (refreshed("elements", still)) elements = engine.elements(still);
  if (!typed) renderBeside();
  draw({ ...rest, lang }, { hover, phase });
  // A key is answered by the picture; what stands beside it follows as soon as that is seen.
  typed ? afterFrame(renderRest) : renderRest();
}

/** @returns whether the program is another because of a key in the editor, whose frame is in haste */
function read(lang: string): boolean {
  const before = reading, typed = writtenLine > 0 && pane.improved;
  reading = Reading.of(code(), engine.outline(encode({ code: code(), lang })), labels, before);
  if (reading.outline !== before.outline || !pane.improved) {
    pane.underline(reading);
    said.step = "";
  }
  if (pick) fields.step = String(subject(steps()));
  else if (writtenLine) chooseLine(writtenLine);
  pick = false;
  writtenLine = 0;
  return typed;
}

function draw(still: Partial<Fields>, now: Pick<Fields, "hover" | "phase">): void {
  // A failing view has more to show than fits beside it, an open panel leaves less room; nothing of the picture is left out.
  const place = JSON.stringify([elements?.name, elements?.tensor.layout, fields.figures, innerWidth, innerHeight]);
  const fails = step?.applied.some(({ attempt, error }) => attempt && error) ?? false;
  const size = stage.size(hands?.open || crowded === place || fails);
  const tried = instead ? null : hands?.tried;
  const shown = tried ? { ...still, ...trial(tried) } : { ...still, ...now };
  const height = size.height ? String(size.height) : "";
  const moment = encode({ ...shown, theme: theme.drawn, width: String(size.width), height });
  if (!refreshed("picture", moment)) return;
  const picture = stage.draw(moment);
  if (size.height && !tried && elements && stage.lacks(fields.figures, elements)) {
    crowded = place;
    return draw(still, now);
  }
  first?.forget();
  Object.assign(byId("stage").dataset, { items: picture.items, ...now });
  if (byId("description").textContent !== picture.description) byId("description").textContent = picture.description;
}

/** What stands beside the picture. */
function renderBeside(): void {
  if (refreshed("why", encode({ step: String(chosen()), op: fields.op ?? "" }))) renderStep();
  if (hands && !instead && refreshed("hands", inHand({ code: reading.program }))) hands.render();
  if (refreshed("told", said.elements)) renderElements();
}

/** And what is only known once that is drawn. */
function renderRest(): void {
  renderBeside();
  if (hands && refreshed("placed", said.picture) && hands.drawn(!instead && !hands.tried)) {
    readWritten(step, why.headline, labels);
  }
  // The editor asks where its cursor stands, for which the browser lays out all that was written; so it comes last.
  if (reading.text === code() && refreshed("rows", said.why)) pane.show(reading, chosen());
  if (refreshed("lit", fields.hover ?? "")) for (const part of [pane, why]) part.light(fields.hover ?? "");
  address.later();
}

/** A drawn document with the program as it is written now: its comments may be newer than its picture. */
const asWritten = (shown: Partial<Fields>): Partial<Fields> => (shown.code === reading.program ? { ...shown, code: code() } : shown);

/** What the document differs in while a gesture is tried. */
const trial = ({ code, step }: { code: string; step: number }): Partial<Fields> => ({ code, step: String(step), op: "", head: "", hover: "", phase: "" });

function refreshed(part: keyof typeof said, from: string): boolean {
  if (said[part] === from) return false;
  said[part] = from;
  return true;
}

function setWords(lang: string): void {
  if (lang !== wordsOf) labels = new Labels(engine.labels(encode({ lang })));
  wordsOf = lang;
}

function renderWords(lang: string): void {
  setWords(lang);
  speak(lang, labels);
  theme.show();
  pane.setLabel(labels.say("code"));
  reading = Reading.nothing;
  said.program = said.hands = said.elements = "";
}

function renderStep(): void {
  why.render(step, reading.outline.diagnostics, Number(fields.op || -1), labels);
  said.rows = "";
  said.lit = "?";
  readStep(step, reading.outcomes[chosen()], why.headline);
}

function renderElements(): void {
  transport.render(elements, labels);
  table.render(elements, labels);
  odometer.render(elements, labels);
  viewBar.render(fields, labels);
  if (elements && table.focused) readElement(elements, labels);
}

// ---- from the person to the document

const lightUp = (target: string): void => change({ hover: target });

function choose(at: number): void {
  typing = false;
  transport.pause();
  change({ step: String(at), op: "" });
}

function chooseLine(line: number): void {
  const at = reading.stepAt(line);
  const typed = typing && writtenLine > 0;
  if (at >= 0 && at !== chosen()) choose(at);
  typing = typed;
}

const rest = debounced(1200, () => {
  rests = true;
  schedule();
});

let keepDue = false; // what was written is not kept yet
function keep(): void {
  if (!keepDue) return;
  keepDue = false;
  kept.set("document", encode({ code: code(), lang: fields.lang ?? "" }));
}

addEventListener("pagehide", keep);

function write(text: string, line: number): void {
  writtenLine = line;
  typing = edited = true;
  rests = false;
  rest.later();
  change({ code: text });
  if (!keepDue) afterFrame(keep);
  keepDue = true;
}

/** A change made for the person, which the editor can undo. */
function rewrite(text: string): void {
  transport.pause();
  const now = steps()[chosen()];
  pane.replace(text, now && reading.lastLine(now));
  typing = false;
}

const applyFix = ({ span, replacement }: Fix): void => rewrite(reading.fixed(...span, replacement));

/** Another program in place of this one: Back and Undo both return to this one, and the menu keeps it if it was written here. */
function openProgram(text: string): void {
  if (edited) remember(code());
  address.push();
  notice([]);
  change({ step: "", op: "", head: "", phase: "", hover: "" });
  rewrite(text);
  edited = false;
  pick = true;
  writtenLine = 0;
}

const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text).then(() => mention(labels.say("copied")), () => mention(labels.say("not_copied")));

// ---- the parts of the page

const pane = new CodePane({
  onText: write,
  onLine: chooseLine,
  onStep: choose,
  onHover: (target) => target !== (fields.hover ?? "") && lightUp(target),
  onPaste(text) {
    const program = engine.pasted(encode({ code: text, lang: fields.lang ?? "" }));
    if (!program || program === text) return undefined;
    mention(labels.say("turned_into_program"));
    return program;
  },
  onFix: applyFix,
  advice: {
    complete: (text, position) => engine.complete(encode({ code: text, lang: fields.lang ?? "" }), position),
    signatureHelp: (text, position) => engine.signatureHelp(encode({ code: text, lang: fields.lang ?? "" }), position),
  },
});
const why = new Why({ light: lightUp, fix: applyFix, operation: (op) => change({ op: String(op) }), copy: (text) => void copy(text) });
const inHand = (patch: Partial<Fields> = {}): string => encode({ code: code(), step: String(chosen()), op: fields.op ?? "", lang: fields.lang ?? "", ...patch });
let hands: Hands | undefined;
const ask = (target: string): unknown => elements && hands?.ask(elements, target);

/** Takes the head to an element. */
function go(element: bigint | string, hover = fields.hover ?? ""): void {
  transport.pause();
  change({ head: String(element), phase: "", hover });
}
const table = new Table(byId("table"), go, (element) => ask(`element:${elements?.tensor.object}:${element}`));
const odometer = new Odometer(byId("odometer"));
const transport = new Transport(byId("controls"), (head, phase) => change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }));
const viewBar = new ViewBar(byId("view-choices"), change);
const stage = new Stage(() => engine, onCanvas(byId<HTMLCanvasElement>("canvas"), engine.frameFields), byId("stage"), schedule, (target, pressed) => {
  const [kind, object, number = ""] = target.split(":");
  const ours = pressed && kind === "element" && Number(object) === elements?.tensor.object;
  const element = ours ? number : pressed && kind === "cell" ? engine.reader(inHand(), target) : "";
  if (element) go(element, target);
  else if (target !== (fields.hover ?? "")) lightUp(target);
}, ask);
turn(byId("stage"), {
  zoom: (steps) => steps && viewBar.zoom(steps),
  walk(level, by) {
    if (!elements?.head || !by) return;
    const element = new Place(elements).onward(level, by);
    change({ pan: String(element) });
    go(element);
  },
});

printable(
  () => engine.svg(encode({ ...fields, hover: "", phase: "", theme: "print", width: "", height: "" })),
  () => listing(reading, chosen()),
  () => ({ step, labels }),
);
offer({
  link: () => address.link(),
  python: () => engine.assertions(encode({ code: code() })),
  svg: () => engine.svg(encode(asWritten(decode(said.picture)))),
  code, copy,
});
offerEmbedding(
  () => labels,
  async () => {
    const { title, height } = engine.frame(encode({ ...decode(lasting()), width: "92000" }));
    return forms(await address.link(), decode(lasting()), title, frameHeight(code().split("\n").length, steps().length, Math.ceil(height / 100)));
  },
);
openFiles({
  labels: () => labels,
  read: (bytes) => engine.opened(bytes, encode({ lang: fields.lang ?? "" })),
  program(text, name) {
    openProgram(text);
    mention(labels.say("file_opened", name));
  },
  figure(text, name) {
    const { code: program = "", theme: _t, lang: _l, ...view } = decode(text);
    openProgram(program);
    if (view.step) pick = false;
    change(view);
    mention(labels.say("file_opened", name));
  },
  refuse: (reason) => notice([reason]),
});
new Examples(() => ({ labels, lang: fields.lang || "en" }), recent, openProgram);
listen({
  undo: () => pane.undo(),
  redo: () => pane.redo(),
  line: (by) => choose(Math.max(0, Math.min(steps().length - 1, chosen() + by))),
  zoom: (by) => viewBar.zoom(by),
  head: (key) => transport.key(key),
});

onLanguage((lang) => change({ lang }));
theme.listen(schedule);
addEventListener("hashchange", async () => {
  transport.pause();
  typing = false;
  open(await unpack(location.hash));
  pane.open(code());
  schedule();
});

// ---- begin

open(link);
pane.open(code());
render();
document.documentElement.classList.add("ready");

async function improveEditor(): Promise<void> {
  await pane.improve();
  pane.underline(reading);
  said.why = "";
  schedule();
}
async function improveHands(): Promise<void> {
  const { Hands } = await import("./hands");
  hands = new Hands({
    engine: () => engine,
    labels: () => labels,
    stage: () => stage,
    document: inHand,
    after: (line) => inHand(trial(line)),
    redraw: schedule,
    light: lightUp,
    write(line) {
      rewrite(line.code);
      change(trial(line));
      writtenLine = 0;
    },
  });
  labels.apply(byId("do"));
  said.hands = said.picture = "";
  schedule();
}
/** Canvas text is drawn with whatever face is there; with the right ones the picture is made again. */
async function improveLetters(): Promise<void> {
  await loadFaces();
  said.picture = "";
  schedule();
}
// Everything else comes after the first picture, what one writes with before what it is written in.
const later = (better: () => Promise<void>): Promise<void> => new Promise((done) => setTimeout(done)).then(better).catch(console.warn);
requestAnimationFrame(() => requestAnimationFrame(() => void Promise.all([improveEditor, improveHands, improveLetters].map(later)).then(() => {
  warm(() => engine, fields.lang ?? "");
  keepOffline();
})));
