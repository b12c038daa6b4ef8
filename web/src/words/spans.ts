// The engine counts UTF-8 bytes, JavaScript counts UTF-16 units.

/** Turns byte offsets in `source` into indices of the string. */
export function indexOfByte(source: string): (byte: number) => number {
  if (/^[\x00-\x7f]*$/.test(source)) return (byte) => Math.min(byte, source.length);
  const starts: number[] = [];
  let index = 0;
  for (const character of source) {
    const code = character.codePointAt(0) as number;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let i = 0; i < bytes; ++i) starts.push(index);
    index += character.length;
  }
  return (byte) => starts[byte] ?? source.length;
}
