// The page as a function of its document. One place holds the state (`fields`); every change goes through change(),
// and the next animation frame asks the engine again for what that change can have altered.
import { Address, lasting } from "./address";
import { type Fields, decode, encode, keepSoon, remember } from "./document";
import { byId } from "./dom";
import { CodePane } from "./editor/code_pane";
import { Writing } from "./editor/writing";
import type { Beside, Elements, Fix, Step } from "./engine";
import { exchange } from "./exchange/exchange";
import { loadFaces } from "./faces";
import { preview, written } from "./hands/hand";
import type { Hands } from "./hands/hands";
import { listen } from "./keyboard";
import { mostBytes, unpack } from "./link";
import { Made } from "./made";
import { copy, mention, notice } from "./notices";
import { keepOffline } from "./offline";
import { LastPicture } from "./picture/last_picture";
import { onCanvas, onOtherScreen } from "./picture/paint";
import { point } from "./picture/point";
import { Stage } from "./picture/stage";
import { Table } from "./picture/table";
import { Transport } from "./picture/transport";
import { Place } from "./picture/travel";
import { ViewBar } from "./picture/view_bar";
import { Odometer } from "./picture/walk";
import { turn } from "./picture/wheel";
import { Rescue } from "./rescue";
import { documentOf, improve, start } from "./start";
import { Theme } from "./theme";
import { warm } from "./warm";
import { readElement, readStep, readWritten } from "./words/aloud";
import { onLanguage, speak } from "./words/language";
import { subject } from "./words/outcome";
import { Output } from "./words/output";
import { Quiz } from "./words/quiz";
import { Reading } from "./words/reading";
import { Why } from "./words/why";
import { Labels } from "./words/words";

const theme = new Theme();
const begun = await start(theme.drawn);
let { link, engine } = begun;

let fields: Partial<Fields> = {};
let labels = new Labels({});
let reading = Reading.nothing;
let step: Step | null = null; // the chosen one, whole
let elements: Elements | null = null;
let long = false; // the program is so long that the engine reads nothing of it
let instead: Partial<Fields> | null = null; // whose picture stays while a line is half typed
const writing = new Writing(schedule);
const lastPicture = new LastPicture();
type Part = "words" | "program" | "step" | "why" | "rows" | "told" | "placed" | "hands" | "elements" | "lit";
const made = new Made<Part>();

// ---- state in, state out

function open(from: typeof link): void {
  link = from;
  ({ fields, edited: writing.edited } = documentOf(link, engine));
  theme.open(decode(link.text).theme);
  setWords(fields.lang ?? "en");
  notice(link.trouble ? [labels.say(link.trouble, "65536")] : engine.problems(link.text));
}

const code = (): string => fields.code ?? "";
const steps = (): Beside[] => reading.outline.steps;
const chosen = (): number => reading.at(fields.step);

const address = new Address(() => lasting(fields, theme.written, engine));

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
    made.forgetAll();
    drawAgain();
  },
);

// ---- from the document to the page

function render(): void {
  const lang = fields.lang || "en";
  if (made.anew("words", lang + theme.chosen)) renderWords(lang);
  const typed = made.anew("program", encode({ code: code(), lang })) && read(lang);
  if (made.anew("step", String(chosen()))) {
    step = engine.step(encode({ code: reading.program, lang, step: String(chosen()) }));
    made.forget("why");
  }
  instead = lastPicture.instead(reading, step, fields.step ?? "", fields.op ?? "", writing);
  byId("stage").classList.toggle("stale", Boolean(instead));
  byId("unfinished").toggleAttribute("hidden", !instead);
  const tried = (!instead && hands?.tried) || null;
  byId("preview").toggleAttribute("hidden", !tried);
  const shown = instead ?? (tried && preview(tried));
  const { hover = "", phase = "", ...rest } = { ...fields, code: reading.program, ...shown, ask: quiz.ask };
  const still = encode({ ...rest, lang, theme: "", zoom: "", pan: "" });
  if (made.anew("elements", still)) elements = engine.elements(still);
  if (!typed) renderBeside();
  draw({ ...rest, lang, phase, hover: tried ? "" : hover }, tried !== null);
  // A key is answered by the picture; what stands beside it follows as soon as that is seen.
  typed ? setTimeout(renderRest) : renderRest();
}

