import type { Database } from "@/server/db/client";
import type { StoredDetail } from "@/server/services/staff/deliveries/deliveries.sql";
import type { AnnouncedChange } from "@/server/services/staff/deliveries/shapes";

/** How many calendars are named. */
const MOST_NAMED = 3;
const MINUTE_MS = 60_000;

type Announcing = Pick<StoredDetail, "accountId" | "changesSince" | "ofChannel"> & {
  /** When the first attempt began: what changed later is announced by another delivery. Null: it has not. */
  sentAt: Date | null;
};

/** Reads the changes that a delivery announces: by others, the first in each calendar, the oldest first. */
export async function announcedChanges(
  { prisma }: Database,
  { accountId, changesSince, sentAt, ofChannel: { calendarIds, onlyManaged } }: Announcing,
): Promise<AnnouncedChange[]> {
  if (changesSince === null) return [];
  const rows = await prisma.seenChange.findMany({
    select: { calendarId: true, firstAt: true },
    where: {
      ...{ accountId, minute: { gt: new Date(changesSince.getTime() - MINUTE_MS), ...(sentAt && { lte: sentAt }) } },
      ...{ lastAt: { gte: changesSince }, ...(sentAt && { firstAt: { lte: sentAt } }) },
      ...{ ...(calendarIds && { calendarId: { in: calendarIds } }), ...(onlyManaged && { managed: true }) },
    },
    orderBy: { firstAt: "asc" },
    distinct: ["calendarId"],
    take: MOST_NAMED,
  });
  const calendars = await prisma.calendar.findMany({
    select: { id: true, name: true },
    where: { accountId, id: { in: rows.map(({ calendarId }) => calendarId) } },
  });
  const names = new Map(calendars.map(({ id, name }) => [id, name]));
  return rows.map(({ calendarId, firstAt }) => ({
    calendarId,
    calendarName: names.get(calendarId) ?? null,
    at: new Date(Math.max(firstAt.getTime(), changesSince.getTime())).toISOString(),
  }));
}
