import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const GENERATED =
  /async \(\) => \{\s+const \{ wasm \} = await import\("([^"]+)"\)\s+return await decodeBase64AsWasm\(wasm\)\s+\}/;
const FILE = "query-compiler.wasm";

/**
 * Gives Prisma's generated client its query compiler as a file of bytes in `folder` (ADR 45). The client carries it as
 * a text in base64, of which a process keeps 9 MB.
 * @param {{ root: string, folder: string }} options
 * @returns {import("esbuild").Plugin}
 */
export function queryCompiler({ root, folder }) {
  return {
    name: "query compiler",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/]internal[\\/]class\.ts$/ }, async ({ path }) => {
        const { source, module } = readsFile(await readFile(path, "utf8"));
        await writeFile(join(folder, FILE), await bytesOf(createRequire(join(root, "package.json")).resolve(module)));
        return { contents: source, loader: "ts" };
      });
    },
  };
}

/**
 * Rewrites the generated source so that it reads the file, and names the module of the text that it would have read.
 * @param {string} source
 */
export function readsFile(source) {
  const [whole, module] = GENERATED.exec(source) ?? [];
  if (!whole || !module) throw new Error("Prisma's generated client is not what it was: see query-compiler.mjs");
  const call = `() => compiledWasm(new URL("./${FILE}", import.meta.url))`;
  const from = `import { compiledWasm } from "@/server/front-door/compiled-wasm.mjs";`;
  return { source: `${from}\n${source.replace(whole, call)}`, module };
}

/** What stands before the base64. */
const BEFORE = 'wasm = "';

/**
 * Reads the bytes of a module that exports them as base64. Importing the module would keep it in memory.
 * @param {string} file
 */
export async function bytesOf(file) {
  const source = await readFile(file, "utf8");
  // Megabytes, which are too much for a regular expression.
  const start = source.indexOf(BEFORE) + BEFORE.length;
  const end = source.indexOf('"', start);
  if (start < BEFORE.length || end <= start) throw new Error(`${file} holds no WebAssembly as base64`);
  return Buffer.from(source.slice(start, end), "base64");
}
