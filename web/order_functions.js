// Puts functions of a wasm module that are alike beside each other: gzip finds what it has seen in the 32 KB before, no
// further. Nothing else changes, and the module becomes a twentieth smaller to fetch.
//
//   node order_functions.js module.wasm
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2], bytes = readFileSync(path);

// What it does not know, as another compiler may write it, leaves the module as it is: larger, and as good.
process.on("uncaughtException", (surprise) => {
  console.warn(`order_functions.js: ${path} stays as it is: ${surprise.message}`);
  process.exit(0);
});

/** The unsigned number (LEB128) at `at`, and where it ends. */
function number(at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    value += (bytes[at] & 127) * 2 ** shift;
    if (!(bytes[at++] > 127)) return [value, at];
  }
}
const encoded = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...encoded(value >>> 7)]);
const bytesOf = (pieces) => Buffer.concat(pieces.map((piece) => Uint8Array.from(piece)));

/** Where the instruction at `at` ends: behind its opcode are numbers, how many depends on it. */
function instructionEnd(at) {
  const skipped = (count) => {
    for (; count > 0; --count) while (bytes[at++] > 127);
    return at;
  };
  const opcode = bytes[at++];
  if (opcode === 0x0e) {
    const [targets, first] = number(at);
    at = first;
    return skipped(targets + 1);
  }
  if (opcode === 0x43) return at + 4; // f32.const
  if (opcode === 0x44) return at + 8; // f64.const
  if (opcode === 0xfc) {
    const [wide, behind] = number(at);
    at = behind;
    return skipped(wide < 8 ? 0 : wide === 9 || wide === 11 || wide === 13 || wide > 14 ? 1 : 2);
  }
  if (opcode === 0x11 || (opcode >= 0x28 && opcode <= 0x3e)) return skipped(2); // call_indirect, loads, stores
  const one = [0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2];
  if (opcode > 0xc4 && opcode !== 0xd0 && opcode !== 0xd1 && opcode !== 0xd2) throw new Error(`opcode ${opcode}`);
  return skipped(one.includes(opcode) ? 1 : 0);
}

const sections = new Map();
for (let at = 8; at < bytes.length; ) {
  const [size, begin] = number(at + 1);
  if (bytes[at] !== 0) sections.set(bytes[at], { begin, end: begin + size }); // 0 is for tools
  at = begin + size;
}
/** Calls `read` with where each item of a section begins; it answers where the item ends. */
function items(section, read) {
  let [count, at] = number(sections.get(section).begin);
  while (count-- > 0) at = read(at);
}

let imported = 0;
items(2, (at) => {
  for (let names = 0; names < 2; ++names) {
    const [length, begin] = number(at);
    at = begin + length;
  }
  if (bytes[at] !== 0) throw new Error("not a function is imported");
  ++imported;
  return number(at + 1)[1];
});
const types = [], bodies = [];
items(3, (at) => {
  const [type, end] = number(at);
  types.push(type);
  return end;
});
items(10, (at) => {
  const [size, begin] = number(at);
  bodies.push({ begin, end: begin + size });
  return begin + size;
});

/** A new order of the functions. The first stay, for calls of a number below 128 take one byte less. */
function order() {
  const first = 128 - imported, kept = 24_000, length = 5, crowded = 60;
  // Each function's strings of that length, and in which functions each is.
  const holders = new Map();
  const strings = bodies.map(({ begin, end }) => {
    const found = new Set();
    for (let at = begin, string = 0; at < end; ++at) {
      string = (string % 2 ** 32) * 256 + bytes[at];
      if (at - begin >= length - 1) found.add(string);
    }
    return found;
  });
  for (let k = first; k < bodies.length; ++k)
    for (const string of strings[k]) holders.set(string, [...(holders.get(string) ?? []), k].slice(0, crowded + 1));
  for (const [string, where] of holders) if (where.length < 2 || where.length > crowded) holders.delete(string);
  const shared = strings.map((found) => [...found].filter((string) => holders.has(string)));

  // Next is always the one of whose strings most are in those just placed.
  const sizes = strings.map((found) => found.size + 20), common = new Int32Array(bodies.length), seen = new Map();
  const left = new Set(bodies.keys()), placed = [];
  const count = (k, by) => {
    for (const string of shared[k]) {
      const before = seen.get(string) ?? 0;
      seen.set(string, before + by);
      if (before === 0 || before + by === 0) for (const holder of holders.get(string)) common[holder] += by;
    }
  };
  for (let behind = 0, size = 0; left.size > 0; ) {
    let next = placed.length;
    if (next >= first) {
      let most = -1;
      for (const k of left) if (common[k] / sizes[k] > most) (most = common[k] / sizes[k]), (next = k);
    }
    placed.push(next);
    left.delete(next);
    if (next < first) continue;
    count(next, 1);
    size += sizes[next];
    for (behind = Math.max(behind, first); size > kept; ++behind) {
      size -= sizes[placed[behind]];
      count(placed[behind], -1);
    }
  }
  return placed;
}

const placed = order(), renumbered = [...Array(imported).keys()];
placed.forEach((old, k) => (renumbered[imported + old] = imported + k));

/** A body with the functions that it calls renumbered. */
function body({ begin, end }) {
  const pieces = [];
  let [locals, at] = number(begin), copied = begin;
  while (locals-- > 0) at = number(at)[1] + 1;
  for (let next; at < end; at = next) {
    next = instructionEnd(at);
    if (bytes[at] !== 0x10 && bytes[at] !== 0xd2) continue;
    pieces.push(bytes.subarray(copied, at + 1), encoded(renumbered[number(at + 1)[0]]));
    copied = next;
  }
  return bytesOf([...pieces, bytes.subarray(copied, end)]);
}

/** A section of which each item is what is copied of it and then functions, to be renumbered. */
function renumberedIn(section, functionsOf) {
  const { begin } = sections.get(section), pieces = [encoded(number(begin)[0])];
  items(section, (at) => {
    const { from, functions } = functionsOf(at);
    pieces.push(bytes.subarray(at, from));
    let end = from;
    for (let k = 0; k < functions; ++k) {
      const [old, behind] = number(end);
      pieces.push(encoded(renumbered[old]));
      end = behind;
    }
    return end;
  });
  return bytesOf(pieces);
}

const changed = new Map([
  [3, bytesOf([encoded(types.length), ...placed.map((old) => encoded(types[old]))])],
  [10, bytesOf([encoded(placed.length), ...placed.flatMap((old) => {
    const moved = body(bodies[old]);
    return [encoded(moved.length), moved];
  })])],
  [7, renumberedIn(7, (at) => { // exports: a name, a kind, a number
    const [length, name] = number(at), kind = name + length;
    return { from: bytes[kind] === 0 ? kind + 1 : number(kind + 1)[1], functions: bytes[kind] === 0 ? 1 : 0 };
  })],
  [9, renumberedIn(9, (at) => { // the table: where in it, "i32.const .. end", then how many functions
    if (bytes[at] !== 0) throw new Error("a table of another kind");
    const [functions, from] = number(instructionEnd(at + 1) + 1);
    return { from, functions };
  })],
]);
if (sections.has(8)) throw new Error("a start function");
const pieces = [bytes.subarray(0, 8)];
for (const [section, { begin, end }] of sections) {
  const content = changed.get(section) ?? bytes.subarray(begin, end);
  pieces.push([section], encoded(content.length), content);
}
const ordered = bytesOf(pieces);
if (!WebAssembly.validate(ordered)) throw new Error("it would not be valid");
writeFileSync(path, ordered);
