// The page as a function of its document. One place holds the state (`fields`); every change goes through change(),
// and the next animation frame asks the engine again for what that change can have altered.
import firstExample from "virtual:first-example";
import { type Fields, debounced, decode, encode, kept, recent, remember } from "./document";
import { byId, h } from "./dom";
import type { Editor } from "./editor";
import { type Elements, type Engine, type Fix, type Step, type Trace, loadEngine } from "./engine";
import { Examples } from "./examples";
import { explanation } from "./explanation";
import { loadFaces } from "./faces";
import { Hands } from "./hands";
import { offer } from "./keep";
import { pack, unpack } from "./link";
import { listing } from "./listing";
import { notations } from "./notations";
import { announce, mention, notice } from "./notices";
import { keepOffline } from "./offline";
import { type Outcome, outcome, subject } from "./outcome";
import { printable } from "./print";
import { indexOfByte } from "./spans";
import { Stage } from "./stage";
import { Table } from "./table";
import { Transport } from "./transport";
import { ViewBar } from "./view_bar";
import { Odometer } from "./walk";
import { Labels, plain, related } from "./words";

const plainEditor = byId<HTMLTextAreaElement>("plain-editor");
const ownLanguage = (): string => kept.get("lang") || (navigator.language.startsWith("zh") ? "zh" : "en");
const firstProgram = (): string => firstExample.code[ownLanguage()] ?? "";

let link = await unpack(location.hash);
plainEditor.value = decode(link.text).code ?? decode(kept.get("document")).code ?? firstProgram();

let engine: Engine = await loadEngine().catch((reason: unknown) => {
  byId("failed").hidden = false;
  byId("failed-reason").textContent = String(reason);
  document.documentElement.classList.add("without-engine");
  throw reason;
});

const dark = matchMedia("(prefers-color-scheme: dark)");
let fields: Partial<Fields> = {};
let theme = "auto";
let labels = new Labels({});
const untold: Trace = { diagnostics: [], steps: [] };
let trace = untold;
let outcomes: Outcome[] = [];
let elements: Elements | null = null;
let editor: Editor | undefined;
let toIndex = indexOfByte("");
let edited = false; // whether the program is the person's own
let pick = false; // after the next trace, the step to show is the one that the program is about
let typing = false; // what the program is now was typed, not chosen
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
  theme = fields.theme || kept.get("theme") || "auto";
  fields.lang ||= decode(link.text).lang || ownLanguage();
  labels = new Labels(engine.labels(encode({ lang: fields.lang })));
  notice(link.trouble ? [labels.say(link.trouble, "65536")] : engine.problems(link.text));
}

const keep = debounced(300, async () => {
  const text = engine.normalise(lasting());
  const packed = await pack(text);
  if (text === engine.normalise(lasting())) history.replaceState(null, "", "#" + packed);
});

/** The address holds the document now, before anything else happens to it. */
const stay = (): void => history.replaceState(null, "", "#" + engine.normalise(lasting()));

const code = (): string => fields.code ?? "";
const chosen = (): number => {
  const step = fields.step === undefined || fields.step === "" ? -1 : Number(fields.step);
  return step < 0 || step >= trace.steps.length ? trace.steps.length - 1 : step;
};

/** The document as a link holds it: without what belongs to this moment and this window. */
function lasting(): string {
  const { hover: _h, phase: _p, width: _w, height: _t, ...rest } = fields;
  return encode({ ...rest, theme: theme === "auto" ? "" : theme });
}

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
    if (halted === undefined || halted !== code()) render();
  });
}

let halted: string | undefined; // the program that the engine stopped on
/** An engine that ran out of memory is gone for good; another one takes over, and leaves alone what stopped the first. */
function revive(event: Event, reason: unknown): void {
  if (!(reason instanceof WebAssembly.RuntimeError)) return;
  event.preventDefault();
  if (halted === code()) return;
  halted = code();
  transport.pause();
  notice([labels.say("engine_stopped")]);
  void loadEngine().then((another) => {
    engine = another;
    for (const part of Object.keys(said)) said[part as keyof typeof said] = "";
  });
}
addEventListener("error", (event) => revive(event, event.error));
addEventListener("unhandledrejection", (event) => revive(event, event.reason));

// ---- from the document to the page

