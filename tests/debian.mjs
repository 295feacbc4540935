import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs Debian's packages, as long as `missing` names some: as root, and once more with newer lists, since the mirror may have moved on. */
export function installPackages(missing) {
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return;
  for (const isUpdated of [false, true]) {
    if (missing().length === 0) return;
    if (isUpdated) aptGet(["update"]);
    aptGet(["install", "-y", "--no-install-recommends", ...missing()]);
  }
}

function aptGet(args) {
  spawnSync("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
