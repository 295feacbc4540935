import { existsSync } from "node:fs";
import { installPackages } from "../debian.mjs";

/** Where PgBouncer is; undefined when there is none. */
export function findPgbouncer() {
  return ["/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer", "/usr/local/bin/pgbouncer"].find((path) =>
    existsSync(path),
  );
}

/** 1.18 of Debian 12 keeps no account of prepared statements, which the tests are about. */
export function missingPgbouncer() {
  return findPgbouncer() ? [] : ["pgbouncer"];
}

export function installPgbouncer() {
  installPackages(missingPgbouncer);
}
