// The read head: play, pause, step, scrub. Positions are bigint, for a tensor can have more elements than a double
// can count.
import { byId, h } from "./dom";
import type { Elements } from "./engine";
import { type Labels, group } from "./words";

const speeds = [0.5, 1, 2, 4, 8, 32];
const reads_per_second = 2; // at speed 1
const marks = 100_000n; // the slider's, where a tensor has more elements than that

export class Transport {
  private playing = false;
  private count = 0n;
  private head = 0n;
  private phase = 0;
  private before = 0;
  private labels: Labels | undefined;
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly scrub = byId<HTMLInputElement>("scrub");
  private readonly loop = byId<HTMLButtonElement>("loop");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(private readonly go: (head: bigint, phase: number) => void) {
    for (const speed of speeds) this.speed.append(h("option", { value: speed, selected: speed === 1 }, `${speed}×`));
    byId("back").addEventListener("click", () => this.step(-1n));
    byId("forward").addEventListener("click", () => this.step(1n));
    this.play.addEventListener("click", () => this.toggle());
    this.loop.addEventListener("click", () => this.loop.setAttribute("aria-pressed", String(!this.loops)));
    this.scrub.addEventListener("input", () => this.move(this.ofSlider(BigInt(this.scrub.value))));
    this.scrub.addEventListener("keydown", (event) => {
      if (this.key(event.key === "ArrowUp" ? "ArrowRight" : event.key === "ArrowDown" ? "ArrowLeft" : event.key)) event.preventDefault();
    });
  }

  /** Takes a key meant for the head. @returns whether it was one */
  key(key: string): boolean {
    const page = this.count / 10n || 1n;
    switch (key) {
      case " ": this.toggle(); return true;
      case "ArrowLeft": this.step(-1n); return true;
      case "ArrowRight": this.step(1n); return true;
      case "PageUp": this.step(page); return true;
      case "PageDown": this.step(-page); return true;
      case "Home": this.move(0n); return true;
      case "End": this.move(this.count - 1n); return true;
      default: return false;
    }
  }

  private get loops(): boolean {
    return this.loop.getAttribute("aria-pressed") === "true";
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
    for (const control of [byId<HTMLButtonElement>("back"), byId<HTMLButtonElement>("forward"), this.play, this.loop, this.scrub, this.speed]) control.disabled = empty;
    const name = labels.say(this.playing ? "pause" : "play");
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
    this.play.classList.toggle("playing", this.playing);
    const most = this.count > marks ? marks : this.count - 1n;
    this.scrub.max = String(empty ? 0n : most);
    this.scrub.value = String(this.toSlider(this.head));
    const text = empty ? "" : labels.say("position", group(this.head + 1n), group(this.count));
    this.scrub.setAttribute("aria-valuetext", text);
    byId("position").textContent = text;
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
