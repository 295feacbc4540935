import { parseArgs } from "node:util";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { connect, type Database } from "@/server/db/client";
import { EnvFaults, type EnvSource, readEnv } from "@/server/env";
import { openDatabase } from "@/server/front-door/doctor/open-database";
import { StartError } from "@/server/front-door/start-error";
import { isRefusal } from "@/server/services/refusal";
import type { AuditActor } from "@/server/services/staff/audit/audit";
import { turnOff, turnOn } from "@/server/services/staff/maintenance/change";

const USAGE = `Usage:
  npm run maintenance -- status
  npm run maintenance -- on  [--application <client_id>] [--for 30m] [--note "why"]
  npm run maintenance -- off [--application <client_id>]
Without --application, the whole service is read-only.
`;
const MINUTES = { m: 1, h: 60 } as const;
const LONGEST_MINUTES = 1_440;

export interface MaintenanceCommand {
  source: EnvSource;
  args: readonly string[];
}

/** Turns maintenance on and off from a shell, also beside running processes, which follow within seconds (ADR 126). Returns the exit code. */
export async function maintenance({ source, args }: MaintenanceCommand): Promise<number> {
  const { isFault, text } = await carriedOut({ source, args });
  (isFault ? process.stderr : process.stdout).write(text);
  return isFault ? 2 : 0;
}

export interface Said {
  isFault: boolean;
  text: string;
}

const said = (text: string): Said => ({ isFault: false, text: `${text}\n` });
const fault = (text: string): Said => ({ isFault: true, text: `${text}\n` });

/** Does it, and returns what it says. */
export async function carriedOut({ source, args }: MaintenanceCommand): Promise<Said> {
  const asked = read(args);
  if ("isFault" in asked) return asked;
  try {
    context.env = readEnv(source);
    const opened = await openDatabase(context.env);
    if (opened === null) return fault("There is no database yet: the first start of Almanac creates it.");
    const db = connect(opened.url, { max: 1 });
    try {
      return await carryOut(db, asked);
    } finally {
      await db.close();
      await opened.close();
    }
  } catch (error) {
    if (error instanceof EnvFaults) return fault(error.faults.join("\n"));
    if (error instanceof StartError) return fault(error.message);
    const { code } = error as { code?: unknown };
    return fault(
      `The database can't be used (${typeof code === "string" && code !== "" ? code : "no connection"}). Is this version's migration applied?`,
    );
  }
}

interface Asked {
  verb: "status" | "on" | "off";
  clientId: string | null;
  minutes: number | null;
  note: string;
}

function read(args: readonly string[]): Asked | Said {
  try {
    const options = { application: { type: "string" }, for: { type: "string" }, note: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [verb = ""] = positionals;
    const minutes = values.for === undefined ? null : minutesOf(values.for);
    if (positionals.length !== 1 || !["status", "on", "off"].includes(verb)) return fault(USAGE);
    if (minutes === undefined) return fault("--for is a time such as 30m or 2h, of 24 hours at most.");
    return { verb: verb as Asked["verb"], clientId: values.application ?? null, minutes, note: values.note ?? "" };
  } catch {
    return fault(USAGE);
  }
}

function minutesOf(text: string): number | undefined {
  const [, digits = "", unit = "m"] = /^(\d{1,4})([mh])$/.exec(text) ?? [];
  const minutes = Number(digits) * MINUTES[unit as keyof typeof MINUTES];
  return minutes >= 1 && minutes <= LONGEST_MINUTES ? minutes : undefined;
}

async function carryOut(db: Database, { verb, clientId, minutes, note }: Asked): Promise<Said> {
  if (verb === "status") return said(await stateOf(db));
  const application = clientId === null ? null : await db.prisma.application.findUnique({ where: { clientId } });
  if (clientId !== null && !application) return fault(`No application has the client ID ${clientId}.`);
  const id = application?.id ?? null;
  const who: AuditActor = {
    now: clock().now(),
    operator: null,
    stranger: "Command line",
    address: null,
    requestId: null,
  };
  try {
    if (verb === "on") await turnOn(db, who, { application: id, minutes, note });
    else await turnOff(db, who, id);
  } catch (error) {
    if (isRefusal(error) && error.reason.kind === "conflict") return fault(error.reason.text);
    throw error;
  }
  return said(await stateOf(db));
}

async function stateOf({ prisma }: Database): Promise<string> {
  const rows = await prisma.maintenanceSwitch.findMany({
    where: { OR: [{ endsAt: null }, { endsAt: { gt: new Date(clock().now()) } }] },
    include: { application: { select: { name: true } } },
    orderBy: { since: "asc" },
  });
  if (rows.length === 0) return "No maintenance.";
  return rows
    .map(({ application, since, endsAt, actor, note }) => {
      const what = application ? `Requests of ${application.name} are refused` : "The service is read-only";
      const until = endsAt ? `until ${endsAt.toISOString()}` : "until it is turned off";
      return `${what} since ${since.toISOString()}, ${until}. By ${actor}${note === "" ? "" : `: ${note}`}.`;
    })
    .join("\n");
}
