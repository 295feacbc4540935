import { clock } from "@/server/clock";
import { context } from "@/server/context";
import type { Database } from "@/server/db/client";
import { retryAfterOf, SERVICE, type SwitchedOn } from "@/server/domain/maintenance";

/** Reads what is switched for maintenance, for this process to go by from now on. */
export async function followMaintenance({ prisma }: Pick<Database, "prisma">): Promise<void> {
  const rows = await prisma.maintenanceSwitch.findMany({ select: { id: true, since: true, endsAt: true } });
  context.maintenance =
    rows.length === 0
      ? undefined
      : new Map(rows.map(({ id, since, endsAt }) => [id, { since: +since, endsAt: endsAt && +endsAt } as SwitchedOn]));
}

/** Returns after how many seconds a write should be tried again. Null: the service isn't read-only. Costs no statement. */
export function readOnlyFor(now = clock().now()): number | null {
  return context.maintenance === undefined ? null : retryAfterOf(context.maintenance.get(SERVICE), now);
}

/** Returns after how many seconds an application should try again. Null: its requests are accepted. Costs no statement. */
export function shedFor(applicationId: string, now = clock().now()): number | null {
  return context.maintenance === undefined ? null : retryAfterOf(context.maintenance.get(applicationId), now);
}

/** Returns the switch of the service, or of an application, while it is on. */
export function switchOf(id: string, now = clock().now()): SwitchedOn | null {
  const on = context.maintenance?.get(id);
  return on && retryAfterOf(on, now) !== null ? on : null;
}

/** Counts what is on now. */
export function maintenanceState(now = clock().now()): { isReadOnly: boolean; applications: number } {
  const on = [...(context.maintenance ?? [])].filter(([, one]) => retryAfterOf(one, now) !== null);
  const isReadOnly = on.some(([id]) => id === SERVICE);
  return { isReadOnly, applications: on.length - (isReadOnly ? 1 : 0) };
}
