// The picture that stays while a line is half typed.
import type { Fields } from "../document";
import type { Writing } from "../editor/writing";
import type { Step } from "../engine";
import { uncalled } from "../words/explanation";
import type { Reading } from "../words/reading";

export class LastPicture {
  private good: Partial<Fields> | null = null; // the last document that had a picture
  private text = ""; // what was written then, comments included

  /** What is shown instead of this document: nothing where it has a picture of its own, or where the line was not just
      typed. A view that fails has one; so has an operation that fails, once the line is no longer being written.
      @param number as the document has it: the picture that stays is the very one that is there */
  instead(
    { outline, program, text }: Reading,
    step: Step | null,
    number: string,
    op: string,
    { typing, rests }: Writing,
  ): Partial<Fields> | null {
    const failing = step?.applied.filter(({ error }) => error) ?? [];
    const fails = step
      ? uncalled(step) || (Boolean(step.error) && !failing.some(({ attempt }) => attempt))
      : outline.diagnostics.length > 0;
    if (!fails) {
      this.good = { code: program, step: number, op, hover: "", phase: "", head: "" };
      this.text = text;
    }
    const stays = fails && typing && !(rests && failing.length) && differsInAStatement(this.text, text);
    return stays ? this.good : null;
  }
}

/** Whether one line at most became another, was added or taken away, or goes on in lines below it that are indented, or
    close a bracket: else it is another program. Empty ones do not count: Enter behind a line changes nothing else, whatever
    was drawn while it was typed. */
function differsInAStatement(before: string, now: string): boolean {
  const [old = [], lines = []] = [before, now].map((text) => text.split("\n").filter((line) => line.trim()));
  const shared = Math.min(old.length, lines.length);
  let same = 0;
  while (same < shared && old[same] === lines[same]) ++same;
  let last = 0;
  while (last < shared - same && old[old.length - 1 - last] === lines[lines.length - 1 - last]) ++last;
  const [first = "", ...further] = lines.slice(same, lines.length - last);
  const goesOn = (line: string): boolean => line.search(/\S/) > first.search(/\S/) || /^\s*[)\]}]/.test(line);
  return old.length - same - last <= 1 && further.every(goesOn);
}
