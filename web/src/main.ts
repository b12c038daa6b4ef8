// The page as a function of its document. One place holds the state (`fields`); every change goes through change(),
// and the next animation frame asks the engine again for what that change can have altered.
import firstExample from "virtual:first-example";
import { Address } from "./address";
import { CodePane } from "./code_pane";
import { type Fields, decode, encode, kept, recent, remember } from "./document";
import { byId } from "./dom";
import { offerEmbedding } from "./embed_dialog";
import { type Elements, type Engine, type Fix, type Step, loadEngine } from "./engine";
import { Examples } from "./examples";
import { loadFaces } from "./faces";
import { firstPicture } from "./first";
import { forms, frameHeight } from "./forms";
import { Hands } from "./hands";
import { offer } from "./keep";
import { listen } from "./keyboard";
import { unpack } from "./link";
import { listing } from "./listing";
import { announce, mention, notice } from "./notices";
import { keepOffline } from "./offline";
import { openFiles } from "./open_file";
import { subject } from "./outcome";
import { printable } from "./print";
import { Reading } from "./reading";
import { Rescue } from "./rescue";
import { Stage } from "./stage";
import { Table } from "./table";
import { Transport } from "./transport";
import { ViewBar } from "./view_bar";
import { Odometer } from "./walk";
import { Why } from "./why";
import { Labels } from "./words";

const ownLanguage = (): string => kept.get("lang") || (navigator.language.startsWith("zh") ? "zh" : "en");
const firstProgram = (): string => firstExample.code[ownLanguage()] ?? "";

const dark = matchMedia("(prefers-color-scheme: dark)");
const ownTheme = (): string => kept.get("theme") || "auto";
const shade = (chosen: string): string => (chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen);

let link = await unpack(location.hash);
const given = decode(link.text).code ?? decode(kept.get("document")).code;
byId<HTMLTextAreaElement>("plain-editor").value = given ?? firstProgram();
const forgetFirst = given === undefined ? firstPicture(ownLanguage(), shade(ownTheme())) : undefined;

let engine: Engine = await loadEngine().catch((reason: unknown) => {
  byId("failed").hidden = false;
  byId("failed-reason").textContent = String(reason);
  document.documentElement.classList.add("without-engine");
  throw reason;
});

let fields: Partial<Fields> = {};
let theme = "auto";
let labels = new Labels({});
let reading = Reading.nothing;
let elements: Elements | null = null;
let edited = false; // whether the program is the person's own
let pick = false; // after the next trace, the step to show is the one that the program is about
let typing = false; // what the program is now was typed, not chosen
let writtenLine = 0; // which the step that is shown follows; 0 when nothing was written since the last frame
let crowded = ""; // in which program and window the grid found no room: there the stage scrolls
let good: Partial<Fields> | null = null; // the last that had a picture: it stays while a line is half typed
const said = { words: "", trace: "", why: "", hands: "", elements: "", picture: "", lit: "" }; // what each part was last made from

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
  theme = fields.theme || ownTheme();
  fields.lang ||= decode(link.text).lang || ownLanguage();
  labels = new Labels(engine.labels(encode({ lang: fields.lang })));
  notice(link.trouble ? [labels.say(link.trouble, "65536")] : engine.problems(link.text));
}

const code = (): string => fields.code ?? "";
const steps = (): Step[] => reading.trace.steps;
const chosen = (): number => {
  const step = fields.step === undefined || fields.step === "" ? -1 : Number(fields.step);
  return step < 0 || step >= steps().length ? steps().length - 1 : step;
};

