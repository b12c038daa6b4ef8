// The engine: everything the page knows of C++, with the JSON parsed. Its forms are described in core/render/report.h
// and help.h.
import create, { type Module } from "@engine/stridescope.js";
import wasm from "@wasm";

export type Span = [begin: number, end: number];
export interface Run {
  text: string;
  code?: boolean;
  target?: string;
}
export type Sentence = Run[];
export interface Fix {
  span: Span;
  replacement: string;
}
export interface Diagnostic {
  span: Span;
  reason: Sentence;
  raised: { type: string; text: string } | null;
  hints: { text: Sentence; fix: Fix | null; reorders: boolean }[]; // whether the elements come in another order
}
export type Mark = "view" | "copy" | "same" | "new" | "write" | "error" | "";
export interface Tensor {
  object: number;
  storage: number;
  library: "torch" | "numpy";
  dtype: string;
  itemsize: number; // bytes
  sizes: number[];
  strides: number[]; // in elements (PyTorch) or bytes (NumPy), as the offset
  offset: number;
  layout: string;
  numel: number;
  cells: number; // of its storage
}
/** The layout as another system writes it, or why it cannot. */
export interface Notation {
  system: string;
  text: string | null;
  why_not: Sentence | null;
}
/** Other sizes for a tensor's elements, as a view or with a copy. */
export interface Attempt {
  tensor: Tensor;
  requested: number[];
  sizes: number[];
  order: "C" | "F";
  views: number; // how many shapes there are that need no copy
  copies: number;
  shapes: { sizes: number[]; views: boolean }[]; // the nearest
}
/** An operation of a statement. */
export interface Applied {
  span: Span;
  title: string;
  signature: string | null;
  mark: Mark;
  inputs: Tensor[];
  result: Tensor | null;
  value: string;
  why: Sentence[];
  attempt: Attempt | null;
  error: Diagnostic | null;
}
/** What stands beside a statement, and all of it for the one that is chosen. */
interface Statement {
  line: number;
  span: Span;
  text: string;
  inside: number; // the step it is a part of: of a loop's round or a call the header, of that of a call what calls; or -1
  round: number; // or call that it begins, counted from 1; else 0
  call: boolean; // whether that is a call
  rounds: number; // of `for`: how many there are; of `while` when it ends: how many there were; of a call: how many
  mark: Mark;
  value: string | null;
  error: Diagnostic | null;
  changed: { name: string; values: boolean; metadata: boolean }[];
}
export interface Beside extends Statement {
  targets: string[];
  bound: string; // what each of several was given
  result: { object: number; layout: string } | null;
}
export interface Step extends Statement {
  targets: string[];
  result: Tensor | null;
  applied: Applied[];
  decision: Sentence | null; // of the header of a block or a call
  names: { name: string; tensor: Tensor }[];
  notations: Notation[];
}
/** A piece of what the program prints, and the step that does. */
export interface Written {
  step: number;
  text: string;
}
export interface Outline {
  diagnostics: Diagnostic[];
  steps: Beside[];
  output: Written[];
  passed: [begin: number, end: number][]; // bytes of lines that Python would not run
}
export interface Trace {
  version: 1;
  source: string;
  diagnostics: Diagnostic[];
  steps: Step[];
  output: Written[];
}
export interface Element {
  element: string;
  offset: string;
  value: string;
}
/** What reading costs: so far, and when all is read. */
export interface Walk {
  travel: string;
  backward: string;
  repeats: string;
  all_travel: string;
  all_backward: string;
  all_repeats: string;
  longest_run: string;
}
export interface Elements {
  name: string;
  tensor: Tensor;
  count: string;
  head: Element | null;
  cell?: string;
  index: string[];
  walk?: Walk;
  copy_walk?: Walk;
  rows: { first: string; count: string };
  columns: { first: string; count: string };
  window: Element[][];
}
/** A number of a layout, and the range in which everything it reads stays inside the storage. Digits: they can
    exceed 2^53. */
