import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Reads the version and the commit of the sources. An image is built without .git, so ALMANAC_COMMIT names its commit.
 * @param {string} root
 * @returns {Promise<{ version: string, commit: string }>}
 */
async function infoOfSources(root) {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return { version, commit: process.env.ALMANAC_COMMIT || (await head(root)) || "unknown" };
}

/**
 * Writes the version and the commit of the sources into the build.
 * @param {string} root
 */
export async function writeBuildInfo(root) {
  await writeFile(fileOf(root), JSON.stringify(await infoOfSources(root)));
}

/**
 * Reads what the build was made from. Without a build, as in development, reads the sources instead.
 * @param {string} root
 * @returns {Promise<{ version: string, commit: string }>}
 */
export async function readBuildInfo(root) {
  const written = await readFile(fileOf(root), "utf8").catch(() => null);
  return written === null ? await infoOfSources(root) : JSON.parse(written);
}

/**
 * Asks git for the commit of the sources.
 * @param {string} root
 * @returns {Promise<string | null>} Null: no git, or no repository of its own.
 */
async function head(root) {
  try {
    const { stdout } = await run("git", ["-C", root, "rev-parse", "--show-prefix", "HEAD"]);
    const [prefix, commit = ""] = stdout.split("\n");
    return prefix === "" ? commit.trim() : null;
  } catch {
    return null;
  }
}

/**
 * Returns the path of the file that keeps a build's version and commit.
 * @param {string} root
 */
function fileOf(root) {
  return join(root, ".next", "almanac-build.json");
}
