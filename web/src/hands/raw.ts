// Sizes, strides and offset as numbers (as_strided). Every slider ends where the layout would leave its storage, so no
// illegal one can be entered; the picture shows what the numbers make, and the line is written on request.
import { byId, h, paintAxis } from "../dom";
import type { Bounded, Gestures } from "../engine";
import { type Labels, plain } from "../words/words";
import { number } from "./chip_menu";
import type { Hand, Written } from "./hand";

export class Raw {
  private base: Gestures | null = null; // the tensor in hand
  private draft: { sizes: bigint[]; strides: bigint[]; offset: bigint } | null = null;
  private readonly rows = h("div", { class: "numbers" });
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
      h("div", { class: "foot" }, this.add, this.line, this.reset, this.write),
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
      if (event.key === "Enter" && event.target instanceof HTMLInputElement && this.draft) this.done();
      else if (event.key === "Escape" && this.draft) this.reset.click();
    });
  }

  render(gestures: Gestures | null): void {
    this.base = gestures;
    this.draft = null;
    this.show(gestures);
    this.line.textContent = "";
    this.write.disabled = this.reset.disabled = true;
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

  private get gesture(): string {
    const { sizes, strides, offset } = this.begun();
    return `as_strided ${[...sizes, ...strides, offset].join(" ")}`;
  }

  private done(): void {
    if (this.hand.write(this.gesture)) this.draft = null;
  }

  /** Shows what the numbers make, and how far each can go from here. */
  private attempt(rebuild = false): void {
    const answer = this.hand.try(this.gesture);
    this.write.disabled = Boolean(answer.refused);
    this.reset.disabled = false;
    this.line.textContent = answer.refused ? plain(answer.refused) : answer.line;
    const bounds = answer.refused ? null : this.after(answer);
    if (bounds && rebuild) this.show(bounds);
    else if (bounds) this.bound(bounds);
  }

  private show(gestures: Gestures | null): void {
    const labels = this.labels();
    const pair = (name: string, bounded: Bounded, set: (value: bigint) => void): HTMLElement => {
      const slider = h("input", { type: "range", step: 1, "aria-label": name });
      const field = number(0n, 0n, 0n, name);
      const take = (text: string): void => {
        const value = clamped(text, BigInt(field.min), BigInt(field.max));
        if (value === null) return;
        this.begun();
        set(value);
        this.attempt();
      };
      slider.addEventListener("input", () => take(slider.value));
      field.addEventListener("change", () => take(field.value));
      const row = h("span", { class: "number" }, slider, field);
      limit(row, bounded);
      return row;
    };
    const axes = gestures?.axes ?? [];
    this.rows.replaceChildren(
      ...axes.flatMap(({ name, color, size, stride }, dim) => [
        paintAxis(h("b", { class: "axis" }, name), color),
        h(
          "label",
          {},
          labels.say("of_size", "").trim(),
          pair(labels.say("raw_size", name), size, (value) => (this.begun().sizes[dim] = value)),
        ),
        h(
          "label",
          {},
          labels.say("of_stride", "").trim(),
          pair(labels.say("raw_stride", name), stride, (value) => (this.begun().strides[dim] = value)),
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
            pair(labels.say("raw_offset"), gestures.offset, (value) => (this.begun().offset = value)),
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
    [...this.rows.querySelectorAll<HTMLElement>(".number")].forEach((row, k) => {
      const bounded = all[k];
      if (bounded) limit(row, bounded);
    });
  }
}

/** A whole number kept between two others; null where the text is none. */
function clamped(text: string, lowest: bigint, highest: bigint): bigint | null {
  if (!/^\s*-?\d{1,19}\s*$/.test(text)) return null;
  const value = BigInt(text.trim());
  return value < lowest ? lowest : value > highest ? highest : value;
}

function limit(row: HTMLElement, { value, lowest, highest }: Bounded): void {
  for (const input of row.querySelectorAll("input")) {
    input.min = lowest;
    input.max = highest;
    input.value = value;
    input.disabled = lowest === highest;
  }
  row.title = `${lowest} … ${highest}`;
}