export interface Bounded {
  value: string;
  lowest: string;
  highest: string;
}
export interface Axis {
  name: string;
  color: number;
  size: Bounded;
  stride: Bounded;
  /** Inner sizes. */
  splits: string[];
  /** Whether it joins with the next, or why not; null where there is no next. */
  merge: true | Sentence | null;
}
/** What can be done by hand to the tensor on the stage; a gesture is text as core/ops/gesture.h has it. */
export interface Gestures {
  object: number;
  name: string;
  library: Tensor["library"];
  axes: Axis[];
  offset: Bounded;
  idioms: { label: string; gesture: string }[];
}
/** The program with a gesture done, or why there is none. */
export type Rewritten = { code: string; step: number; line: string; refused?: undefined } | { refused: Sentence };
export type Opened = { document: string } | { code: string } | { refused: Sentence };
export interface ShapeList {
  count: string;
  shapes: string[][];
}
/** A part of a guess: whether it is right, and what is. */
export interface Part {
  right: boolean;
  truth: string;
}
/** What is asked about an operation, and what a guess was worth. */
export interface Judged {
  /** The name of the tensor that it is applied to, or "". */
  input: string;
  /** Whether strides are counted in bytes. */
  bytes: boolean;
  kind: Part;
  /** null where no tensor comes of it. */
  sizes: Part | null;
  strides: Part | null;
}
export interface Parameter {
  name: string;
  type: string;
  default: string | null;
  variadic: boolean;
  keyword_only: boolean;
  /** In the signature. */
  span: Span;
}
export interface Form {
  kind: "method" | "function" | "attribute" | "setter" | "subscript" | "store" | "binary" | "prefix" | "in_place";
  name: string;
  signature: string;
  parameters: Parameter[];
}
/** A row of the table of operations. */
export interface Operation {
  library: "torch" | "numpy";
  forms: Form[];
  summary: string;
  law: string;
  example: string;
}
export interface Completion {
  kind: "variable" | "argument" | "attribute" | "method" | "function" | "module" | "constant";
  /** Takes the place of `replaced`. */
  text: string;
  detail: string;
  forms: { signature: string; operation: number }[];
  summary: string;
}
export interface Completions {
  replaced: Span;
  items: Completion[];
}
export interface SignatureHelp {
  callee: Span;
  active: number;
  forms: { signature: string; operation: number; parameters: Parameter[]; parameter: number | null; summary: string }[];
}
export interface Frame extends ReturnType<Module["frame"]> {}

/** Where each field of a frame's record is, and how many words a record has; reported by the engine. */
export interface FrameFields {
  fields: Record<string, number>;
  words: number;
  shapes: Record<string, number>;
  /** Of what stands in no figure the number is 0. */
  figures: Record<string, number>;
  roles: string[];
}

export interface Engine {
  frameFields: FrameFields;
  normalise(document: string): string;
  problems(document: string): Diagnostic[];
  trace(document: string): Trace;
  /** The same object as the time before where nothing is different. */
  outline(document: string): Outline;
  /** The document's step whole. */
  step(document: string): Step | null;
  /** The same object as the time before where nothing is different. */
  elements(document: string): Elements | null;
  frame(document: string): Frame;
  /** Goes one of the ways that a key at a byte of this document would, and keeps nothing of it.
      @returns whether there is one of this number */
  warm(document: string, position: number, way: number): boolean;
  hit(document: string, x: number, y: number): string;
  /** What a target of the picture applies where it is clicked. */
  fix(document: string, target: string): Fix | null;
  /** Boxes in 1/100 px, four numbers each: where the picture shows a target, or all that its step "changed". */
  places(document: string, target: string): number[];
  svg(document: string): string;
  labels(document: string): Record<string, string>;
  operations(document: string): Operation[];
  /** What could be written at a byte of the UTF-8 source. */
  complete(document: string, position: number): Completions;
  signatureHelp(document: string, position: number): SignatureHelp | null;
  /** The program as Python that asserts what is said of it. */
  assertions(document: string): string;
  /** The program that a pasted text, the document's code, stands for: that code itself where it is one. */
  pasted(document: string): string;
  /** What the bytes of a file are: the text of a document, a program, or why neither. */
  opened(bytes: Uint8Array, document: string): Opened;
  gestures(document: string): Gestures | null;
  rewritten(document: string, gesture: string): Rewritten;
  /** The first element of the tensor on the stage that reads a cell of its storage; "" where none does. */
  reader(document: string, cell: string): string;
  /** The shapes of 1 to 4 dimensions that the tensor on the stage can be given. */
  shapes(document: string, rank: number): { views: ShapeList; copies: ShapeList } | null;
  /** A guess of what comes of the operation that the document shows; null where there is none. */
  judged(document: string, kind: string, sizes: string, strides: string): Judged | null;
}

