import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const sources = [
  ...["app", "server", "components", "prisma", "public"],
  ...["package-lock.json", "next.config.js", "tsconfig.json", "instrumentation-client.ts", "postcss.config.mjs"],
];
/** Generated, for readers alone, or bundled when it runs: no build is made of them. */
const others = [
  ...[join("server", "db", "generated"), join("server", "decisions"), join("server", "demo")],
  ...["image.mjs", "sbom.mjs"].map((name) => join("server", "front-door", name)),
];

/**
 * Computes a digest of everything that the build is made of. It covers content and not times, which a checkout or an
 * image changes.
 * @param {string} root
 */
export async function sourceDigest(root) {
  const files = (await Promise.all(sources.map((name) => filesUnder(root, name)))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  const digest = createHash("sha256");
  for (const [at, content] of contents.entries()) {
    digest.update(`${files[at]} ${content.length}\n`).update(content);
  }
  return digest.digest("hex");
}

/**
 * Lists the files under a file or folder of the sources; a name that does not exist has none.
 * @param {string} root
 * @param {string} name
 * @returns {Promise<string[]>}
 */
async function filesUnder(root, name) {
  try {
    const entries = await readdir(join(root, name), { withFileTypes: true });
    const found = entries.map((entry) => {
      const path = join(name, entry.name);
      if (others.includes(path)) return [];
      return entry.isDirectory() ? filesUnder(root, path) : [path];
    });
    return (await Promise.all(found)).flat();
  } catch (error) {
    if (error.code === "ENOTDIR") return [name];
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Reads the digest of the sources that the last build was made from; empty when there is no build.
 * @param {string} root
 */
export async function readStamp(root) {
  return await readFile(stampOf(root), "utf8").catch(() => "");
}

/**
 * Writes the digest of the sources that the build was made from.
 * @param {string} root
 * @param {string} digest
 */
export async function writeStamp(root, digest) {
  await writeFile(stampOf(root), digest);
}

/**
 * Removes the digest of the last build, if there is one.
 * @param {string} root
 */
export async function removeStamp(root) {
  await rm(stampOf(root), { force: true });
}

/**
 * Returns the path of the file that keeps the digest of the last build.
 * @param {string} root
 */
function stampOf(root) {
  return join(root, ".next", "almanac-sources");
}
