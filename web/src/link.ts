// The fragment of the address. It holds the document as it is, or with the program deflated where that makes it a fifth
// shorter: "v=1&z=<base64url of raw deflate of the program's UTF-8>&step=3". Links of every version open for ever:
// web/tests/keep.test.mjs keeps one of each kind.

/** Of a program, once inflated: more than the engine takes, and little enough that no link can fill the memory. */
export const mostBytes = 64 * 1024;

/** A document without its program where the link's program cannot be had. */
export interface Unpacked {
  text: string;
  trouble: "" | "link_unreadable" | "link_too_big";
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array | null> {
  const writer = stream.writable.getWriter();
  // The reader reports what is wrong with the bytes; here it would be reported once more.
  void writer.write(bytes as BufferSource).catch(() => {});
  void writer.close().catch(() => {});
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      void reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}

const program = /(^|&)code=([^&]*)/;
const packed = /(^#?|&)z=([^&]*)/;

/** The shorter form of a document, where it is a fifth shorter. */
export async function pack(text: string): Promise<string> {
  const code = program.exec(text)?.[2];
  if (!code || typeof CompressionStream === "undefined") return text;
  const bytes = await through(
    new TextEncoder().encode(decodeURIComponent(code)),
    new CompressionStream("deflate-raw"),
    Infinity,
  );
  if (!bytes) return text;
  const short = text.replace(program, (_, before: string) => `${before}z=${base64url(bytes)}`);
  return short.length <= 0.8 * text.length ? short : text;
}

/** The document of a fragment. Never fails. */
export async function unpack(fragment: string): Promise<Unpacked> {
  const found = packed.exec(fragment);
  if (!found || program.test(fragment)) return { text: fragment, trouble: "" };
  const [all, before = "", z = ""] = found;
  const without = fragment.replace(all, "").replace(/^&/, "");
  if (fragment.length > mostBytes) return { text: "v=1", trouble: "link_too_big" };
  try {
    const bytes = await through(bytesOf(z), new DecompressionStream("deflate-raw"), mostBytes);
    if (!bytes) return { text: without, trouble: "link_too_big" };
    const code = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text: fragment.replace(all, `${before}code=${encodeURIComponent(code)}`), trouble: "" };
  } catch {
    return { text: without, trouble: "link_unreadable" };
  }
}
