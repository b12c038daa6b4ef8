// One engine for all the figures of a page, loaded when the first is wanted.
import { type Engine, loadEngine } from "./engine";

let loading: Promise<Engine> | undefined;
let current: Engine | undefined;

export function sharedEngine(): Promise<Engine> {
  return (loading ??= loadEngine().then((engine) => (current = engine)));
}

/** @pre sharedEngine() has come */
export function engineNow(): Engine {
  if (!current) throw new Error("the engine is not there yet");
  return current;
}

/** After it stopped (out of memory) it is gone for good; another one takes over. */
export function engineStopped(): Promise<Engine> {
  loading = undefined;
  return sharedEngine();
}
