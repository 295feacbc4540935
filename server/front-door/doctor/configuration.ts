import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { clock } from "@/server/clock";
import { isPublicAddress } from "@/server/domain/net/public-address";
import { type Env, env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { missingRules } from "@/server/front-door/time-zone-data.mjs";

const GIB = 1024 ** 3;
const LITTLE_SPACE = 2 * GIB;
const NO_SPACE = GIB / 4;

/** Checks what the environment says, and this machine. */
export async function configuration(): Promise<Finding[]> {
  return [...addresses(env()), ...callbackOrigins(env()), await space(env()), timeZoneData()];
}

const names = ["BASE_URL", "APP_URL"] as const;
const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

/** A service of this machine alone: its database is embedded, and its URLs lead to itself. */
const isOwnMachine = (env: Env) => env.DATABASE_URL === undefined && names.every((name) => isLocal(env[name]));

function addresses(env: Env): Finding[] {
  return names.map((name) => {
    const url = env[name];
    if (url.startsWith("https:")) return ok(name, url);
    if (isOwnMachine(env)) return ok(name, `${url}, for this machine alone.`);
    const problem = isLocal(url)
      ? "leads to this machine alone"
      : "is not an https URL, so tokens are sent in the clear";
    return fail(name, `${url} ${problem}. Set ${name} to the https URL by which clients reach Almanac.`);
  });
}

function callbackOrigins(env: Env): Finding[] {
  const origins = env.CALLBACK_ALLOWED_ORIGINS;
  if (origins.length === 0 || isOwnMachine(env)) return [ok("callback origins", "Callback URLs must be public.")];
  const unsafe = origins.filter((origin) => {
    const { protocol, hostname } = new URL(origin);
    const address = hostname.replaceAll(/^\[|\]$/g, "");
    const isAddress = /^[\d.]+$|:/.test(address);
    return protocol === "http:" || isLocal(origin) || (isAddress && !isPublicAddress(address));
  });
  if (unsafe.length === 0) return [ok("callback origins", `Also allowed: ${origins.join(", ")}`)];
  return [
    warn(
      "callback origins",
      `Every application may have Almanac send requests to ${unsafe.join(", ")}, without TLS or inside your network. Remove what you don't need from CALLBACK_ALLOWED_ORIGINS.`,
    ),
  ];
}

async function space({ DATA_DIR }: Env): Promise<Finding> {
  if (!existsSync(DATA_DIR))
    return ok("disk", `DATA_DIR ${DATA_DIR} doesn't exist: nothing is stored on this machine.`);
  const { bavail, bsize } = await statfs(DATA_DIR);
  const free = bavail * bsize;
  const text = `${(free / GIB).toFixed(1)} GiB free at DATA_DIR ${DATA_DIR}`;
  if (free < NO_SPACE) return fail("disk", `${text}: free some at once.`);
  return free < LITTLE_SPACE ? warn("disk", `${text}: free some.`) : ok("disk", text);
}

function timeZoneData(): Finding {
  const { tz: release = "" } = process.versions;
  const missing = missingRules();
  const isOld = Number(release.slice(0, 4)) < new Date(clock().now()).getUTCFullYear() - 1;
  if (missing.length === 0 && !isOld) return ok("time zone data", `tzdb ${release}`);
  const zones = missing.map(({ zone }) => zone).join(", ");
  const wrong = zones === "" ? "" : ` Local times may be wrong in ${zones}.`;
  return warn("time zone data", `tzdb ${release} is out of date.${wrong} Use a newer Node.js, or newer ICU data.`);
}
