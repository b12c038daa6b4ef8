declare module "@engine/stridescope.js" {
  /** What Embind gives; see bindings.cpp. Every document is the text of core's to_text(). */
  export interface Module {
    normalise(document: string): string;
    problems(document: string): string;
    trace(document: string): string;
    outline(document: string): string;
    step(document: string): string;
    elements(document: string): string;
    frame(document: string): {
      width: number;
      height: number;
      title: string;
      description: string;
      text: string;
      items: Int32Array;
      points: Int32Array;
      pixels: Uint8Array;
    };
    frameFields(): string;
    hit(document: string, x: number, y: number): string;
    fix(document: string, target: string): string;
    places(document: string, target: string): Int32Array;
    svg(document: string): string;
    operations(document: string): string;
    complete(document: string, position: number): string;
    signatureHelp(document: string, position: number): string;
    labels(document: string): string;
    assertions(document: string): string;
    pasted(document: string): string;
    opened(bytes: Uint8Array, document: string): string;
    gestures(document: string): string;
    rewritten(document: string, gesture: string): string;
    reader(document: string, cell: string): string;
    shapes(document: string, rank: number): string;
    judged(document: string, kind: string, sizes: string, strides: string): string;
  }
  export default function create(
    options: { locateFile: (path: string) => string } | { wasmBinary: ArrayBuffer | Uint8Array },
  ): Promise<Module>;
}
/** Where each build finds the compiled engine: its address, or a way to get its bytes. */
declare module "@wasm" {
  const wasm: string | (() => Promise<ArrayBuffer>);
  export default wasm;
}
/** Labels for where no engine is there to say them, by id and language. */
declare module "virtual:words" {
  const texts: Record<string, Record<string, string>>;
  export default texts;
}
declare module "virtual:examples" {
  const examples: import("./exchange/examples").Example[];
  export default examples;
}
declare module "virtual:first-example" {
  const example: import("./exchange/examples").Example;
  export default example;
  /** Where its picture lies: "en-light-wide" .. "zh-dark-narrow". */
  export const pictures: Record<string, string>;
}
