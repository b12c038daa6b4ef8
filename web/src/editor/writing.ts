// What a person is writing: whether the program was typed, pasted or chosen decides which step the next frame shows, and
// whether the picture of before stays meanwhile.
import { debounced } from "../document";

export class Writing {
  edited = false; // whether the program is the person's own
  typing = false; // what the program is now was typed, not chosen
  rests = true; // nothing was written for a moment
  /** What the next frame shows: the step that the program is about, or that of a line (0: the step stays). */
  wanted = { subject: false, line: 0 };
  private pasted = ""; // the program that a change of the text to come brings
  private readonly rest: () => void;

  /** @param rested nothing was written for a moment */
  constructor(rested: () => void) {
    this.rest = debounced(1200, () => {
      this.rests = true;
      rested();
    }).later;
  }

  /** A text is about to be pasted. */
  paste(program: string): void {
    this.pasted = program;
  }

  /** The text was changed by hand, last in this line. */
  write(text: string, line: number): void {
    this.wanted.line = line;
    // Of a whole program that was pasted the last line is not what one wants to see.
    if (this.pasted && text.trim() === this.pasted.trim()) {
      this.wanted.subject = true;
      this.pasted = "";
    }
    this.typing = this.edited = true;
    this.rests = false;
    this.rest();
  }

  /** Another program took the place of this one. */
  open(): void {
    this.edited = false;
    this.wanted = { subject: true, line: 0 };
  }

  /** The step that is shown was chosen. */
  chose(): void {
    this.wanted = { subject: false, line: 0 };
  }
}
