// Folders from a plain host that compresses, as the hosts of static sites do, and remembers nothing.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};
const packed = new Map(); // by the hash of what is packed

/** What of a file goes over the wire. */
export function onTheWire(file) {
  const bytes = readFileSync(file);
  if (extname(file) === ".woff2") return bytes; // packed already
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (!packed.has(hash)) packed.set(hash, gzipSync(bytes, { level: 9 }));
  return packed.get(hash);
}

/** Serves each folder under a path of its own, {"/site/": "/where/it/is"}. */
export async function host(folders) {
  const fileOf = (path) => {
    const prefix = Object.keys(folders).find((one) => path.startsWith(one));
    if (!prefix) return "";
    const file = join(folders[prefix], normalize("/" + path.slice(prefix.length)));
    return file.endsWith("/") ? file + "index.html" : file;
  };
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url, "http://localhost").pathname);
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const body = onTheWire(file);
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": body.length,
      ...(extname(file) !== ".woff2" && { "content-encoding": "gzip" }),
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    fileOf: (url) => fileOf(new URL(url).pathname),
    close: () => server.close(),
  };
}