/** @returns whether the program is another because of a key in the editor, whose frame is in haste */
function read(lang: string): boolean {
  const before = reading, { wanted } = writing, asked = encode({ code: code(), lang });
  reading = Reading.of(code(), engine.outline(asked), labels, before);
  if (long !== asked.length > mostBytes) notice(engine.problems(asked));
  long = asked.length > mostBytes;
  if (reading.outline !== before.outline || !pane.improved) made.forget("step");
  if (wanted.subject) fields.step = String(subject(steps()));
  else if (wanted.line) chooseLine(wanted.line);
  writing.chose();
  return wanted.line > 0 && pane.improved;
}

function draw(shown: Partial<Fields>, tried: boolean): void {
  const picture = stage.fit({ ...shown, theme: theme.drawn }, elements, tried);
  if (!picture) return;
  begun.first?.forget();
  const { hover = "", phase = "" } = shown;
  Object.assign(byId("stage").dataset, { items: picture.items, hover, phase });
  if (byId("description").textContent !== picture.description) byId("description").textContent = picture.description;
}

/** What stands beside the picture. */
function renderBeside(): void {
  if (made.anew("why", quiz.about)) renderStep();
  byId("do").toggleAttribute("inert", Boolean(instead));
  if (hands && !instead && made.anew("hands", inHand({ code: reading.program }))) hands.render();
  if (made.anew("told", made.of("elements"))) {
    for (const part of [transport, table, odometer]) part.render(elements, labels);
    if (elements && table.focused) readElement(elements, labels);
  }
  viewBar.render(fields, labels);
}

/** And what is only known once that is drawn. */
function renderRest(): void {
  renderBeside();
  if (hands && made.anew("placed", stage.drawn) && hands.drawn(!instead && !hands.tried)) {
    readWritten(step, why.headline, labels);
  }
  // The editor asks where its cursor stands, for which the browser lays out all that was written; so it comes last.
  if (reading.text === code() && made.anew("rows", made.of("why"))) pane.show(quiz.known, chosen());
  if (made.anew("lit", fields.hover ?? "")) for (const part of [pane, why]) part.light(fields.hover ?? "");
  address.later();
}

function setWords(lang: string): void {
  if (lang !== labels.lang) labels = new Labels(engine.labels(encode({ lang })), lang);
}

function renderWords(lang: string): void {
  setWords(lang);
  speak(lang, labels);
  theme.show();
  pane.setLabel(labels.say("code"), labels.say("editor_keys"));
  reading = Reading.nothing;
  made.forget("program", "hands", "elements");
}

function renderStep(): void {
  why.render(quiz.ask ? null : step, reading.wrongBeside(chosen()), Number(fields.op || -1), labels);
  output.render(quiz.known.outline.output, (at) => reading.isWithin(at, chosen()));
  quiz.render(labels);
  pane.underline(quiz.known);
  made.forget("rows", "lit");
  readStep(step, quiz.known.outcomes[chosen()], why.headline, quiz.said);
}

// ---- from the person to the document

const lightUp = (target: string): void => change({ hover: target });

const reader = (cell: string): string => engine.reader(inHand(), cell);
const pointAt = (target: string, pressed?: boolean): void =>
  point({ elements, hover: fields.hover ?? "", reader, light: lightUp, choose, goToLine, go }, target, pressed);

function choose(at: number): void {
  writing.typing = false;
  transport.pause();
  change({ step: String(at), op: "" });
}

function chooseLine(line: number): void {
  const at = reading.stepAt(line, chosen());
  const { typing, wanted } = writing;
  if (at >= 0 && at !== chosen()) choose(at);
  writing.typing = typing && wanted.line > 0; // else the cursor was moved there
}

/** The step of a line is chosen, and the keyboard is there to change it. */
function goToLine(line: number): void {
  chooseLine(line);
  pane.goTo(line);
}

function write(text: string, line: number): void {
  writing.write(text, line);
  change({ code: text });
  keepSoon("document", () => encode({ code: code(), lang: fields.lang ?? "" }));
}

/** A change made for the person, which the editor can undo. */
function rewrite(text: string): void {
  transport.pause();
  const now = steps()[chosen()];
  pane.replace(text, now && reading.lastLine(now));
  writing.typing = false;
}

const applyFix = ({ span, replacement }: Fix): void => rewrite(reading.fixed(...span, replacement));

/** Another program in place of this one: Back and Undo return to this one, and the menu keeps it if it was written
    here. */
function openProgram(text: string): void {
  if (writing.edited) remember(code());
  address.push();
  notice([]);
  change({ step: "", op: "", head: "", pan: "", phase: "", hover: "" });
  rewrite(text);
  writing.open();
}

