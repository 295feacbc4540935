import { z } from "zod";
import { SERVICE } from "@/server/domain/maintenance";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { turnOff, turnOn } from "@/server/services/staff/maintenance/change";
import type { Maintenance, ShownSwitch } from "@/server/services/staff/maintenance/shapes";
import { adminProcedure, staffProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";

const DAY_MINUTES = 1_440;
const LONGEST_NOTE = 200;
const id = text({ min: 1, max: 100 });
const scope = { application: id.nullish() };
const switchInput = z.object({
  ...scope,
  minutes: z.number().int().min(1).max(DAY_MINUTES).nullish(),
  note: text({ max: LONGEST_NOTE }).optional(),
});

/** Reads what is switched for maintenance. */
const showMaintenance = staffProcedure.query(async ({ ctx: { db, now } }): Promise<Maintenance> => {
  const rows = await db.prisma.maintenanceSwitch.findMany({
    where: { OR: [{ endsAt: null }, { endsAt: { gt: new Date(now) } }] },
    include: { application: { select: { name: true } } },
  });
  const shown = rows.map(
    ({ id, application, since, endsAt, note, actor }): ShownSwitch => ({
      ...{ id, applicationName: application?.name ?? null, since: since.toISOString() },
      ...{ endsAt: endsAt?.toISOString() ?? null, note, actor },
    }),
  );
  const applications = shown.filter(({ id }) => id !== SERVICE);
  applications.sort((a, b) => (a.applicationName ?? "").localeCompare(b.applicationName ?? ""));
  return { service: shown.find(({ id }) => id === SERVICE) ?? null, applications };
});

/**
 * Makes the service read-only, or has an application's requests refused, for some minutes or until somebody ends it
 * (ADR 126). Every process follows within seconds. Throws not_found.
 */
const start = adminProcedure
  .input(staffInput(switchInput))
  .mutation(async ({ input: { application = null, minutes = null, note = "" }, ctx }) => {
    await turnOn(ctx.db, ctx, { application, minutes, note: note.trim() });
  });

/** Ends it. Throws conflict if it is over. */
const end = adminProcedure
  .input(staffInput(z.object(scope)))
  .mutation(async ({ input: { application = null }, ctx }) => await turnOff(ctx.db, ctx, application));

export const maintenanceRouter = staffRouter({ show: showMaintenance, start, end });
