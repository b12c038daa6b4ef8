// A program as the engine reads it: its steps, what each came to, and where in the text each stands.
import type { Beside, Diagnostic, Outline } from "../engine";
import { type Outcome, outcome } from "./outcome";
import { indexOfByte } from "./spans";
import type { Labels } from "./words";

export interface Wrong {
  line: string;
  number: number; // of the line, from 1 on
  problem: Diagnostic;
}

export class Reading {
  static readonly nothing = new Reading("", { diagnostics: [], steps: [], output: [], passed: [] }, [], "");

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

  /** The same while it is asked what step `first` comes to: of that one, of what it calls and of those after it nothing
      is known. */
  until(first: number): Reading {
    const { diagnostics, steps, output, passed } = this.outline;
    const asking = steps[first]?.span[0] ?? 0;
    const nothing = { mark: "" as const, value: null, error: null, changed: [], targets: [], bound: "", result: null };
    const hidden = (step: number): boolean => step >= first || this.outwards(step).includes(first);
    const known = steps.map((step, k) => (hidden(k) ? { ...step, ...nothing } : step));
    const asked = { name: "", text: "?", mark: "" as const, markText: "", target: "" };
    const outcomes = this.outcomes.map((outcome, k) => (hidden(k) ? asked : outcome));
    return new Reading(
      this.text,
      {
        diagnostics,
        steps: known,
        output: output.filter(({ step }) => !hidden(step)),
        passed: passed.filter(([begin]) => begin < asking),
      },
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

  /** The index in the text of where a step ends: of a block whose header is not read, so that none of it is run, where
      the header is wrong. */
  end({ span: [begin, end], error }: Beside): number {
    const opens = /^(async |for|while|if|elif|else|def|class|with|try|except|finally)\b/;
    const header = error && !error.raised && opens.test(this.text.slice(this.toIndex(begin)));
    return this.toIndex(header ? Math.min(error.span[1], end) : end);
  }

  /** The line (1-based) under which the step's outcome stands. */
  lastLine(step: Beside): number {
    return this.text.slice(0, this.end(step)).split("\n").length;
  }

  /** The steps that stand beside the program while one is looked at, one a statement: of those in a loop or a function
      the run in the round or call that it is in, else the last. */
  beside(chosen: number): number[] {
    const { steps } = this.outline;
    const around = new Map<number, number>(); // the chosen step and what it is inside, and how far in
    const chain = this.outwards(chosen);
    chain.forEach((step, k) => around.set(step, chain.length - k));
    const shared = (step: number): number => {
      const common = this.outwards(step).find((outer) => around.has(outer));
      return common === undefined ? 0 : (around.get(common) ?? 0);
    };
    const shown = new Map<number, number>(); // by where the statement begins
    steps.forEach(({ span: [begin] }, step) => {
      const before = shown.get(begin);
      if (before === undefined || shared(step) >= shared(before)) shown.set(begin, step);
    });
    return [...shown.values()];
  }

  /** Whether a step is another one, or a part of it. */
  isWithin(step: number, other: number): boolean {
    return this.outwards(step).includes(other);
  }

  /** A step and those that it is inside, the outermost last. */
  private outwards(step: number): number[] {
    const { steps } = this.outline, chain: number[] = [];
    for (; step >= 0; step = steps[step]?.inside ?? -1) chain.push(step);
    return chain;
  }

  /** The steps that show the round or call before and after the one that `header` begins, at the statement that is
      looked at where it runs in them; -1 where there is none. */
  turns(header: number, chosen: number): number[] {
    const { steps } = this.outline;
    const begin = (step: number): number => steps[step]?.span[0] ?? -1;
    const headers = [...steps.keys()].filter((step) => {
      const { round = 0, rounds = 0 } = steps[step] ?? {};
      return begin(step) === begin(header) && round + rounds > 0;
    });
    return [-1, 1].map((by) => {
      const other = headers[headers.indexOf(header) + by];
      if (other === undefined) return -1;
      const inside = (step: number): boolean => step !== other && this.outwards(step).includes(other);
      return this.beside(other).find((step) => begin(step) === begin(chosen) && inside(step)) ?? other;
    });
  }

  /** Of the steps beside the program the last that begins at this line (1-based) or above it, -1 where there is
      none. */
  stepAt(line: number, chosen: number): number {
    const { steps } = this.outline;
    const lineOf = (step: number): number => steps[step]?.line ?? 0;
    const above = this.beside(chosen).filter((step) => lineOf(step) <= line);
    return above.reduce((best, step) => (lineOf(step) >= lineOf(best) ? step : best), -1);
  }

  /** What is wrong with the text as a whole, each with the line that it is about. */
  get wrong(): Wrong[] {
    return this.outline.diagnostics.map((problem) => {
      const before = this.text.slice(0, this.toIndex(problem.span[0])).split("\n");
      const line = (this.text.split("\n")[before.length - 1] ?? "").trim();
      return { line, number: before.length, problem };
    });
  }

  /** What of that is told beside a step: what stands between it and the next one, beside the first what is above. */
  wrongBeside(chosen: number): Wrong[] {
    const [first] = this.beside(chosen);
    return this.wrong.filter(({ number }) => {
      const above = this.stepAt(number, chosen);
      return above === chosen || (above < 0 && chosen === first);
    });
  }

  /** The text with a fix done. */
  fixed(begin: number, end: number, replacement: string): string {
    return this.text.slice(0, this.toIndex(begin)) + replacement + this.text.slice(this.toIndex(end));
  }
}
