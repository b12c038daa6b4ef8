// Sizes, strides and offset as numbers (as_strided). Every slider ends where the layout would leave its storage; a number
// that is typed beyond is told why it cannot be, and which is the nearest that can. The picture shows what the numbers
// make, and the line is written on request.
import { byId, h, paintAxis } from "../dom";
import type { Bounded, Gestures } from "../engine";
import { announce } from "../notices";
import { type Labels, plain } from "../words/words";
import type { Hand, Written } from "./hand";
import { Numeral } from "./numeral";

export class Raw {
  private base: Gestures | null = null; // the tensor in hand
  private draft: { sizes: bigint[]; strides: bigint[]; offset: bigint } | null = null;
  private numerals: Numeral[] = []; // sizes and strides in turn, then the offset
  private writable = false; // the numbers are a line
  private readonly rows = h("div", { class: "numbers" });
  private readonly problem = h("p", { id: "raw-problem", hidden: true });
  private readonly line = h("code", {});
  private readonly write = h("button", { type: "button", class: "fix", "data-text": "write_line" });
  private readonly reset = h("button", { type: "button", class: "plain", "data-text": "raw_reset" });
  private readonly add = h("button", { type: "button", class: "plain", "data-text": "raw_add" });
  private readonly idioms = h("div", { class: "idioms", role: "group", "data-label": "idioms" });

  constructor(
    private readonly hand: Hand,
    private readonly labels: () => Labels,
    /** What the numbers may be once a gesture is done. */
    private readonly after: (written: Written) => Gestures | null,
  ) {
    byId("raw").append(
      this.idioms,
      this.rows,
      h("div", { class: "foot" }, this.problem, this.add, this.line, this.reset, this.write),
    );
    this.write.addEventListener("click", () => this.done());
    this.reset.addEventListener("click", () => {
      this.hand.letGo();
      this.render(this.base);
      this.add.focus();
    });
    this.add.addEventListener("click", () => {
      const draft = this.begun();
      draft.sizes.push(1n);
      draft.strides.push(draft.strides.at(-1) ?? 1n);
      this.attempt(true);
    });
    byId("raw").addEventListener("keydown", (event) => {
      // In a field Enter takes what was typed first.
      const pending = this.numerals.some((numeral) => numeral.pending(event.target));
      if (event.key === "Enter" && event.target instanceof HTMLInputElement && !pending) this.write.click();
      else if (event.key === "Escape") this.reset.click();
    });
  }

  render(gestures: Gestures | null): void {
    this.base = gestures;
    this.draft = null;
    this.show(gestures);
    this.line.textContent = "";
    this.writable = false;
    this.reset.disabled = true;
    this.tell();
    this.idioms.replaceChildren(
      ...(gestures?.idioms ?? []).map(({ label, gesture }) =>
        h("button", { type: "button", class: "shape", onclick: () => this.hand.write(gesture) }, label),
      ),
    );
  }

  private begun(): NonNullable<Raw["draft"]> {
    const axes = this.base?.axes ?? [];
    this.draft ??= {
      sizes: axes.map(({ size }) => BigInt(size.value)),
      strides: axes.map(({ stride }) => BigInt(stride.value)),
      offset: BigInt(this.base?.offset.value ?? "0"),
    };
    return this.draft;
  }

  private gesture({ sizes, strides, offset } = this.begun()): string {
    return `as_strided ${[...sizes, ...strides, offset].join(" ")}`;
  }

  private done(): void {
    if (this.hand.write(this.gesture())) this.draft = null;
  }

  /** Shows what the numbers make, and how far each can go from here. */
  private attempt(rebuild = false): void {
    const answer = this.hand.try(this.gesture());
    this.writable = !answer.refused;
    this.reset.disabled = false;
    this.line.textContent = answer.refused ? plain(answer.refused) : answer.line;
    const bounds = answer.refused ? null : this.after(answer);
    if (bounds && rebuild) this.show(bounds);
    else if (bounds) this.bound(bounds);
    this.tell();
  }

  /** Says which number was typed beyond its bounds and why it cannot be, and offers the bound; until it is another
      nothing is written. */
  private tell(): void {
    const numeral = this.numerals.find(({ beyond }) => beyond), { beyond } = numeral ?? {};
    this.write.disabled = !this.writable || Boolean(beyond);
    this.line.hidden = Boolean(beyond);
    this.problem.hidden = !beyond;
    if (!numeral || !beyond) return;
    const { typed, bound, why } = beyond, labels = this.labels(), nearest = String(bound);
    const limit =
      typed > bound ? labels.say("raw_most", numeral.name, nearest) : labels.say("raw_least", numeral.name, nearest);
    const said = [why, limit].filter(Boolean).join(" ");
    this.problem.replaceChildren(
      h("span", {}, said),
      h("button", { type: "button", class: "fix", onclick: () => numeral.yield(bound) }, labels.say("raw_take", nearest)),
    );
    this.reset.disabled = false;
    announce(said);
  }

  private show(gestures: Gestures | null): void {
    const labels = this.labels();
    this.numerals = [];
    const pair = (
      name: string,
      bounded: Bounded,
      put: (draft: NonNullable<Raw["draft"]>, value: bigint) => void,
    ): HTMLElement => {
      const numeral = new Numeral(
        name,
        bounded,
        {
          take: (value) => {
            put(this.begun(), value);
            this.attempt();
          },
          refuse: () => this.tell(),
          why: (value) => {
            const tried = structuredClone(this.begun());
            put(tried, value);
            const { refused } = this.hand.ask(this.gesture(tried));
            return refused ? plain(refused) : "";
          },
        },
        this.problem.id,
      );
      this.numerals.push(numeral);
      return numeral.element;
    };
    const axes = gestures?.axes ?? [];
    this.rows.replaceChildren(
      ...axes.flatMap(({ name, color, size, stride }, dim) => [
        paintAxis(h("b", { class: "axis" }, name), color),
        h(
          "label",
          {},
          labels.say("of_size", "").trim(),
          pair(labels.say("raw_size", name), size, (draft, value) => (draft.sizes[dim] = value)),
        ),
        h(
          "label",
          {},
          labels.say("of_stride", "").trim(),
          pair(labels.say("raw_stride", name), stride, (draft, value) => (draft.strides[dim] = value)),
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": labels.say("raw_remove", name),
            title: labels.say("raw_remove", name),
            onclick: () => this.remove(dim),
          },
          "×",
        ),
      ]),
      ...(gestures
        ? [
            h("b", { class: "wide" }, labels.say("raw_offset")),
            pair(labels.say("raw_offset"), gestures.offset, (draft, value) => (draft.offset = value)),
          ]
        : []),
    );
    this.add.disabled = !gestures || axes.length >= 8;
  }

  private remove(dim: number): void {
    const draft = this.begun();
    draft.sizes.splice(dim, 1);
    draft.strides.splice(dim, 1);
    this.attempt(true);
    this.add.focus();
  }

  private bound(gestures: Gestures): void {
    const all = [...gestures.axes.flatMap(({ size, stride }) => [size, stride]), gestures.offset];
    this.numerals.forEach((numeral, k) => {
      const bounded = all[k];
      if (bounded) numeral.limit(bounded);
    });
    this.numerals.find(({ fits }) => fits)?.offer(); // what was refused before
  }
}
