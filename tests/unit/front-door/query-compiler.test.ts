import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { compiledWasm } from "@/server/front-door/compiled-wasm.mjs";
import { bytesOf, readsFile } from "@/server/front-door/query-compiler.mjs";

const generated = () => readFileSync("server/db/generated/internal/class.ts", "utf8");
const folder = mkdtempSync(join(tmpdir(), "almanac-wasm-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The file, compiled, of which nothing but the first bytes may be there. */
async function compiled(bytes: Uint8Array) {
  const file = join(folder, "some.wasm");
  writeFileSync(file, bytes);
  return await compiledWasm(pathToFileURL(file));
}

describe("the query compiler of Prisma, as a file", () => {
  it("is read by the generated client in place of the text", () => {
    const { source, module } = readsFile(generated());
    expect(generated()).toContain(`import("${module}")`);
    expect(source).not.toContain(module);
    expect(source).toContain('() => compiledWasm(new URL("./query-compiler.wasm", import.meta.url))');
  });

  it("is what the text decodes to, and what Prisma's runtime can import", async () => {
    const { module } = readsFile(generated());
    const { wasm } = await import(/* @vite-ignore */ module);
    const bytes = await bytesOf(createRequire(import.meta.url).resolve(module));
    expect(bytes.equals(Buffer.from(wasm, "base64"))).toBe(true);
    const [ours, theirs] = [await compiled(bytes), new WebAssembly.Module(bytes)];
    expect(WebAssembly.Module.exports(ours)).toEqual(WebAssembly.Module.exports(theirs));
  });

  it("is refused in a shape that is not known", async () => {
    expect(() => readsFile("config.compilerWasm = {}")).toThrow(/not what it was/);
    const file = join(folder, "empty.mjs");
    writeFileSync(file, "export const wasm = new Uint8Array()");
    await expect(bytesOf(file)).rejects.toThrow(/holds no WebAssembly/);
  });
});

describe("a file of WebAssembly", () => {
  const empty = Buffer.from("0061736d01000000", "hex");

  it("is compiled as a whole, also where it ends within a page", async () => {
    expect(WebAssembly.Module.exports(await compiled(empty))).toEqual([]);
  });

  it("fails when it is none", async () => {
    await expect(compiled(empty.subarray(0, 5))).rejects.toThrow(WebAssembly.CompileError);
    await expect(compiledWasm(pathToFileURL(join(folder, "missing.wasm")))).rejects.toThrow(/ENOENT/);
  });
});