/** The document as a link holds it: without what belongs to this moment and this window. */
function lasting(): string {
  const { hover: _h, phase: _p, width: _w, height: _t, ...rest } = fields;
  return engine.normalise(encode({ ...rest, theme: theme === "auto" ? "" : theme }));
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

/** All is made anew at the next frame. */
function forget(): void {
  for (const part of Object.keys(said)) said[part as keyof typeof said] = "";
}

const rescue = new Rescue(
  code,
  () => {
    transport.pause();
    notice([labels.say("engine_stopped")]);
  },
  (another) => {
    engine = another;
    forget();
  },
);

// ---- from the document to the page

function render(): void {
  const lang = fields.lang || "en";
  const themed = shade(theme);
  const source = encode({ code: code(), lang });
  if (refreshed("words", lang + theme)) renderWords(lang, source);
  if (refreshed("trace", source)) {
    const before = reading;
    reading = Reading.of(code(), engine.trace(source), labels, before);
    if (reading.trace !== before.trace || !pane.improved) {
      pane.underline(reading);
      said.why = "";
    }
    if (pick) fields.step = String(subject(steps()));
    else if (writtenLine) chooseLine(writtenLine);
    pick = false;
    writtenLine = 0;
  }
  const before = unfinished() ? good : null;
  byId("stage").classList.toggle("stale", Boolean(before));
  byId("unfinished").hidden = !before;
  byId("do").inert = Boolean(before);
  const { hover = "", phase = "", ...rest } = { ...fields, ...(before ? { ...before, hover: "", phase: "", head: "" } : {}) };
  const still = encode({ ...rest, lang, theme: "" });
  if (refreshed("why", encode({ step: String(chosen()), op: fields.op ?? "" }))) renderStep();
  if (!before && refreshed("hands", inHand())) hands.render();
  if (refreshed("elements", still)) {
    elements = engine.elements(still);
    renderElements();
    viewBar.render(fields, labels);
  }
  if (refreshed("lit", hover)) light(hover);
  // A failing view has more to show than fits beside it, an open panel leaves less room; nothing of the picture is left out.
  const place = encode({ code: code(), step: String(chosen()), width: String(innerWidth), height: String(innerHeight) });
  const size = stage.size(hands.open || crowded === place || (steps()[chosen()]?.applied.some(({ attempt, error }) => attempt && error) ?? false));
  const tried = before ? null : hands.tried;
  const shown = tried ? { ...rest, ...trial(tried) } : { ...rest, hover, phase };
  const moment = encode({ ...shown, lang, theme: themed, width: String(size.width), height: size.height ? String(size.height) : "" });
  if (refreshed("picture", moment)) {
    const picture = stage.draw(moment);
    if (size.height && !tried && elements?.head && (fields.figures || "grid").includes("grid") && !stage.places(`tensor:${elements.tensor.object}`).length) {
      crowded = place;
      return render();
    }
    forgetFirst?.();
    if (hands.drawn(!tried && !before)) announceWritten();
    Object.assign(byId("stage").dataset, { items: picture.items, hover, phase });
    if (byId("description").textContent !== picture.description) byId("description").textContent = picture.description;
  }
  address.later();
}

/** Whether the chosen line was just typed and comes to nothing yet. A view that fails has a picture of its own. */
function unfinished(): boolean {
  const step = steps()[chosen()];
  const uncalled = Boolean(step?.value && step.text.endsWith("." + step.value)); // x.permute
  const fails = step ? uncalled || (Boolean(step.error) && !step.applied.some(({ attempt, error }) => attempt && error)) : reading.trace.diagnostics.length > 0;
  if (!fails) good = { code: code(), step: String(chosen()), op: fields.op ?? "" };
  return fails && typing && good !== null;
}

/** What the document differs in while a gesture is tried. */
const trial = ({ code, step }: { code: string; step: number }): Partial<Fields> => ({ code, step: String(step), op: "", head: "", hover: "", phase: "" });

function refreshed(part: keyof typeof said, from: string): boolean {
  if (said[part] === from) return false;
  said[part] = from;
  return true;
}

function renderWords(lang: string, text: string): void {
  labels = new Labels(engine.labels(text));
  const root = document.documentElement;
  root.lang = lang === "zh" ? "zh-Hans" : "en";
  root.dataset.theme = theme;
  labels.apply(document);
  byId<HTMLSelectElement>("language").value = lang;
  byId<HTMLSelectElement>("theme").value = theme;
  pane.setLabel(labels.say("code"));
  reading = Reading.nothing;
  said.trace = said.hands = said.elements = "";
  byId<HTMLAnchorElement>("reference").href = `docs/operations${lang === "zh" ? ".zh" : ""}.html`;
}

function renderStep(): void {
  why.render(reading, chosen(), Number(fields.op || -1), labels);
  pane.show(reading, chosen());
  said.lit = "?";
  const step = steps()[chosen()], row = reading.outcomes[chosen()];
  announce(step && row ? `${step.text}: ${row.text} ${row.markText}. ${why.headline}` : why.headline);
}

/** After a gesture: the line it wrote, and what changed with it. */
function announceWritten(): void {
  const step = steps()[chosen()];
  const names = step?.changed.map(({ name }) => name) ?? [];
  announce([labels.say("wrote", step?.text ?? ""), names.length > 1 ? labels.say("aliases_changed", names.join(", ")) : "", why.headline].filter(Boolean).join(". "));
}

function renderElements(): void {
  transport.render(elements, labels);
  table.render(elements, labels);
  odometer.render(elements, labels);
  if (!elements?.head) return;
  const { head, name, index } = elements;
  if (table.focused) announce(labels.say("element", `${name}[${index.join(", ")}]`, head.value, head.offset));
}

/** What is pointed at in the picture is lit in the words and under the lines, too. */
function light(target: string): void {
  pane.light(target);
  why.light(target);
}

// ---- from the person to the document

const lightUp = (target: string): void => change({ hover: target });

function choose(step: number): void {
  typing = false;
  transport.pause();
  change({ step: String(step), op: "" });
}

function chooseLine(line: number): void {
  const step = reading.stepAt(line);
  const typed = typing && writtenLine > 0;
  if (step >= 0 && step !== chosen()) choose(step);
  typing = typed;
}

function write(text: string, line: number): void {
  writtenLine = line;
  typing = edited = true;
  kept.set("document", encode({ code: text, lang: fields.lang ?? "" }));
  change({ code: text });
}

/** A change made for the person, which the editor can undo. */
function rewrite(text: string): void {
  transport.pause();
  const step = steps()[chosen()];
  pane.replace(text, step && reading.lastLine(step));
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

function pasted(text: string): string | undefined {
  const program = engine.pasted(encode({ code: text, lang: fields.lang ?? "" }));
  if (!program || program === text) return undefined;
  mention(labels.say("turned_into_program"));
  return program;
}

// ---- the parts of the page

const pane = new CodePane({
  onText: write,
  onLine: chooseLine,
  onStep: choose,
  onHover: (target) => target !== (fields.hover ?? "") && lightUp(target),
  onPaste: pasted,
  onFix: applyFix,
  advice: {
    complete: (text, position) => engine.complete(encode({ code: text, lang: fields.lang ?? "" }), position),
    signatureHelp: (text, position) => engine.signatureHelp(encode({ code: text, lang: fields.lang ?? "" }), position),
  },
});
const why = new Why({ light: lightUp, fix: applyFix, operation: (op) => change({ op: String(op) }), copy: (text) => void copy(text) });
const inHand = (patch: Partial<Fields> = {}): string => encode({ code: code(), step: String(chosen()), op: fields.op ?? "", lang: fields.lang ?? "", ...patch });
const hands = new Hands({
  engine: () => engine,
  labels: () => labels,
  stage: () => stage,
  document: inHand,
  after: (line) => inHand(trial(line)),
  redraw: schedule,
  light: (target) => lightUp(target),
  write(line) {
    rewrite(line.code);
    change(trial(line));
    writtenLine = 0;
  },
});
const ask = (target: string): unknown => elements && hands.ask(elements, target);

const table = new Table(byId("table"), (element) => change({ head: String(element), phase: "" }), (element) => ask(`element:${elements?.tensor.object}:${element}`));
const odometer = new Odometer(byId("odometer"));
const transport = new Transport(byId("controls"), (head, phase) => change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }));
const viewBar = new ViewBar(byId("view-choices"), change);
const stage = new Stage(() => engine, byId<HTMLCanvasElement>("canvas"), byId("stage"), schedule, (target, pressed) => {
  const [kind, object, number] = target.split(":");
  if (pressed && kind === "element" && number !== undefined && Number(object) === elements?.tensor.object) {
    transport.pause();
    change({ head: number, hover: target, phase: "" });
  } else if (target !== (fields.hover ?? "")) change({ hover: target });
}, ask);

