import { resolve } from "node:path";
import { buildSync } from "esbuild";

const root = resolve(import.meta.dirname, "../..");

/** A TypeScript program that imports from `@/`, as one ES module for a process of its own. External packages are imported from where it runs. */
export function bundledProgram(program: string, packages: "bundle" | "external" = "bundle"): string {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    alias: { "@": root },
    bundle: true,
    platform: "node",
    format: "esm",
    packages,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
