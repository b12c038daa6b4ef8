// What each part of the page was last made from, so that nothing is made anew from the same.

export class Made<Part extends string> {
  private readonly from = new Map<Part, string>();

  /** Whether a part has to be made anew: it was made from something else. From now on it is made from this. */
  anew(part: Part, from: string): boolean {
    if (this.from.get(part) === from) return false;
    this.from.set(part, from);
    return true;
  }

  /** What a part was last made from. */
  of(part: Part): string {
    return this.from.get(part) ?? "";
  }

  /** They are made anew, whatever from. */
  forget(...parts: Part[]): void {
    for (const part of parts) this.from.delete(part);
  }

  forgetAll(): void {
    this.from.clear();
  }
}
