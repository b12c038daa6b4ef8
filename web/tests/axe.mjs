// axe-core over what is on a page now. It is run from outside the page's content policy, which rightly refuses it: the
// browser's window has `bypassCSP`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param state what is looked at, for whoever reads what was found */
export async function axeFindsNothing(page, state = "") {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  // Every rule is checked; of what is in order nothing is written down, which would take a third of the time.
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(
      ({ id, nodes }) =>
        `${state} ${id}: ${nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join("; ")}`,
    ),
    [],
  );
}
