// An engine that ran out of memory is gone for good. Another one takes over, and leaves alone what stopped the first.
import { type Engine, loadEngine } from "./engine";

export class Rescue {
  private halting: string | undefined; // the program that the engine stopped on
  private replacing = false; // another is on its way

  constructor(
    private readonly program: () => string,
    private readonly stopped: () => void,
    private readonly take: (another: Engine) => void,
  ) {
    addEventListener("error", (event) => this.revive(event, event.error));
    addEventListener("unhandledrejection", (event) => this.revive(event, event.reason));
  }

  /** Whether nothing is to be asked: there is no engine now, or the program is the one that must not be run again. */
  get halted(): boolean {
    return this.replacing || (this.halting !== undefined && this.halting === this.program());
  }

  private revive(event: Event, reason: unknown): void {
    if (!(reason instanceof WebAssembly.RuntimeError)) return;
    event.preventDefault();
    if (this.halted) return; // it only met the engine that stopped
    this.halting = this.program();
    this.replacing = true;
    this.stopped();
    void loadEngine()
      .finally(() => (this.replacing = false))
      .then(this.take);
  }
}
