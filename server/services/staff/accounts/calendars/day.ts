import { z } from "zod";
import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { midnight, toLocal, type Zone, zone } from "@/server/domain/time/zone";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { eventsOfDay, MOST_OF_DAY, textsOf } from "@/server/services/staff/accounts/calendars/calendars.sql";
import type { CalendarDay, DayEvent, EventTexts } from "@/server/services/staff/accounts/calendars/shapes";
import { audit } from "@/server/services/staff/audit/audit";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";
import { adminProcedure, scopedProcedure } from "@/server/services/staff/procedure/trpc";

const ofDay = z.object({
  calendarId: text({ min: 1, max: 100 }),
  /** 2026-11-25. Omitted: today in the calendar's time zone. */
  day: z.string().max(10).optional(),
});

/**
 * Reads when a calendar's events of a day are, without their texts. Throws not_found, and conflict for a day that does
 * not exist.
 */
export const readDay = scopedProcedure.input(staffInput(ofDay)).query(async ({ input, ctx }): Promise<CalendarDay> => {
  await ctx.scope.expect("calendar", input.calendarId);
  const place = await placeOf(ctx, input);
  const rows = await run(ctx.db.query, eventsOfDay, boundsOf(place));
  const items = rows.slice(0, MOST_OF_DAY).map((row): DayEvent => {
    const { starts, ends, allDay, freeBusy, ...rest } = row;
    return {
      ...rest,
      freeBusy: freeBusy as DayEvent["freeBusy"],
      when: allDay ? "all day" : whenOf(place, starts, ends),
    };
  });
  const { calendarId, day, tzid } = place;
  return { calendarId, day: formatDay(day), tzid, items, more: rows.length > MOST_OF_DAY };
});

/** Reads the texts of a day's events, and notes that in the audit trail. Throws not_found and conflict like `readDay`. */
export const showTexts = adminProcedure
  .input(staffInput(ofDay))
  .mutation(async ({ input, ctx }): Promise<EventTexts> => {
    const place = await placeOf(ctx, input);
    return await ctx.db.transaction(async (query, prisma) => {
      const texts = await readTexts(query, place);
      const detail = { calendarId: place.calendarId, day: formatDay(place.day), events: Object.keys(texts).length };
      await audit(prisma, ctx, { action: "events.text_viewed", object: place.accountId, detail });
      return texts;
    });
  });

interface CalendarDayInput {
  accountId: string;
  calendarId: string;
  day: Day;
  tzid: string;
  zone: Zone;
}

async function placeOf(
  { db, now }: Pick<StaffContext, "db" | "now">,
  input: z.output<typeof ofDay>,
): Promise<CalendarDayInput> {
  const { calendarId } = input;
  const calendar = await db.prisma.calendar.findUnique({
    select: { id: true, accountId: true, tzid: true, account: { select: { defaultTzid: true } } },
    where: { id: calendarId },
  });
  if (!calendar) throw new Refusal({ kind: "not_found" });
  const names = [calendar.tzid, calendar.account.defaultTzid, "Etc/UTC"];
  const tzid = names.find((name) => name !== null && zone(name) !== null) ?? "Etc/UTC";
  const own = zone(tzid);
  if (!own) throw new Error("there is no time zone data");
  const today = new Date(toLocal(own, now as Instant)).toISOString().slice(0, 10);
  const day = parseDay(input.day ?? today);
  if (day === null) throw new Refusal({ kind: "conflict", text: "This date doesn’t exist." });
  return { accountId: calendar.accountId, calendarId, day, tzid, zone: own };
}

function boundsOf({ calendarId, day, zone: own }: CalendarDayInput): unknown[] {
  const next = (day + 1) as Day;
  const times = [midnight(own, day), midnight(own, next), utcMidnight(day), utcMidnight(next)];
  return [calendarId, ...times.map((at) => new Date(at))];
}

async function readTexts(query: Query, place: CalendarDayInput): Promise<EventTexts> {
  const rows = await run(query, eventsOfDay, boundsOf(place));
  const uids = rows.slice(0, MOST_OF_DAY).map(({ uid }) => uid);
  const texts = await run(query, textsOf, [place.calendarId, uids]);
  return Object.fromEntries(texts.map(({ uid, ...said }) => [uid, said]));
}

/** Formats "09:00 – 10:00", with the date where it is another day's. */
function whenOf({ day, zone: own }: CalendarDayInput, starts: Date, ends: Date): string {
  const words = (at: Date) => {
    const local = new Date(toLocal(own, at.getTime() as Instant)).toISOString();
    const time = local.slice(11, 16);
    return local.slice(0, 10) === formatDay(day) ? time : `${local.slice(0, 10)} ${time}`;
  };
  return `${words(starts)} – ${words(ends)}`;
}
