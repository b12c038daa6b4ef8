// A program as the engine reads it: its steps, what each came to, and where in the text each stands.
import type { Beside, Outline } from "./engine";
import { type Outcome, outcome } from "./outcome";
import { indexOfByte } from "./spans";
import type { Labels } from "./words";

export class Reading {
  static readonly nothing = new Reading("", { diagnostics: [], steps: [], passed: [] }, [], "");

  /** The index in the text of a byte of its UTF-8. */
  readonly toIndex: (byte: number) => number;

  private constructor(
    readonly text: string,
    readonly outline: Outline,
    readonly outcomes: Outcome[], // one a step
    readonly notRun: string, // said of lines that Python would not run
    /** The first text that came to this very outline: another differs from it in comments at most, and has the same
        picture. */
    readonly program = text,
  ) {
    this.toIndex = indexOfByte(text);
  }

  /** This text read; the outcomes are the very ones of `before` where the outline is. */
  static of(text: string, outline: Outline, labels: Labels, before: Reading): Reading {
    if (outline === before.outline) return new Reading(text, outline, before.outcomes, before.notRun, before.program);
    return new Reading(
      text,
      outline,
      outline.steps.map((step) => outcome(step, labels)),
      labels.say("not_run"),
    );
  }

  /** The same while it is asked what step `first` comes to: of that one and those after it nothing is known. */
  until(first: number): Reading {
    const { diagnostics, steps, passed } = this.outline;
    const asking = steps[first]?.span[0] ?? 0;
    const nothing = { mark: "" as const, value: null, error: null, changed: [], targets: [], result: null };
    const known = steps.map((step, k) => (k < first ? step : { ...step, ...nothing }));
    const asked = { name: "", text: "?", mark: "" as const, markText: "", target: "" };
    const outcomes = this.outcomes.map((outcome, k) => (k < first ? outcome : asked));
    return new Reading(
      this.text,
      { diagnostics, steps: known, passed: passed.filter(([begin]) => begin < asking) },
      outcomes,
      this.notRun,
      this.program,
    );
  }

  /** The step that a document chooses, the last where it chooses none; -1 where there is none. */
  at(written: string | undefined): number {
    const step = written ? Number(written) : -1, { length } = this.outline.steps;
    return Number.isInteger(step) && step >= 0 && step < length ? step : length - 1;
  }

  /** The line (1-based) under which the step's outcome stands. */
  lastLine(step: Beside): number {
    return this.text.slice(0, this.toIndex(step.span[1])).split("\n").length;
  }

  /** The last step that begins at this line (1-based) or above it, -1 where there is none. */
  stepAt(line: number): number {
    return this.outline.steps.findLastIndex((step) => step.line <= line);
  }

  /** The text with a fix done. */
  fixed(begin: number, end: number, replacement: string): string {
    return this.text.slice(0, this.toIndex(begin)) + replacement + this.text.slice(this.toIndex(end));
  }
}
