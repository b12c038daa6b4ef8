// The page as a function of its document. One place holds the state (`fields`); every change goes through change(),
// and the next animation frame asks the engine again for what that change can have altered.
import { type Fields, debounced, decode, encode, kept } from "./document";
import { byId, h } from "./dom";
import type { Editor } from "./editor";
import { type Diagnostic, type Elements, type Fix, type Trace, loadEngine } from "./engine";
import { explanation } from "./explanation";
import { indexOfByte } from "./spans";
import { Stage } from "./stage";
import { stepList } from "./steps";
import { Table } from "./table";
import { Transport } from "./transport";
import { Labels, plain, sentence } from "./words";

const example = `x = torch.arange(12).view(2, 3, 2)
y = x.permute(0, 2, 1)
z = y.view(-1)
z = y.reshape(-1)
`;

const plainEditor = byId<HTMLTextAreaElement>("plain-editor");
const shared = decode(location.hash);
plainEditor.value = shared.code ?? decode(kept.get("document")).code ?? example;

const engine = await loadEngine().catch((reason: unknown) => {
  byId("failed").hidden = false;
  byId("failed-reason").textContent = String(reason);
  document.documentElement.classList.add("without-engine");
  throw reason;
});

const dark = matchMedia("(prefers-color-scheme: dark)");
let fields: Partial<Fields> = {};
let theme = "auto";
let labels = new Labels({});
let trace: Trace = { diagnostics: [], steps: [] };
let elements: Elements | null = null;
let editor: Editor | undefined;
let toIndex = indexOfByte("");
const said = { words: "", trace: "", why: "", elements: "", picture: "" }; // the document each part was last made from

// ---- state in, state out

/** Takes the document of a link, or what was kept, or the first visit's example. */
function open(link: string): void {
  fields = decode(engine.normalise(link));
  if (!fields.code) fields = decode(engine.normalise(kept.get("document")));
  if (!fields.code) fields = { code: example, step: "1" };
  theme = fields.theme || kept.get("theme") || "auto";
  fields.lang ||= decode(link).lang || kept.get("lang") || (navigator.language.startsWith("zh") ? "zh" : "en");
  notice(engine.problems(link));
}

const keep = debounced(300, () => {
  history.replaceState(null, "", "#" + engine.normalise(lasting()));
});
const keepOwn = debounced(300, () => kept.set("document", engine.normalise(lasting())));

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
    render();
  });
}

// ---- from the document to the page

function render(): void {
  const lang = fields.lang || "en";
  const themed = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  const source = encode({ code: code(), lang });
  if (refreshed("words", lang + theme)) renderWords(lang, source);
  if (refreshed("trace", source)) {
    trace = engine.trace(source);
    toIndex = indexOfByte(code());
    renderProblems();
    if (writtenLine) chooseLine(writtenLine);
    writtenLine = 0;
    said.why = "";
  }
  const { hover = "", phase = "", ...rest } = fields;
  const still = encode({ ...rest, lang, theme: "" });
  if (refreshed("why", encode({ step: String(chosen()), op: fields.op ?? "" }))) renderStep();
  if (refreshed("elements", still)) {
    elements = engine.elements(still);
    renderElements();
  }
  const size = stage.size();
  const moment = encode({ ...fields, lang, theme: themed, width: String(size.width), height: size.height ? String(size.height) : "" });
  if (refreshed("picture", moment)) {
    const picture = stage.draw(moment);
    Object.assign(byId("stage").dataset, { items: picture.items, hover, phase });
    if (byId("description").textContent !== picture.description) byId("description").textContent = picture.description;
  }
  keep.later();
}

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
  said.why = said.elements = "";
}

function renderProblems(): void {
  const problems = [...trace.diagnostics, ...trace.steps.flatMap(({ error }) => error ?? [])];
  editor?.setProblems(
    problems.map(({ span, reason, raised, hints }) => ({
      from: toIndex(span[0]),
      to: Math.max(toIndex(span[1]), toIndex(span[0])),
      severity: "error" as const,
      message: raised?.text ? `${raised.type}: ${raised.text}` : plain(reason),
      actions: hints.flatMap(({ text, fix }) => (fix ? [{ name: plain(text), apply: () => applyFix(fix) }] : [])),
    })),
  );
}

