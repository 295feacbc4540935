import type { Database } from "@/server/db/client";
import { SERVICE } from "@/server/domain/maintenance";
import { Refusal } from "@/server/services/refusal";
import { type AuditActor, audit } from "@/server/services/staff/audit/audit";
import { followMaintenance } from "@/server/store/maintenance/maintenance";

const MINUTE_MS = 60_000;

export interface SwitchInput {
  /** Null: the whole service. */
  application: string | null;
  /** Null: until somebody ends it. */
  minutes: number | null;
  note: string;
}

/** Makes the service read-only, or has an application's requests refused. Turning it on again changes its end. Throws not_found. */
export async function turnOn(db: Database, who: AuditActor, input: SwitchInput): Promise<void> {
  const { application, minutes, note } = input;
  const id = application ?? SERVICE;
  const now = who.now;
  const data = {
    ...{ applicationId: application, since: new Date(now), note, actor: actorOf(who) },
    endsAt: minutes === null ? null : new Date(now + minutes * MINUTE_MS),
  };
  await db.transaction(async (_, prisma) => {
    if (application !== null) await requireApplication(prisma, application);
    await prisma.maintenanceSwitch.upsert({
      select: { id: true },
      where: { id },
      create: { id, ...data },
      update: data,
    });
    await audit(prisma, who, { action: "maintenance.started", object: id, detail: { minutes, note } });
  });
  await followMaintenance(db);
}

/** Ends what `turnOn` began. Throws conflict if it is over. */
export async function turnOff(db: Database, who: AuditActor, application: string | null): Promise<void> {
  const id = application ?? SERVICE;
  await db.transaction(async (_, prisma) => {
    const { count } = await prisma.maintenanceSwitch.deleteMany({ where: { id } });
    if (count === 0) throw new Refusal({ kind: "conflict", text: "Maintenance is already over." });
    await audit(prisma, who, { action: "maintenance.ended", object: id });
  });
  await followMaintenance(db);
}

type Prisma = Parameters<Parameters<Database["transaction"]>[0]>[1];

async function requireApplication(prisma: Prisma, id: string): Promise<void> {
  const found = await prisma.application.findFirst({ select: { id: true }, where: { id, deletedAt: null } });
  if (!found) throw new Refusal({ kind: "not_found" });
}

function actorOf({ operator, stranger = "Unknown user" }: AuditActor): string {
  return operator?.email ?? stranger;
}
