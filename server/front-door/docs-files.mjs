import { watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Compiles the style and the scripts of the documentation's pages to `.next/docs`, where server/http/docs/site-files.ts reads them.
 * @param {string} root
 */
export async function compileDocs(root) {
  const folder = join(root, ".next", "docs");
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ["main.ts", "first.ts", "menu.ts"].map((name) => join(root, "components", "docs", "client", name)),
    outdir: folder,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    logLevel: "warning",
  });
  await writeFile(join(folder, "docs.css"), await compiledStyle(join(root, "components", "docs", "docs.css")));
}

/**
 * Compiles the documentation's files, and compiles them again whenever a component or a guide changes.
 * @param {string} root
 */
export async function keepDocsCompiled(root) {
  await compileDocs(root);
  let compiling = Promise.resolve();
  const again = () => {
    compiling = compiling.then(() => compileDocs(root)).catch((error) => process.stderr.write(`${error.message}\n`));
  };
  for (const folder of ["components", "docs"]) watch(join(root, folder), { recursive: true }, again).unref();
}

/**
 * Compiles a style sheet with Tailwind and minifies it.
 * @param {string} from
 */
async function compiledStyle(from) {
  const require = createRequire(import.meta.url);
  const tailwind = require("@tailwindcss/postcss");
  const postcss = createRequire(require.resolve("@tailwindcss/postcss"))("postcss");
  const { css } = await postcss([tailwind({ optimize: { minify: true } })]).process(await readFile(from, "utf8"), {
    from,
  });
  return css;
}
