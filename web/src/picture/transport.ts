// The read head: play, pause, step, scrub. Positions are bigint, for a tensor can have more elements than a double
// can count.
import { h, icon } from "../dom";
import type { Elements } from "../engine";
import { type Labels, group } from "../words/words";

const speeds = [0.5, 1, 2, 4, 8, 32];
const reads_per_second = 2; // at speed 1
const marks = 100_000n; // the slider's, where a tensor has more elements than that

const button = (id: string, picture: Node, press: () => void, label = ""): HTMLButtonElement =>
  h("button", { type: "button", id, part: `button ${id}`, "data-label": label || false, onclick: press }, picture);

export class Transport {
  private playing = false;
  private count = 0n;
  private head = 0n;
  private phase = 0;
  private before = 0;
  private labels: Labels | undefined;
  private readonly back = button("back", icon("M4 3v10M13 3 6.5 8l6.5 5z"), () => this.step(-1n), "back");
  private readonly play = button(
    "play",
    icon("M4.5 2.5 13 8l-8.5 5.5z", "when-paused", "M5 3v10M11 3v10", "when-playing"),
    () => this.toggle(),
  );
  private readonly forward = button("forward", icon("M12 3v10M3 3l6.5 5L3 13z"), () => this.step(1n), "forward");
  private readonly loop = button(
    "loop",
    icon(
      "M3 8V6.5A2.5 2.5 0 0 1 5.5 4H13m-2.5-2.5L13 4l-2.5 2.5M13 8v1.5a2.5 2.5 0 0 1-2.5 2.5H3m2.5 2.5L3 12l2.5-2.5",
      "line",
    ),
    () => (this.loops = !this.loops),
    "loop",
  );
  private readonly scrub = h("input", {
    type: "range",
    id: "scrub",
    part: "scrub",
    min: 0,
    step: 1,
    "data-label": "scrub",
  });
  private readonly position = h("output", { id: "position", for: "scrub" });
  private readonly speed = h(
    "select",
    { id: "speed", "data-label": "speed" },
    ...speeds.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
  );
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** Fills `host` with the controls. */
  constructor(
    host: HTMLElement,
    private readonly go: (head: bigint, phase: number) => void,
  ) {
    this.loops = false;
    host.append(this.back, this.play, this.forward, this.loop, this.scrub, this.position, this.speed);
    this.scrub.addEventListener("input", () => this.move(this.ofSlider(BigInt(this.scrub.value))));
    this.scrub.addEventListener("keydown", (event) => {
      if (this.key(event.key === "ArrowUp" ? "ArrowRight" : event.key === "ArrowDown" ? "ArrowLeft" : event.key))
        event.preventDefault();
    });
  }

  /** Takes a key meant for the head. @returns whether it was one */
  key(key: string): boolean {
    const page = this.count / 10n || 1n;
    switch (key) {
      case " ":
        this.toggle();
        return true;
      case "ArrowLeft":
        this.step(-1n);
        return true;
      case "ArrowRight":
        this.step(1n);
        return true;
      case "PageUp":
        this.step(page);
        return true;
      case "PageDown":
        this.step(-page);
        return true;
      case "Home":
        this.move(0n);
        return true;
      case "End":
        this.move(this.count - 1n);
        return true;
      default:
        return false;
    }
  }

  get loops(): boolean {
    return this.loop.getAttribute("aria-pressed") === "true";
  }
  set loops(on: boolean) {
    this.loop.setAttribute("aria-pressed", String(on));
  }

  /** Of those on offer the nearest. */
  set pace(times: number) {
    this.speed.value = String(
      speeds.reduce((best, speed) => (Math.abs(speed - times) < Math.abs(best - times) ? speed : best)),
    );
  }

  get plays(): boolean {
    return this.playing;
  }

  toggle(): void {
    if (this.count < 2n) return;
    this.playing = !this.playing;
    if (this.playing) {
      if (this.head >= this.count - 1n) this.go((this.head = 0n), (this.phase = 0));
      this.before = performance.now();
      requestAnimationFrame(this.tick);
    } else this.move(this.head);
    this.show();
  }

  pause(): void {
    if (this.playing) this.toggle();
  }

  /** Shows where the head is; nothing to read where `elements` is null. */
  render(elements: Elements | null, labels: Labels): void {
    this.labels = labels;
    this.count = BigInt(elements?.count ?? "0");
    this.head = BigInt(elements?.head?.element ?? "0");
    if (this.count < 2n) this.playing = false;
    this.show();
  }

  private show(): void {
    const { labels } = this;
    if (!labels) return;
    const empty = this.count === 0n;
    for (const control of [this.back, this.forward, this.play, this.loop, this.scrub, this.speed])
      control.disabled = empty;
    const name = labels.say(this.playing ? "pause" : "play");
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
    this.play.classList.toggle("playing", this.playing);
    const most = this.count > marks ? marks : this.count - 1n;
    this.scrub.max = String(empty ? 0n : most);
    this.scrub.value = String(this.toSlider(this.head));
    const text = empty ? "" : labels.say("position", group(this.head + 1n), group(this.count));
    this.scrub.setAttribute("aria-valuetext", text);
    this.position.textContent = text;
  }

  private toSlider(head: bigint): bigint {
    return this.count > marks ? (head * marks) / (this.count - 1n) : head;
  }
  private ofSlider(mark: bigint): bigint {
    return this.count > marks ? (mark * (this.count - 1n)) / marks : mark;
  }

  private step(by: bigint): void {
    this.move(this.head + by);
  }
  private move(head: bigint): void {
    const last = this.count - 1n;
    this.head = head < 0n || last < 0n ? 0n : head > last ? last : head;
    this.go(this.head, (this.phase = 0));
  }

  /** Time passes in reads; where motion is not wanted the head jumps instead of gliding. */
  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    const reads = ((now - this.before) / 1000) * reads_per_second * Number(this.speed.value);
    this.before = now;
    let phase = this.phase + reads;
    const whole = BigInt(Math.floor(phase));
    phase -= Number(whole);
    const last = this.count - 1n;
    if (this.head + whole >= last && this.loops) {
      // The last element is read for as long as any other before the first comes again.
      phase = this.head + whole === last ? phase : 0;
      if (this.head < last) this.go((this.head = last), 0);
      else if (whole > 0n) this.go((this.head = 0n), 0);
      this.phase = phase;
      requestAnimationFrame(this.tick);
      return;
    }
    if (this.head + whole >= last) {
      this.playing = false;
      this.move(last);
      this.show();
      return;
    }
    this.phase = phase;
    if (whole > 0n || !this.still.matches) this.go((this.head += whole), this.still.matches ? 0 : phase);
    requestAnimationFrame(this.tick);
  };
}
