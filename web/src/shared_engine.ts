// One engine for all the figures of a page, loaded when the first is wanted.
import { type Engine, loadEngine } from "./engine";

let loading: Promise<Engine> | undefined; // what was refused is not kept: who asks again tries again
let current: Engine | undefined;

const load = (): Promise<Engine> =>
  (loading = loadEngine().then(
    (engine) => (current = engine),
    (reason: unknown) => {
      loading = undefined;
      throw reason;
    },
  ));

export function sharedEngine(): Promise<Engine> {
  return loading ?? load();
}

/** @pre sharedEngine() has come */
export function engineNow(): Engine {
  if (!current) throw new Error("the engine is not there yet");
  return current;
}

const stopped = new WeakSet<Engine>();
/** An engine that stopped (out of memory) is gone for good; one other takes over for all figures.
    @returns whether nobody said so before: then it was stopped just now */
export function engineStopped(engine: Engine): boolean {
  if (stopped.has(engine)) return false;
  stopped.add(engine);
  load().catch(() => {}); // who asks for it is told
  return true;
}
