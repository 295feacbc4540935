import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newDatabase } from "@/tests/fakes/new-database";
import { type Mailboxes, startMailboxes } from "@/tests/faults/neighbours/mailboxes";
import { type SharedReceiver, startSharedReceiver } from "@/tests/faults/neighbours/receiver";
import { CALLBACK, type Tenant } from "@/tests/faults/neighbours/tenants";
import { SERVER } from "@/tests/rig/database";
import { launch, type Service } from "@/tests/rig/service";
import type { Operator } from "@/tests/rig/sign-in";

export type DatabaseKind = "PostgreSQL" | "embedded";

/** What is there before the service is: its database, mailboxes and a receiver, and what it is started with. */
export interface Surroundings {
  env: Record<string, string>;
  /** The applications of the configuration, once it is known where the service listens. */
  tenantsAt(origin: string): Tenant[];
  operator: Operator;
  mailboxes: Mailboxes;
  receiver: SharedReceiver;
}

/** The service with applications that know nothing of each other, and what is outside. */
export interface Stage extends Pick<Surroundings, "operator" | "mailboxes" | "receiver"> {
  service: Service;
  /** One that does nothing odd. */
  victim: Tenant;
  /** All that do nothing odd. */
  tenants: Tenant[];
  hostile: Tenant;
  /** Applications that help the hostile one. */
  accomplices: Tenant[];
}

const ACCOMPLICES = 2;
const operator = { email: "ada@example.com", password: "correct-horse-battery" };

/** Sets the stage on one kind of database with so many well-behaved tenants, lets `work` run on it, and clears everything away. */
export function onStage<T>(kind: DatabaseKind, work: (stage: Stage) => Promise<T>, count = 1): Promise<T> {
  return inSurroundings(kind, 1 + count + ACCOMPLICES, async ({ env, tenantsAt, ...outside }) => {
    const service = await launch(env, { preload: resolve("tests/faults/collect.cjs") });
    try {
      const [hostile, ...others] = tenantsAt(await service.ready());
      const [tenants, accomplices] = [others.slice(0, count), others.slice(count)];
      const [victim] = tenants;
      if (!victim || !hostile) throw new Error("two applications are needed");
      return await work({ service, victim, tenants, hostile, accomplices, ...outside });
    } catch (error) {
      process.stderr.write(service.complaints().slice(-2_000));
      throw error;
    } finally {
      await service.end("SIGKILL");
    }
  });
}

/** Makes what is outside the service, for so many applications, and clears it away after `work`. */
export async function inSurroundings<T>(
  kind: DatabaseKind,
  count: number,
  work: (around: Surroundings) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-neighbours-"));
  const database = kind === "PostgreSQL" ? await newDatabase(SERVER, "almanac_neighbours") : null;
  const mailboxes = await startMailboxes();
  const receiver = await startSharedReceiver();
  const applications = Array.from({ length: count }, (_, i) => (i === 0 ? "hostile" : `tenant-${i - 1}`)).map(
    (name) => ({
      ...{
        name,
        client_id: name,
        client_secret: `${name}-${randomBytes(8).toString("hex")}`,
        redirect_uris: [CALLBACK],
      },
    }),
  );
  const env = {
    DATABASE_URL: database?.url ?? "",
    DATA_DIR: folder,
    BOOTSTRAP_APPLICATIONS: JSON.stringify(applications),
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    ICLOUD_CALDAV_URL: mailboxes.url,
    SYNC_POLL_SECONDS: "1",
    SYNC_QUIET_POLL_SECONDS: "1",
    ADMIN_EMAIL: operator.email,
    ADMIN_PASSWORD: operator.password,
    LOG_LEVEL: "error",
  };
  const tenantsAt = (address: string) => {
    const origin = address.replace("localhost", "127.0.0.1");
    return applications.map(
      ({ client_id, client_secret }): Tenant => ({ origin, clientId: client_id, clientSecret: client_secret }),
    );
  };
  try {
    return await work({ env, tenantsAt, operator, mailboxes, receiver });
  } finally {
    await receiver.close();
    await mailboxes.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
