import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MOST_BYTES = 100_000_000;

/** @typedef {{ "bom-ref": string, name: string, version: string }} Component */
/** @typedef {{ ref: string, dependsOn: string[] }} Dependency */

/**
 * Returns the software bill of materials of a folder with installed packages, in CycloneDX: of what npm reads in the lock file of `root`, the packages
 * that are there. Packages that only tests need directly may be among them, since others need them too.
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<{ components: Component[], dependencies: Dependency[] }>}
 */
export async function billOfMaterials(root, folder) {
  const { stdout } = await run("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], {
    cwd: root,
    maxBuffer: MOST_BYTES,
  });
  const listed = JSON.parse(stdout);
  const { metadata } = listed;
  const own = metadata.component["bom-ref"];
  const there = await packagesIn(folder);
  const components = listed.components
    .filter(isThere)
    .map((/** @type {Component} */ one) => ({ ...one, scope: "required" }));
  const missing = [...there].filter((name) => !components.some((/** @type {Component} */ one) => nameOf(one) === name));
  if (missing.length > 0) throw new Error(`npm doesn't list ${missing.join(", ")}`);
  const refs = new Set([own, ...components.map((/** @type {Component} */ one) => one["bom-ref"])]);
  const dependencies = listed.dependencies
    .filter((/** @type {Dependency} */ { ref }) => refs.has(ref))
    .map((/** @type {Dependency} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one)),
    }));
  // npm names the folder that it runs in.
  const component = { ...metadata.component, type: "application", name: own.split("@")[0] };
  return { ...listed, metadata: { ...metadata, component }, components, dependencies };

  /** @param {Component} component */
  function isThere(component) {
    return there.has(nameOf(component));
  }
}

/** @param {Component} component */
const nameOf = ({ name, version }) => `${name}@${version}`;

/**
 * Lists the packages of a folder as `name@version`.
 * @param {string} folder
 * @returns {Promise<Set<string>>}
 */
export async function packagesIn(folder) {
  const entries = await readdir(join(folder, "node_modules"), { recursive: true });
  const manifests = entries.filter((entry) => isPackage(entry.split(sep)));
  const names = await Promise.all(
    manifests.map(async (entry) => {
      const { name, version } = JSON.parse(await readFile(join(folder, "node_modules", entry), "utf8"));
      return `${name}@${version}`;
    }),
  );
  return new Set(names);
}

/**
 * Tells a package's own manifest from others by its path under node_modules: `pg/package.json`, `a/node_modules/@b/c/package.json`.
 * @param {string[]} path
 */
function isPackage(path) {
  if (path.at(-1) !== "package.json") return false;
  const parts = path.slice(path.lastIndexOf("node_modules") + 1, -1);
  return parts.length === (parts[0]?.startsWith("@") ? 2 : 1);
}