function renderStep(): void {
  const step = trace.steps[chosen()];
  byId("steps").replaceChildren(...stepList(trace, chosen(), labels, choose));
  byId("steps").querySelector('[aria-current="step"]')?.scrollIntoView({ block: "nearest" });
  const parts = explanation(step, trace.diagnostics, light, applyFix);
  byId("explanation").replaceChildren(...parts);
  byId("why").classList.toggle("nothing", parts.length === 0);
  editor?.setCurrent(step ? toIndex(step.span[0]) : 0, step ? toIndex(step.span[1]) : 0);
  const headline = byId("explanation").querySelector(".headline")?.textContent ?? "";
  announce(step ? `${step.text}: ${headline}` : headline);
}

function renderElements(): void {
  transport.render(elements, labels);
  table.render(elements, labels);
  if (!elements?.head) return;
  const { head, name, index } = elements;
  if (table.focused) announce(labels.say("element", `${name}[${index.join(", ")}]`, head.value, head.offset));
}

function notice(problems: Diagnostic[]): void {
  byId("notice").hidden = problems.length === 0;
  byId("notice-text").replaceChildren(...problems.map(({ reason }) => h("p", {}, ...sentence(reason, () => {}))));
}

let announcement = 0;
/** Reads a text out once the person pauses. */
function announce(text: string): void {
  clearTimeout(announcement);
  announcement = window.setTimeout(() => (byId("live").textContent = text), 250);
}

// ---- from the person to the document

const light = (target: string): void => change({ hover: target });

function choose(step: number): void {
  transport.pause();
  change({ step: String(step), op: "" });
}

function chooseLine(line: number): void {
  const step = trace.steps.reduce((found, { line: at }, number) => (at <= line ? number : found), -1);
  if (step >= 0 && step !== chosen()) choose(step);
}

let writtenLine = 0; // which the step that is shown follows; 0 when nothing was written since the last frame
function write(text: string, line: number): void {
  writtenLine = line;
  keepOwn.later();
  change({ code: text });
}

function applyFix({ span, replacement }: Fix): void {
  const text = code();
  const fixed = text.slice(0, toIndex(span[0])) + replacement + text.slice(toIndex(span[1]));
  transport.pause();
  if (editor) editor.replace(fixed);
  else {
    plainEditor.value = fixed;
    change({ code: fixed });
  }
}

const table = new Table(byId("table"), (element) => change({ head: String(element), phase: "" }));
const transport = new Transport((head, phase) => change({ head: String(head), phase: phase ? phase.toFixed(3) : "" }));
const stage = new Stage(engine, byId<HTMLCanvasElement>("canvas"), byId("stage"), schedule, (target, pressed) => {
  const [kind, object, number] = target.split(":");
  if (pressed && kind === "element" && number !== undefined && Number(object) === elements?.tensor.object) {
    transport.pause();
    change({ head: number, hover: target, phase: "" });
  } else if (target !== (fields.hover ?? "")) change({ hover: target });
});

document.addEventListener("keydown", (event) => {
  const at = event.composedPath()[0];
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (at instanceof HTMLElement && at.closest("textarea, input, select, [contenteditable=true]")) return;
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
byId("notice-close").addEventListener("click", () => (byId("notice").hidden = true));
byId("copy-link").addEventListener("click", async () => {
  keep.flush();
  await navigator.clipboard.writeText(location.href).then(
    () => announce(labels.say("link_copied")),
    () => announce(labels.say("link_in_address_bar")),
  );
});
byId("save-svg").addEventListener("click", () => {
  const url = URL.createObjectURL(new Blob([engine.svg(said.picture)], { type: "image/svg+xml" }));
  h("a", { href: url, download: "stridescope.svg" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
});
addEventListener("hashchange", () => {
  transport.pause();
  open(location.hash);
  editor?.setText(code());
  plainEditor.value = code();
  schedule();
});
addEventListener("pagehide", () => {
  keep.flush();
  keepOwn.flush();
});
plainEditor.addEventListener("input", () => {
  const { value, selectionStart } = plainEditor;
  write(value, value.slice(0, selectionStart).split("\n").length);
});

// ---- begin

open(location.hash);
plainEditor.value = code();
// Canvas text is drawn with whatever face is there; the right ones are asked for by name and the picture is made again.
for (const face of ['400 12px "JetBrains Mono"', '600 12px "JetBrains Mono"', '400 12px "Inter"'])
  void document.fonts.load(face).then(() => {
    said.picture = "";
    schedule();
  });
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
  });
  plainEditor.remove();
  if (focused) editor.focus();
  renderProblems();
  said.why = "";
  schedule();
}
requestAnimationFrame(() => requestAnimationFrame(() => void improveEditor().catch(console.warn)));
