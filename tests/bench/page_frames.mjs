// What an action costs, from the browser's own record of its main thread: the time its tasks take, not the time that
// passes.

/** Runs `act` while the browser records. @returns the main thread's tasks and the page's marks, in milliseconds */
export async function recorded(page, act) {
  const devtools = await page.context().browser().newBrowserCDPSession();
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: [
        "toplevel",
        "devtools.timeline",
        "disabled-by-default-devtools.timeline",
        "blink.user_timing",
      ],
    },
  });
  const result = await act();
  const done = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await done;
  await devtools.detach();
  const marks = events
    .filter(({ cat, name }) => cat === "blink.user_timing" && /^bench:/.test(name))
    .map(({ name, ts, pid, tid }) => ({ name: name.slice(6), at: ts / 1000, pid, tid }));
  const { pid, tid } = marks[0];
  const tasks = events
    .filter((event) => event.pid === pid && event.tid === tid && event.ph === "X" && event.name === "RunTask")
    .map(({ ts, dur, tdur }) => ({ begin: ts / 1000, end: (ts + dur) / 1000, busy: (tdur ?? dur) / dur || 0 }));
  if (tasks.length === 0) throw new Error("the browser recorded no task of the main thread");
  return { result, tasks, marks: marks.sort((a, b) => a.at - b.at) };
}

/** How much processor time the main thread took in a span; what other programs took meanwhile does not count. */
export const work = (tasks, begin, end) =>
  tasks.reduce((sum, task) => sum + task.busy * Math.max(0, Math.min(task.end, end) - Math.max(task.begin, begin)), 0);

/** Types in the editor. @returns for each key: milliseconds of work until its frame is drawn, and of all its work, what
    follows that frame included; milliseconds from the event to the frame, and whether that frame was the next one */
export async function keystrokes(page, keys) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.evaluate(() => {
    let frames = 0, at = 0, pressed = 0, empty = false;
    window.drawn = [];
    const count = () => (++frames, requestAnimationFrame(count));
    requestAnimationFrame(count);
    const done = (next) => {
      performance.mark("bench:drawn");
      window.drawn.push({ latency: performance.now() - pressed, next });
      pressed = 0;
      window.onDrawn?.();
    };
    /** Once the frame that is being made is there. */
    const afterwards = (act) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = act;
      channel.port2.postMessage(0);
    };
    addEventListener("keydown", (event) => {
      performance.mark("bench:key");
      [at, pressed, empty] = [frames, event.timeStamp, false];
      // In a comment there is nothing to draw, nor in a line that is half typed: the frame is the answer.
      requestAnimationFrame(() => afterwards(() => pressed === event.timeStamp && (done(true), (empty = true))));
    }, true);
    const observer = new MutationObserver(() => {
      const [key, next] = [pressed, frames - at <= 1];
      if (key) afterwards(() => pressed === key && done(next));
      else if (empty) window.drawn.at(-1).next = false; // the frame that was taken for the answer was none
    });
    observer.observe(document.getElementById("stage"), { attributes: true });
  });
  const { tasks, marks, result } = await recorded(page, async () => {
    for (const key of keys) {
      const before = await page.evaluate(() => window.drawn.length);
      await page.keyboard.press(key);
      const drawn = page.evaluate(
        (before) => new Promise((resolve) => (window.drawn.length > before ? resolve() : (window.onDrawn = resolve))),
        before,
      );
      if (!(await Promise.race([drawn.then(() => true), page.waitForTimeout(10_000)])))
        throw new Error(`nothing was drawn after ${key}`);
      await page.waitForTimeout(60 + 37 * Math.random()); // a quick typist, in step with nothing
    }
    return page.evaluate(() => window.drawn);
  });
  const begins = marks.filter(({ name }) => name === "key"), ends = marks.filter(({ name }) => name === "drawn");
  return result.map((key, i) => {
    const from = begins[i].at, next = begins[i + 1]?.at ?? Infinity;
    return { ...key, work: work(tasks, from, ends[i].at), all: work(tasks, from, next) };
  });
}

/** Does something to the page in each of `count` frames; `action` is one of the names below.
    @returns each frame's milliseconds of work and since the one before */
export async function frames(page, action, count) {
  const { tasks, marks, result } = await recorded(page, () =>
    page.evaluate(
      ({ action, count }) =>
        new Promise((resolve) => {
          const [scrub, canvas, stage] = ["scrub", "canvas", "stage"].map((id) => document.getElementById(id));
          const box = canvas.getBoundingClientRect();
          const wide = stage.clientWidth;
          const part = (i) => (i % 100) / 100;
          const actions = {
            /** The read head is dragged along. */
            scrub: (i) => {
              scrub.value = String(Math.round(Number(scrub.max) * part(i)));
              scrub.dispatchEvent(new Event("input"));
            },
            /** The window over the tensor goes on by a tenth of it. */
            pan: (i) =>
              document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key: i % 20 < 10 ? "PageUp" : "PageDown", bubbles: true }),
              ),
            /** The pointer goes over the picture, and what is under it lights up. */
            point: (i) =>
              canvas.dispatchEvent(
                new PointerEvent("pointermove", {
                  clientX: box.x + box.width * part(7 * i),
                  clientY: box.y + box.height * part(3 * i),
                }),
              ),
            /** Cells grow and shrink, by a notch of the wheel each. */
            zoom: (i) =>
              canvas.dispatchEvent(
                new WheelEvent("wheel", {
                  deltaY: i % 20 < 10 ? 80 : -80,
                  ctrlKey: true,
                  bubbles: true,
                  cancelable: true,
                }),
              ),
            /** The picture is made at another size. */
            resize: (i) => (stage.style.width = `${Math.round(wide * (1 - 0.4 * part(i)))}px`),
          };
          const between = [];
          let before = 0, i = 0;
          const tick = (now) => {
            performance.mark("bench:frame");
            if (before) between.push(now - before);
            before = now;
            if (i === count) {
              stage.style.width = "";
              return resolve(between);
            }
            actions[action](i++);
            requestAnimationFrame(tick);
          };
          requestAnimationFrame(tick);
        }),
      { action, count },
    ),
  );
  const begins = marks.filter(({ name }) => name === "frame");
  return result.map((between, i) => ({ between, work: work(tasks, begins[i].at, begins[i + 1].at) }));
}
