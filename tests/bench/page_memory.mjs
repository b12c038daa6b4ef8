// What a tab holds while it is edited ten thousand times.

/** Runs in the page before anything else: keeps the engine's memory in sight. */
export function findWasmMemory() {
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const made = await original.apply(WebAssembly, args);
      window.wasmMemory = Object.values((made.instance ?? made).exports).find(
        (one) => one instanceof WebAssembly.Memory,
      );
      return made;
    };
  }
}

/** Types and takes back in turn, a frame each. @returns what is held at the beginning, in the middle and at the end */
export async function edits(page, count) {
  const devtools = await page.context().newCDPSession(page);
  const held = async (after) => {
    await page.waitForTimeout(1000); // what waits for a pause is done
    for (let i = 0; i < 3; ++i) await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize: heap } = await devtools.send("Runtime.getHeapUsage");
    const { nodes } = await devtools.send("Memory.getDOMCounters");
    return { after, heap, nodes, wasm: await page.evaluate(() => window.wasmMemory.buffer.byteLength) };
  };
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  const half = (number) =>
    page.evaluate(
      (number) =>
        new Promise((resolve) => {
          let i = 0;
          const tick = () => {
            if (i === number) return resolve();
            // Digits come and go at the end of the program: another program each time, the same at last.
            document.execCommand(i % 2 ? "delete" : "insertText", false, i % 2 ? undefined : String(i % 9));
            ++i;
            requestAnimationFrame(tick);
          };
          requestAnimationFrame(tick);
        }),
      number,
    );
  // Everything has been used once, and the browser's own list of what could be undone is as long as it gets.
  await half(1500);
  const kept = [await held(0)];
  for (const after of [Math.floor(count / 2), count]) {
    await half(after - kept.at(-1).after);
    kept.push(await held(after));
  }
  await devtools.detach();
  return kept;
}
