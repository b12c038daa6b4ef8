// A browser compiles what the engine is made of when it first runs. So that the first keys need not wait for that, a
// few lines that go most of the ways are read while nobody does anything.
import { encode } from "./document";
import { whenIdle } from "./dom";
import type { Engine } from "./engine";

const lines = [
  "x = torch.arange(24).view(2, 3, 4)",
  "y = x.permute(2, 0, 1)",
  "z = y.mT + 1",
  "y.view(-1)",
  "y.reshape(-1)[::2]",
  "x[0, 1] = 7",
  "x.vie(4)",
  "a = np.arange(6).reshape(2, 3).T.copy()",
  "torch.cat([x, y",
];

export function warm(engine: () => Engine, lang: string): void {
  const from = (at: number): unknown =>
    whenIdle(() => {
      const code = lines.slice(0, at + 1).join("\n");
      engine().warm(encode({ code, lang }), code.length - 1);
      if (at + 1 < lines.length) from(at + 1);
    });
  from(0);
}
