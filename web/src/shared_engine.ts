// One engine for all the figures of a page, loaded when the first is wanted.
import { type Engine, loadEngine } from "./engine";

let loading: Promise<Engine> | undefined;
let current: Engine | undefined;

const load = (): Promise<Engine> => (loading = loadEngine().then((engine) => (current = engine)));

export function sharedEngine(): Promise<Engine> {
  return loading ?? load();
}

/** @pre sharedEngine() has come */
export function engineNow(): Engine {
  if (!current) throw new Error("the engine is not there yet");
  return current;
}

let stopped: Engine | undefined;
/** An engine that stopped (out of memory) is gone for good; one other takes over for all figures. */
export function engineStopped(engine: Engine): void {
  if (engine === stopped) return;
  stopped = engine;
  void load();
}
