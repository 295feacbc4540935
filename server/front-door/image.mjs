// `node server/front-door/image.mjs <folder>`: copies what the built service needs to run into a folder, which the image is made of (ADR 125).
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readStamp, sourceDigest, writeStamp } from "./build-stamp.mjs";
import { billOfMaterials } from "./sbom.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(import.meta.url);
const { nodeFileTrace } = require("next/dist/compiled/@vercel/nft");

/** Programs of the image: what they load comes along. */
const programs = [
  ...["launch", "doctor", "maintenance", "restore-check", "tz-report"].map((name) => `server/front-door/${name}.mjs`),
  ...["main", "embedded-worker", "empty-database", "docs", "doctor", "maintenance", "restore-check"].map(
    (name) => `.next/front-door/${name}.mjs`,
  ),
];
/** Read by their names. The documentation is rendered from its files. */
const read = [
  ...["package.json", "next.config.js", "LICENSE", "CHANGELOG.md", "docs", "prisma/migrations"],
  ...["components/docs/webhook-code", "components/docs/receiver-code"],
  ...["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono", "@fontsource/instrument-serif"].map(
    (name) => `node_modules/${name}`,
  ),
  "node_modules/@electric-sql/pglite/dist",
  // Next resolves these, and loads none of them.
  ...["webpack", "@babel"].map((name) => `node_modules/next/dist/compiled/${name}`),
];
/** Loaded by a build, by Next's development server, or by nobody. */
const unused = [
  ...["server/front-door/{bundle,docs-files}.mjs", "**/esbuild/**", "**/@next/swc-*/**", "node_modules/typescript/**"],
  "**/next/dist/compiled/{webpack,babel,babel-packages,terser,@babel,@vercel/nft}/**",
  ...["**/next/dist/server/dev/**", "**/next/dist/**/*.{development,dev}.js"],
  ...["**/*.d.ts", "**/*.{js,mjs,cjs}.map"],
];
/** Of .next: what Next and the bundler leave for themselves, and for types. */
const leftovers = ["cache", "diagnostics", "trace", "trace-build", "turbopack", "types"].map((name) => `.next/${name}`);
/** Extensions of PostgreSQL for the embedded database. Almanac uses none. */
const EXTENSION = /\.(tar\.gz|d\.[cm]?ts|map)$/;

const [target] = process.argv.slice(2);
if (!target) {
  process.stderr.write("Name the folder to copy to: node server/front-door/image.mjs <folder>\n");
  process.exit(2);
}
const folder = resolve(target);
if ((await readStamp(root)) !== (await sourceDigest(root))) {
  process.stderr.write("The build is missing or old. Run `npm run build` first.\n");
  process.exit(1);
}
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const file of await traced()) await copy(file);
for (const path of [...read, ".next"]) await copy(path);
await writeFile(join(folder, "sbom.cdx.json"), JSON.stringify(await billOfMaterials(root, folder), null, 2));
// A start compares the sources with those of the build: here they are what was copied.
await writeStamp(folder, await sourceDigest(folder));

/**
 * Lists what the programs load, and what Next says that its pages and its server load.
 * @returns {Promise<string[]>} paths from the root
 */
async function traced() {
  const { fileList } = await nodeFileTrace(
    programs.map((path) => join(root, path)),
    { base: root, ignore: unused, analysis: { emitGlobs: false, computeFileReferences: false } },
  );
  const own = [...fileList].filter((path) => !path.startsWith(".next/"));
  const lists = [".next/next-server.js.nft.json", ...(await pagesOf(".next/server"))];
  const files = await Promise.all(
    lists.map(async (list) => {
      const { files } = JSON.parse(await readFile(join(root, list), "utf8"));
      return files.map((/** @type {string} */ file) => relative(root, resolve(root, dirname(list), file)));
    }),
  );
  return [...new Set([...own, ...files.flat()])].filter((path) => !path.startsWith(".next/"));
}

/**
 * Lists the files that say what the pages of a folder load.
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function pagesOf(path) {
  const entries = await readdir(join(root, path), { recursive: true });
  return entries.filter((entry) => entry.endsWith(".nft.json")).map((entry) => join(path, entry));
}

/**
 * Copies a file or a folder, without what nobody reads.
 * @param {string} path from the root
 */
async function copy(path) {
  await cp(join(root, path), join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => {
      const name = relative(root, from);
      if (name.startsWith("docs/") && /\.\w+$/.test(name)) return name.endsWith(".md");
      return !leftovers.includes(name) && !(name.startsWith("node_modules/@electric-sql/") && EXTENSION.test(name));
    },
  });
}