const svgOf = (themed: string): string => engine.svg(encode({ ...fields, hover: "", phase: "", theme: themed, width: "", height: "" }));
printable(
  () => svgOf("print"),
  () => listing(reading, chosen()),
  () => ({ step: steps()[chosen()], labels }),
);
offer({
  link: () => address.link(),
  code,
  python: () => engine.assertions(encode({ code: code() })),
  svg: () => engine.svg(said.picture),
  copy,
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
  head: (key) => transport.key(key),
});

byId<HTMLSelectElement>("language").addEventListener("change", (event) => {
  const lang = (event.target as HTMLSelectElement).value;
  kept.set("lang", lang);
  change({ lang });
});
byId<HTMLSelectElement>("theme").addEventListener("change", (event) => {
  theme = (event.target as HTMLSelectElement).value;
  kept.set("theme", theme);
  schedule();
});
dark.addEventListener("change", schedule);
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
/** Canvas text is drawn with whatever face is there; with the right ones the picture is made again. */
async function improveLetters(): Promise<void> {
  await loadFaces();
  said.picture = "";
  schedule();
}
// Everything else comes after the first picture.
requestAnimationFrame(() =>
  requestAnimationFrame(() => void Promise.all([improveEditor(), improveLetters()].map((better) => better.catch(console.warn))).then(keepOffline)),
);
