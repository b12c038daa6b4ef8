// A program as the engine reads it: its steps, what each came to, and where in the text each stands.
import type { Beside, Outline } from "./engine";
import { type Outcome, outcome } from "./outcome";
import { indexOfByte } from "./spans";
import type { Labels } from "./words";

export class Reading {
  static readonly nothing = new Reading("", { diagnostics: [], steps: [] }, []);

  /** The index in the text of a byte of its UTF-8. */
  readonly toIndex: (byte: number) => number;

  private constructor(
    readonly text: string,
    readonly outline: Outline,
    readonly outcomes: Outcome[], // one a step
    /** The first text that came to this very outline: another differs from it in comments at most, and has the same
        picture. */
    readonly program = text,
  ) {
    this.toIndex = indexOfByte(text);
  }

  /** This text read; the outcomes are the very ones of `before` where the outline is. */
  static of(text: string, outline: Outline, labels: Labels, before: Reading): Reading {
    if (outline === before.outline) return new Reading(text, outline, before.outcomes, before.program);
    return new Reading(
      text,
      outline,
      outline.steps.map((step) => outcome(step, labels)),
    );
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
