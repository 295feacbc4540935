import { open } from "node:fs/promises";

const PAGE_BYTES = 65_536;

/**
 * Compiles a file of WebAssembly. Its bytes are read into memory that is not malloc's: when a large piece of that is given back, glibc keeps
 * up to twice as much in each of its arenas from then on (ADR 45).
 * @param {URL} url
 */
export async function compiledWasm(url) {
  const file = await open(url);
  try {
    const { size } = await file.stat();
    const { buffer } = new WebAssembly.Memory({ initial: Math.ceil(size / PAGE_BYTES) });
    const bytes = new Uint8Array(buffer, 0, size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) throw new Error(`${url} ends too soon`);
      at += bytesRead;
    }
    return await WebAssembly.compile(bytes);
  } finally {
    await file.close();
  }
}