/** The value of what is answered as JSON: the very same one while the answer is the same, so that nothing is made
    from it twice. */
function parsed<T>(ask: (document: string) => string): (document: string) => T {
  let before: string | undefined;
  let value: T;
  return (document) => {
    const answer = ask(document);
    if (answer !== before) value = JSON.parse(answer) as T;
    before = answer;
    return value;
  };
}
/** Where the compiled engine is, or its bytes. */
export type Wasm = string | ArrayBuffer | Uint8Array;
let from: Wasm | (() => Promise<Wasm>) = wasm;
/** For a page that keeps stridescope.wasm elsewhere than beside the module. */
export function setWasmUrl(url: string | URL): void {
  from = String(url);
}

/** The engine in a memory of its own; a module that stopped (out of memory) is no use any more, and another is
    loaded. */
export async function loadEngine(given?: Wasm): Promise<Engine> {
  const source = given ?? (typeof from === "function" ? await from() : from);
  const module = await create(typeof source === "string" ? { locateFile: () => source } : { wasmBinary: source });
  return {
    frameFields: JSON.parse(module.frameFields()) as FrameFields,
    normalise: (document) => module.normalise(document),
    problems: (document) => JSON.parse(module.problems(document)) as Diagnostic[],
    trace: (document) => JSON.parse(module.trace(document)) as Trace,
    outline: parsed<Outline>((document) => module.outline(document)),
    step: (document) => JSON.parse(module.step(document)) as Step | null,
    elements: parsed<Elements | null>((document) => module.elements(document)),
    frame: (document) => module.frame(document),
    warm(document, position, way) {
      const { outline, step, elements, gestures, frame, complete, signatureHelp } = module;
      const asks = [outline, step, elements, gestures, frame], more = [complete, signatureHelp];
      asks[way]?.(document);
      more[way - asks.length]?.(document, position);
      return way < asks.length + more.length;
    },
    hit: (document, x, y) => module.hit(document, x, y),
    fix: (document, target) => JSON.parse(module.fix(document, target)) as Fix | null,
    places: (document, target) => [...module.places(document, target)],
    svg: (document) => module.svg(document),
    labels: (document) => JSON.parse(module.labels(document)) as Record<string, string>,
    operations: (document) => JSON.parse(module.operations(document)) as Operation[],
    complete: (document, position) => JSON.parse(module.complete(document, position)) as Completions,
    signatureHelp: (document, position) => JSON.parse(module.signatureHelp(document, position)) as SignatureHelp | null,
    assertions: (document) => module.assertions(document),
    pasted: (document) => module.pasted(document),
    opened: (bytes, document) => JSON.parse(module.opened(bytes, document)) as Opened,
    gestures: parsed<Gestures | null>((document) => module.gestures(document)),
    rewritten: (document, gesture) => JSON.parse(module.rewritten(document, gesture)) as Rewritten,
    reader: (document, cell) => module.reader(document, cell),
    judged: (document, ...guess) => JSON.parse(module.judged(document, ...guess)) as Judged | null,
    shapes: (document, rank) => JSON.parse(module.shapes(document, rank)) as ReturnType<Engine["shapes"]>,
  };
}
