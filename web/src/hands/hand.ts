// What is done to the tensor on the stage by pointer and by key. A gesture is only tried at first: the picture shows
// what it would make, and the program stays as it is. Written, it is a line of the program.
import type { Fields } from "../document";
import type { Engine, Rewritten } from "../engine";
import { plain } from "../words/words";

export type Written = Extract<Rewritten, { code: string }>;

/** What the document differs in while a gesture is tried, and once it is written. */
export const preview = ({ code, step }: Written): Partial<Fields> => ({ code, step: String(step), op: "" });
export const written = (line: Written): Partial<Fields> => ({ ...preview(line), head: "", hover: "", phase: "" });

export interface Bench {
  engine(): Engine;
  /** The document with the tensor in hand. */
  document(): string;
  /** The picture is of another program now. */
  redraw(): void;
  /** Makes the program this one, as one step that can be undone. */
  write(written: Written): void;
  refuse(reason: string): void;
}

export class Hand {
  /** What the picture shows meanwhile. */
  tried: Written | null = null;

  constructor(private readonly bench: Bench) {}

  /** The line that a gesture would be, or why there is none. */
  ask(gesture: string): Rewritten {
    return this.bench.engine().rewritten(this.bench.document(), gesture);
  }

  try(gesture: string): Rewritten {
    const answer = this.ask(gesture);
    this.show(answer.refused ? null : answer);
    return answer;
  }

  letGo(): void {
    this.show(null);
  }

  /** @returns whether there is such a line */
  write(gesture: string): boolean {
    const answer = this.ask(gesture);
    this.tried = null;
    if (answer.refused) {
      this.bench.redraw();
      this.bench.refuse(plain(answer.refused));
      return false;
    }
    this.bench.write(answer);
    return true;
  }

  private show(written: Written | null): void {
    if (written?.code === this.tried?.code) return;
    this.tried = written;
    this.bench.redraw();
  }
}
