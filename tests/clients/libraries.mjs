import { spawnSync } from "node:child_process";
import { installPackages } from "../debian.mjs";

export const PYTHON = "/usr/bin/python3";

/** Debian's packages of the libraries in which applications are written, by what Python calls them. */
const packages = { authlib: "python3-authlib", requests_oauthlib: "python3-requests-oauthlib" };

export function missingClientLibraries() {
  return Object.keys(packages).filter((name) => !hasModule(name));
}

export function installClientLibraries() {
  installPackages(() => missingClientLibraries().map((name) => packages[name]));
}

function hasModule(name) {
  return spawnSync(PYTHON, ["-c", `import ${name}`], { stdio: "ignore" }).status === 0;
}
