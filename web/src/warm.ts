// A browser compiles what the page and its engine are made of when it first runs, and better once it has run more often.
// So that the first keys need not wait for that, a few lines are written and read while nobody does anything: into an
// editor that stands in no page, and by the engine, which keeps nothing of it.
import { encode } from "./document";
import { h } from "./dom";
import type { Editor } from "./editor/editor";
import type { Engine } from "./engine";

const lines = [
  "x = torch.arange(24).view(2, 3, 4)",
  "y = x.permute(2, 0, 1)",
  "z = y.mT + 1",
  "y.view(-1)",
  "y.reshape(-1)[::2]",
  "x[0, 1] = 7",
  "x.vie(4)",
  "a = np.arange(6).reshape(2, 3).T.copy()",
  "torch.cat([x, y",
];
const rounds = 2;
type Open = (host: HTMLElement) => Editor | undefined;

/** Goes on while nobody wants anything, which the browser says; elsewhere a step at a time. Each takes few ms. */
function whileIdle(work: Iterator<void>): void {
  if (!("requestIdleCallback" in window)) {
    setTimeout(() => work.next().done || whileIdle(work), 50);
    return;
  }
  requestIdleCallback((free) => {
    do if (work.next().done) return;
    while (free.timeRemaining() > 8);
    whileIdle(work);
  });
}

function* reading(engine: () => Engine, lang: string): Generator<void> {
  for (let round = 0; round < rounds; ++round)
    for (let count = 1; count <= lines.length; ++count) {
      const code = lines.slice(0, count).join("\n");
      for (let way = 0; engine().warm(encode({ code, lang }), code.length - 1, way); ++way) yield;
    }
}

function* writing(open: Open): Generator<void> {
  const host = h("div"), editor = open(host);
  const content = host.shadowRoot?.querySelector(".cm-content");
  yield;
  const all = { bubbles: true, cancelable: true };
  for (const key of [...lines.slice(0, 3).flatMap((line) => [...line, "Enter"]), "Backspace", "Backspace"]) {
    content?.dispatchEvent(new KeyboardEvent("keydown", { ...all, key }));
    if (key.length === 1)
      content?.dispatchEvent(new InputEvent("beforeinput", { ...all, data: key, inputType: "insertText" }));
    yield;
  }
  editor?.close();
}

/** @param open opens an editor, where there is one */
export function warm(engine: () => Engine, lang: string, open: Open): void {
  whileIdle(
    (function* () {
      yield* reading(engine, lang);
      yield* writing(open);
    })(),
  );
}