function render(): void {
  const lang = fields.lang || "en";
  const themed = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  const source = encode({ code: code(), lang });
  if (refreshed("words", lang + theme)) renderWords(lang, source);
  if (refreshed("trace", source)) {
    const before = trace;
    trace = engine.trace(source);
    toIndex = indexOfByte(code());
    if (trace !== before || !editor) {
      outcomes = trace.steps.map((step) => outcome(step, labels));
      problems = lints();
      said.why = "";
    }
    if (pick) fields.step = String(subject(trace.steps));
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
  const size = stage.size(hands.open || crowded === place || (trace.steps[chosen()]?.applied.some(({ attempt, error }) => attempt && error) ?? false));
  const tried = before ? null : hands.tried;
  const shown = tried ? { ...rest, ...trial(tried) } : { ...rest, hover, phase };
  const moment = encode({ ...shown, lang, theme: themed, width: String(size.width), height: size.height ? String(size.height) : "" });
  if (refreshed("picture", moment)) {
    const picture = stage.draw(moment);
    if (size.height && !tried && elements?.head && (fields.figures || "grid").includes("grid") && !stage.places(`tensor:${elements.tensor.object}`).length) {
      crowded = place;
      return render();
    }
    if (hands.drawn(!tried && !before)) announceWritten();
    Object.assign(byId("stage").dataset, { items: picture.items, hover, phase });
    if (byId("description").textContent !== picture.description) byId("description").textContent = picture.description;
  }
  keep.later();
}

/** Whether the chosen line was just typed and comes to nothing yet. A view that fails has a picture of its own. */
function unfinished(): boolean {
  const step = trace.steps[chosen()];
  const uncalled = Boolean(step?.value && step.text.endsWith("." + step.value)); // x.permute
  const fails = step ? uncalled || (Boolean(step.error) && !step.applied.some(({ attempt, error }) => attempt && error)) : trace.diagnostics.length > 0;
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
  editor?.setLabel(labels.say("code"));
  trace = untold;
  said.trace = said.hands = said.elements = "";
  byId<HTMLAnchorElement>("reference").href = `docs/operations${lang === "zh" ? ".zh" : ""}.html`;
}

let problems: ReturnType<typeof lints> | undefined; // which the editor has not been told yet
const lints = () =>
  [...trace.diagnostics, ...trace.steps.flatMap(({ error }) => error ?? [])].map(({ span, reason, raised, hints }) => ({
    from: toIndex(span[0]),
    to: Math.max(toIndex(span[1]), toIndex(span[0])),
    severity: "error" as const,
    message: plain(reason),
    renderMessage: () => h("span", {}, ...(raised ? [h("code", {}, raised.text ? `${raised.type}: ${raised.text}` : raised.type)] : []), plain(reason)),
    actions: hints.flatMap(({ text, fix }) => (fix ? [{ name: plain(text), apply: () => applyFix(fix) }] : [])),
  }));

function renderStep(): void {
  const step = trace.steps[chosen()];
  const parts = explanation(step, trace.diagnostics, lightUp, applyFix, (op) => change({ op: String(op) }), Number(fields.op || -1));
  byId("explanation").replaceChildren(...parts);
  byId("why").classList.toggle("nothing", parts.length === 0);
  const words = step?.notations ?? [];
  byId("other-words").hidden = words.length === 0;
  byId("notations").replaceChildren(...notations(words, labels, lightUp, (text) => void copy(text)));
  if (editor) {
    editor.show(trace.steps.map((one, number) => ({ from: toIndex(one.span[0]), to: toIndex(one.span[1]), outcome: outcomes[number] as Outcome, current: number === chosen() })), problems);
    problems = undefined;
  } else {
    byId("listing").replaceChildren(...listing(code(), trace.steps, outcomes, lastLine, chosen()));
  }
  said.lit = "?";
  const headline = byId("explanation").querySelector(".headline")?.textContent ?? "";
  const row = outcomes[chosen()];
  announce(step && row ? `${step.text}: ${row.text} ${row.markText}. ${headline}` : headline);
}

/** After a gesture: the line it wrote, and what changed with it. */
function announceWritten(): void {
  const step = trace.steps[chosen()];
  const names = step?.changed.map(({ name }) => name) ?? [];
  const headline = byId("explanation").querySelector(".headline")?.textContent ?? "";
  announce([labels.say("wrote", step?.text ?? ""), names.length > 1 ? labels.say("aliases_changed", names.join(", ")) : "", headline].filter(Boolean).join(". "));
}

const lastLine = (step: Step): number => code().slice(0, toIndex(step.span[1])).split("\n").length;

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
  editor?.light(target);
  for (const word of document.querySelectorAll<HTMLElement>("#explanation .word, #listing .outcome")) word.classList.toggle("lit", related(target, word.dataset.target ?? ""));
}

// ---- from the person to the document

const lightUp = (target: string): void => change({ hover: target });

