// The wasm module against the command line: one engine, the same bytes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { link, root } from "./serve.mjs";

let engine, folder;
before(async () => {
  // The module is made for the page: as an ES module of its own name, and with the wasm handed to it.
  folder = mkdtempSync(join(tmpdir(), "stridescope-"));
  writeFileSync(join(folder, "stridescope.mjs"), readFileSync(join(root, "build/web/stridescope.js")));
  const { default: create } = await import(join(folder, "stridescope.mjs"));
  engine = await create({ wasmBinary: readFileSync(join(root, "build/web/stridescope.wasm")) });
});
after(() => rmSync(folder, { recursive: true }));

const native = (...args) =>
  execFileSync(join(root, "build/bin/stridescope"), args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 26,
  });
const examples = readdirSync(join(root, "assets/examples")).filter((name) => name.endsWith(".py"));
const outcome = (run) => {
  try {
    return run();
  } catch (error) {
    return error.stdout; // a program with an error in it has a picture too, and a status that is not 0
  }
};

for (const [lang, name] of [["en", "operations.html"], ["zh", "operations.zh.html"]])
  test(`the site's ${name} is the command line's`, () => {
    assert.equal(
      readFileSync(join(root, "build/site/docs", name), "utf8"),
      native("operations", "--html", "--lang", lang),
    );
  });

test("there are examples to compare", () => assert.ok(examples.length >= 6));

for (const name of examples) {
  const file = join(root, "assets/examples", name);
  const code = readFileSync(file, "utf8");
  test(`${name}: the same report from wasm and from the command line`, () => {
    assert.equal(engine.trace(link({ code })).trimEnd(), outcome(() => native("trace", file)).trimEnd());
  });
  for (const [theme, lang] of [["light", "en"], ["dark", "zh"]])
    test(`${name}: the same SVG from wasm and from the command line, ${theme}, ${lang}`, () => {
      const out = join(folder, "native.svg");
      outcome(() => native("render", file, "-o", out, "--theme", theme, "--lang", lang));
      assert.equal(engine.svg(link({ code, theme, lang })), readFileSync(out, "utf8"));
    });
}

test("every label the page asks for is in the catalogue of both languages, with the same placeholders", () => {
  const source =
    readdirSync(join(root, "web/src"), { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, "web/src", name), "utf8"))
      .join("\n") + readFileSync(join(root, "web/index.html"), "utf8");
  const asked = [...source.matchAll(/say\("(\w+)"|data-(?:text|label)="(\w+)"/g)].map(
    ([, said, named]) => said ?? named,
  );
  assert.ok(asked.length > 20);
  const english = JSON.parse(engine.labels("v=1")), chinese = JSON.parse(engine.labels("v=1&lang=zh"));
  const slots = (text) => [...text.matchAll(/\{\d\}/g)].map(([slot]) => slot).sort();
  for (const id of asked) {
    assert.ok(english[`label_${id}`], id);
    assert.deepEqual(slots(chinese[`label_${id}`]), slots(english[`label_${id}`]), id);
  }
});

test("completion and signature help know the program before the cursor", () => {
  const code = "x = torch.arange(6)\nx.transp";
  const found = JSON.parse(engine.complete(link({ code }), code.length));
  assert.deepEqual(found.replaced, [22, 28]);
  assert.deepEqual(found.items.map((item) => item.text), ["transpose", "transpose_"]);
  const help = JSON.parse(engine.signatureHelp(link({ code: "x = torch.arange(6)\nx.transpose(0, " }), 35));
  const form = help.forms[help.active];
  assert.equal(form.parameters[form.parameter].name, "dim1");
  const row = JSON.parse(engine.operations("v=1"))[form.operation];
  assert.ok(row.forms.some((one) => one.signature === form.signature));
});

test("any text is a document: nothing crosses the border as an exception", () => {
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const pieces = [
    "v=1",
    "&",
    "=",
    "code",
    "step",
    "head",
    "hover",
    "%",
    "%00",
    "%FF",
    "\ud800",
    "cell:0:",
    "-1",
    "9".repeat(30),
    "x=torch.arange(9)\n",
    "(".repeat(500),
    "width",
    "theme",
    "=dark",
  ];
  for (let i = 0; i < 500; ++i) {
    const text = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
    // The table of operations takes longest to write by far, and is the same but for the language.
    const asks = ["normalise", "problems", "trace", "elements", "frame", "svg", "labels"];
    for (const ask of i % 25 === 0 ? [...asks, "operations"] : asks)
      assert.doesNotThrow(() => engine[ask](text), `${ask}(${JSON.stringify(text)})`);
    for (const position of [-1, 0, random(40), 2 ** 31 - 1])
      (JSON.parse(engine.complete(text, position)), JSON.parse(engine.signatureHelp(text, position)));
    JSON.parse(engine.trace(text)), JSON.parse(engine.elements(text)), JSON.parse(engine.problems(text));
    assert.equal(engine.normalise(engine.normalise(text)), engine.normalise(text));
  }
});

test("a frame is where its table of fields says, and inside the module's memory", () => {
  const { fields, words, shapes } = JSON.parse(engine.frameFields());
  assert.equal(Object.keys(fields).length, words);
  const frame = engine.frame(link({ code: "x = torch.arange(10**6).view(1000, 1000)", width: 92000 }));
  assert.equal(frame.items.length % words, 0);
  assert.equal(frame.width, 92000);
  for (let at = 0; at < frame.items.length; at += words) {
    const field = (name) => frame.items[at + fields[name]];
    const end = field("first") + field("count");
    if (field("shape") === shapes.polyline) assert.ok(2 * end <= frame.points.length);
    if (field("shape") === shapes.text) assert.ok(end <= frame.text.length);
    if (field("shape") === shapes.image) assert.ok(4 * end <= frame.pixels.length);
  }
});
