import { join } from "node:path";
import { context } from "@/server/context";
import { percentDecoded } from "@/server/domain/text";
import { isMailConfigured, MailFailure, verifyMail } from "@/server/egress/mail";
import { EnvFaults, type EnvSource, readEnv } from "@/server/env";
import { configuration } from "@/server/front-door/doctor/configuration";
import { database } from "@/server/front-door/doctor/database";
import { inngestServer } from "@/server/front-door/doctor/inngest-server";
import { providerClients } from "@/server/front-door/doctor/provider-clients";
import { redis } from "@/server/front-door/doctor/redis";
import {
  exitCodeOf,
  type Finding,
  fail,
  ok,
  reportJson,
  reportText,
  warn,
  withoutSecrets,
} from "@/server/front-door/doctor/report";

export interface DoctorOptions {
  /** Of the checkout or the image. */
  root: string;
  source: EnvSource;
}

/** Examines the installation, prints the report, and returns the exit code (`npm run doctor`). */
export async function doctor({ root, source, args }: DoctorOptions & { args: readonly string[] }): Promise<number> {
  const findings = await examine({ root, source });
  process.stdout.write(args.includes("--json") ? reportJson(findings) : reportText(findings));
  return exitCodeOf(findings, { isStrict: args.includes("--strict") });
}

/** Examines everything that the service depends on. Changes nothing and sends nothing. */
export async function examine({ root, source }: DoctorOptions): Promise<Finding[]> {
  try {
    context.env = readEnv(source);
  } catch (error) {
    if (!(error instanceof EnvFaults)) throw error;
    const faults = error.faults.map((fault) => fail("configuration", fault));
    return [...faults, warn("everything else", "Not checked: Almanac doesn't start with this configuration.")];
  }
  const migrations = join(root, "prisma", "migrations");
  const parts = [configuration(), database(source, migrations), redis(), inngestServer(), mail(), providerClients()];
  return withoutSecrets((await Promise.all(parts)).flat(), secretsIn(source));
}

async function mail(): Promise<Finding[]> {
  if (!isMailConfigured()) return [ok("email", "Not set up: SMTP_URL is not set.")];
  try {
    await verifyMail();
    return [ok("email", "The SMTP server accepts the sign-in. Nothing was sent.")];
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const advice = error.message.includes("EAUTH")
      ? "It refuses the user or the password: correct them in SMTP_URL."
      : "Check SMTP_URL, and that this machine may connect to it.";
    return [fail("email", `The SMTP server can't be used (${error.message}). ${advice} Alerts are not sent by email.`)];
  }
}

/** Shorter values could be a part of any word. */
const SHORTEST_SECRET = 6;

/** Lists the values of the environment that must not be printed, and the passwords in its addresses. */
function secretsIn(source: EnvSource): string[] {
  return Object.entries(source)
    .flatMap(([name, value = ""]) => {
      const [, password = ""] = /:\/\/[^/?#]*?:([^/?#]*)@/.exec(value) ?? [];
      const isSecret = /SECRET|PASSWORD|_KEYS?(_|$)|^BOOTSTRAP_/.test(name);
      return [password, percentDecoded(password) ?? "", ...(isSecret ? [value] : [])];
    })
    .filter((secret) => secret.length >= SHORTEST_SECRET);
}
