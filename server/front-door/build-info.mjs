import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * The version and the commit of the sources. An image is built without .git, so ALMANAC_COMMIT says it there.
 * @param {string} root
 * @returns {Promise<{ version: string, commit: string }>}
 */
export async function infoOfSources(root) {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return { version, commit: process.env.ALMANAC_COMMIT || (await head(root)) || "unknown" };
}

/** @param {string} root */
export async function writeBuildInfo(root) {
  await writeFile(fileOf(root), JSON.stringify(await infoOfSources(root)));
}

/**
 * What the build was made from; of the sources where there is none, as in development.
 * @param {string} root
 * @returns {Promise<{ version: string, commit: string }>}
 */
export async function readBuildInfo(root) {
  const written = await readFile(fileOf(root), "utf8").catch(() => null);
  return written === null ? await infoOfSources(root) : JSON.parse(written);
}

/** @param {string} root @returns {Promise<string | null>} Null: no git, or no repository of its own. */
async function head(root) {
  try {
    const { stdout } = await run("git", ["-C", root, "rev-parse", "--show-prefix", "HEAD"]);
    const [prefix, commit = ""] = stdout.split("\n");
    return prefix === "" ? commit.trim() : null;
  } catch {
    return null;
  }
}

/** @param {string} root */
function fileOf(root) {
  return join(root, ".next", "almanac-build.json");
}
