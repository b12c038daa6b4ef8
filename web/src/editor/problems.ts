// What is wrong with the program as the editor underlines it, with the fixes that it offers there.
import type { Diagnostic as Lint } from "@codemirror/lint";
import { h } from "../dom";
import type { Fix } from "../engine";
import type { Reading } from "../words/reading";
import { plain } from "../words/words";

export function problems({ outline, toIndex }: Reading, apply: (fix: Fix) => void): Lint[] {
  const all = [...outline.diagnostics, ...outline.steps.flatMap(({ error }) => error ?? [])];
  const told = new Map(all.map((problem) => [JSON.stringify(problem), problem])); // once, of all the rounds of a loop
  return [...told.values()].map(
    ({ span, reason, raised, hints }) => ({
      from: toIndex(span[0]),
      to: Math.max(toIndex(span[1]), toIndex(span[0])),
      severity: "error" as const,
      message: plain(reason),
      renderMessage: () =>
        h(
          "span",
          {},
          ...(raised ? [h("code", {}, raised.text ? `${raised.type}: ${raised.text}` : raised.type)] : []),
          plain(reason),
        ),
      actions: hints.flatMap(({ text, fix }) => (fix ? [{ name: plain(text), apply: () => apply(fix) }] : [])),
    }),
  );
}