function choose(step: number): void {
  typing = false;
  transport.pause();
  change({ step: String(step), op: "" });
}

function chooseLine(line: number): void {
  const step = trace.steps.reduce((found, { line: at }, number) => (at <= line ? number : found), -1);
  const typed = typing && writtenLine > 0;
  if (step >= 0 && step !== chosen()) choose(step);
  typing = typed;
}

let writtenLine = 0; // which the step that is shown follows; 0 when nothing was written since the last frame
function write(text: string, line: number): void {
  writtenLine = line;
  typing = edited = true;
  kept.set("document", encode({ code: text, lang: fields.lang ?? "" }));
  change({ code: text });
}

/** A change made for the person, which the editor can undo. */
function rewrite(text: string): void {
  transport.pause();
  const step = trace.steps[chosen()];
  if (editor) editor.replace(text, step && lastLine(step));
  else {
    plainEditor.value = text;
    write(text, 0);
  }
  typing = false;
}

function applyFix({ span, replacement }: Fix): void {
  const text = code();
  rewrite(text.slice(0, toIndex(span[0])) + replacement + text.slice(toIndex(span[1])));
}

/** Another program in place of this one: Back and Undo both return to this one, and the menu keeps it if it was written here. */
function openProgram(text: string): void {
  if (edited) remember(code());
  stay();
  history.pushState(null, "", location.href);
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
const transport = new Transport((head, phase) => change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }));
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
  () => listing(code(), trace.steps, outcomes, lastLine, chosen()),
  () => ({ step: trace.steps[chosen()], labels }),
);
offer({
  link: async () => new URL("#" + (await pack(engine.normalise(lasting()))), location.href).href,
  code,
  python: () => engine.assertions(encode({ code: code() })),
  svg: () => engine.svg(said.picture),
  copy,
});
new Examples(() => ({ labels, lang: fields.lang || "en" }), recent, openProgram);

document.addEventListener("keydown", (event) => {
  const at = event.composedPath()[0];
  if (event.defaultPrevented || (at instanceof HTMLElement && at.closest("textarea, input, select, dialog, [popover], [contenteditable=true]"))) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z") {
    event.preventDefault();
    if (event.shiftKey) editor?.redo();
    else editor?.undo();
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " && at instanceof HTMLElement && at.closest("button")) return;
  if (event.key === "ArrowUp") choose(Math.max(0, chosen() - 1));
  else if (event.key === "ArrowDown") choose(Math.min(trace.steps.length - 1, chosen() + 1));
  else if (!transport.key(event.key)) return;
  event.preventDefault();
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
byId("undo").addEventListener("click", () => editor?.undo());
byId("redo").addEventListener("click", () => editor?.redo());
addEventListener("hashchange", async () => {
  transport.pause();
  typing = false;
  open(await unpack(location.hash));
  editor?.setText(code());
  plainEditor.value = code();
  schedule();
});
addEventListener("pagehide", stay);
plainEditor.addEventListener("input", () => {
  const { value, selectionStart } = plainEditor;
  write(value, value.slice(0, selectionStart).split("\n").length);
});
plainEditor.addEventListener("paste", (event) => {
  const program = pasted(event.clipboardData?.getData("text/plain") ?? "");
  if (program === undefined) return;
  event.preventDefault();
  plainEditor.setRangeText(program, plainEditor.selectionStart, plainEditor.selectionEnd, "end");
  plainEditor.dispatchEvent(new Event("input"));
});

// ---- begin

open(link);
plainEditor.value = code();
render();
document.documentElement.classList.add("ready");

/** The plain editor stays where the better one does not come. */
async function improveEditor(): Promise<void> {
  const { openEditor } = await import("./editor");
  const focused = document.activeElement === plainEditor;
  const { selectionStart, selectionEnd } = plainEditor;
  editor = openEditor({
    host: byId("editor"),
    text: code(),
    label: labels.say("code"),
    selection: focused ? [selectionStart, selectionEnd] : [0, 0],
    onText: write,
    onLine: chooseLine,
    onStep: choose,
    onHover: (target) => target !== (fields.hover ?? "") && lightUp(target),
    onPaste: pasted,
    advice: {
      complete: (text, position) => engine.complete(encode({ code: text, lang: fields.lang ?? "" }), position),
      signatureHelp: (text, position) => engine.signatureHelp(encode({ code: text, lang: fields.lang ?? "" }), position),
    },
  });
  plainEditor.remove();
  byId("listing").replaceChildren();
  if (focused) editor.focus();
  document.documentElement.classList.add("edits");
  problems = lints();
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