// ---- the parts of the page

const output = new Output(choose);
const pane = new CodePane({
  onText: write,
  onLine: chooseLine,
  onStep: choose,
  onHover: (target) => target !== (fields.hover ?? "") && lightUp(target),
  onPaste(text) {
    const program = engine.pasted(encode({ code: text, lang: fields.lang ?? "" }));
    writing.paste(program || text);
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
const why = new Why({
  light: pointAt,
  fix: applyFix,
  operation: (op) => change({ op: String(op) }),
  copy: (text) => void copy(text, labels),
});
const quiz = new Quiz(() => ({ engine, fields, reading, step, chosen: chosen() }), change, choose);
const inHand = (patch: Partial<Fields> = {}): string =>
  encode({
    ...{ code: code(), step: String(chosen()), op: fields.op ?? "", lang: fields.lang ?? "", ask: quiz.ask },
    ...patch,
  });
let hands: Hands | undefined;

/** Takes the head to an element. */
function go(element: bigint | string, hover = fields.hover ?? ""): void {
  transport.pause();
  change({ head: String(element), phase: "", hover });
}
const table = new Table(
  byId("table"),
  go,
  (element) => hands?.ask(`element:${elements?.tensor.object}:${element}`),
  (from, to) => hands?.cut(from, to),
);
const odometer = new Odometer(byId("odometer"));
const transport = new Transport(byId("controls"), (head, phase) =>
  change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }),
);
const viewBar = new ViewBar(byId("view-choices"), change);
const stage = new Stage(
  () => engine,
  onCanvas(byId<HTMLCanvasElement>("canvas"), engine.frameFields),
  byId("stage"),
  schedule,
  {
    over: pointAt,
    click(target) {
      const fix = !instead && engine.fix(stage.drawn, target);
      if (fix) applyFix(fix);
    },
    twice: (target) => hands?.ask(target),
  },
  () => Math.max(0, byId("transport").offsetTop - byId("stage").offsetTop - byId("stage").offsetHeight),
);
turn(byId("stage"), {
  zoom: (steps) => steps && viewBar.zoom(steps),
  walk(level, by) {
    if (!elements?.head || !by) return;
    const element = new Place(elements).onward(level, by);
    change({ pan: String(element) });
    go(element);
  },
});

exchange({
  now: () => ({
    ...{ engine, labels, fields: { ...fields, ask: quiz.ask }, reading: quiz.known, step: quiz.ask ? null : step },
    ...{ chosen: chosen(), lasting: lasting(fields, theme.written, engine), pictured: stage.drawn },
  }),
  link: () => address.link(),
  openProgram,
  openView(code, view) {
    openProgram(code);
    if (view.step) writing.chose();
    change(view);
  },
});
listen(document, {
  undo: () => pane.undo(),
  redo: () => pane.redo(),
  line: (by) => choose(Math.max(0, Math.min(steps().length - 1, chosen() + by))),
  zoom: (by) => viewBar.zoom(by),
  head: (key) => transport.key(key),
});

onLanguage((lang) => change({ lang }));
theme.listen(schedule);
addEventListener("hashchange", async ({ newURL }) => {
  transport.pause();
  writing.typing = false;
  open(await unpack(new URL(newURL).hash)); // by now the address may hold again what was there before
  pane.open(code());
  schedule();
});

// ---- begin

open(link);
pane.open(code());
render();
document.documentElement.classList.add("ready");

function drawAgain(): void {
  stage.forget();
  schedule();
}
onOtherScreen(drawAgain);
async function improveEditor(): Promise<void> {
  await pane.improve();
  made.forget("why");
  schedule();
}
async function improveHands(): Promise<void> {
  const { Hands } = await import("./hands/hands");
  hands = new Hands({
    engine: () => engine,
    labels: () => labels,
    stage: () => stage,
    elements: () => elements,
    document: inHand,
    after: (line) => inHand(written(line)),
    redraw: schedule,
    light: lightUp,
    write(line) {
      rewrite(line.code);
      change(written(line));
      writing.chose();
    },
  });
  labels.apply(byId("do"));
  made.forget("hands");
  drawAgain();
}
// What one writes with comes before what it is written in. Canvas text is drawn with whatever face is there.
void improve(improveEditor, improveHands, () => loadFaces().then(drawAgain)).then(() => {
  warm(() => engine, fields.lang ?? "", (host) => pane.spare(host));
  keepOffline();
});
