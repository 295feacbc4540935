import { Refusal } from "@/server/services/refusal";
import type { SandboxChangeBody } from "@/server/services/sandbox/change-shape";
import type { AccountContext } from "@/server/services/trpc";
import { storeCalendars } from "@/server/store/calendars/store-calendars";

/**
 * Plays the provider's list of calendars: changes, deletes or restores the calendar, as a sync would find it. Repeating
 * a change has no effect. Throws not_found for the calendar.
 */
export async function changeCalendarInSandbox(ctx: AccountContext, body: SandboxChangeBody): Promise<void> {
  const { accountId } = ctx.bearer;
  const row = await ctx.db.prisma.calendar.findFirst({
    where: { id: body.calendar_id ?? "", accountId, profile: { provider: "hosted" } },
    select: {
      ...{ profileId: true, externalId: true, name: true, primary: true, tzid: true },
      ...{ readonly: true, integratedConferencing: true, invites: true, deleted: true },
    },
  });
  if (!row) throw new Refusal({ kind: "not_found" });
  const { profileId, deleted, ...listed } = row;
  if (body.type === "calendar_deleted") {
    return await storeCalendars(ctx.db, { profileId, calendars: [], gone: [row.externalId] });
  }
  // Only calendar_restored restores a deleted calendar.
  if (deleted && body.type === "calendar_changed") throw new Refusal({ kind: "not_found" });
  const { calendar_readonly: readonly, calendar_integrated_conferencing_available: integratedConferencing } =
    body.calendar ?? {};
  const changed = {
    readonly: readonly ?? row.readonly,
    integratedConferencing: integratedConferencing ?? row.integratedConferencing,
  };
  await storeCalendars(ctx.db, { profileId, calendars: [{ ...listed, ...changed, ctag: null }], gone: [] });
}
