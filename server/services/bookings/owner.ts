import type { Database } from "@/server/db/client";
import { isFaulty } from "@/server/domain/text";
import { UTC, type Zone, zone } from "@/server/domain/time/zone";
import { Refusal } from "@/server/services/refusal";
import type { Asking } from "@/server/services/trpc";

/** Whose calendar an event is booked in. */
export interface Owner {
  accountId: string;
  person: { email: string; display_name: string };
  zone: Zone;
  /** Whether the calendar is gone at its provider: nothing can be booked in it. */
  isDeleted: boolean;
}

/** Finds the owner of a calendar. Throws not_found for one that the caller does not have, read_only for one that can't be written. */
export async function ownerOf(
  { prisma }: Pick<Database, "prisma">,
  calendarId: string,
  { applicationId, accountId }: Asking,
): Promise<Owner> {
  const owned = { applicationId, revokedAt: null, grants: { some: {} }, ...(accountId && { id: accountId }) };
  const calendar = isFaulty(calendarId)
    ? null
    : await prisma.calendar.findFirst({
        where: { id: calendarId, account: owned },
        select: {
          readonly: true,
          deleted: true,
          account: { select: { id: true, email: true, name: true, defaultTzid: true } },
        },
      });
  if (!calendar) throw new Refusal({ kind: "not_found" });
  if (calendar.readonly) throw new Refusal({ kind: "read_only" });
  const { id, email, name, defaultTzid } = calendar.account;
  const person = { email, display_name: name };
  return { accountId: id, person, zone: zone(defaultTzid) ?? UTC, isDeleted: calendar.deleted };
}
