import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where PgBouncer is; undefined when there is none. */
export function findPgbouncer() {
  return ["/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer", "/usr/local/bin/pgbouncer"].find((path) =>
    existsSync(path),
  );
}

/** Installs Debian's PgBouncer where there is none, and says so: 1.18 of Debian 12 keeps no account of prepared statements. */
export function ensurePgbouncer() {
  if (findPgbouncer() || !existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return;
  process.stdout.write("pgbouncer missing; installing for the tests of poolers…\n");
  const install = ["install", "-y", "--no-install-recommends", "pgbouncer"];
  for (const args of [install, ["update"], install]) {
    if (findPgbouncer()) return;
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
  }
}
