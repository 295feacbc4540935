import { z } from "zod";
import { run } from "@/server/db/statement";
import { FEED_MEMORY_MS, MAX_CHANGES } from "@/server/domain/limits";
import { MAX_FEED_CURSOR } from "@/server/domain/text-limits";
import { type FeedPosition, readFeedCursor, writeFeedCursor } from "@/server/services/changes/cursor";
import { eventsOfChanges } from "@/server/services/changes/included-events";
import type { ChangesShape } from "@/server/services/changes/response-shape";
import { calendarIdsQuery, refused, text } from "@/server/services/fields";
import { inputOf } from "@/server/services/input";
import { refuseRevoked } from "@/server/services/living-account";
import { queryFormIssues } from "@/server/services/reads/query-form";
import { invalid } from "@/server/services/refusal";
import { type AccountContext, accountProcedure } from "@/server/services/trpc";
import {
  type ChangeRow,
  changesAfter,
  eventsThere,
  type FeedCalendar,
  feedCalendars,
} from "@/server/store/changes/changes.sql";
import { shownChange } from "@/server/store/changes/shown-change";

const DEFAULT_LIMIT = 100;

const limit = z
  .unknown()
  .default(DEFAULT_LIMIT)
  .transform((value, { issues }): number => {
    const number = /^\d{1,6}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (number >= 1 && number <= MAX_CHANGES) return number;
    issues.push(refused(value, { key: "errors.invalid" }, `must be a whole number from 1 to ${MAX_CHANGES}`));
    return z.NEVER;
  })
  .meta({ type: "integer", minimum: 1, maximum: MAX_CHANGES, description: "How many changes to return at most." });

/** The query of GET /v1/changes. */
export const changesQuery = z.object({
  cursor: text({ min: 1, max: MAX_FEED_CURSOR })
    .describe("The `cursor` of the last response. Omitted: the feed starts now, or with what exists.")
    .optional(),
  from: z
    .enum(["beginning"])
    .describe("Without a cursor: `beginning` first returns every event that exists, as created.")
    .optional(),
  calendar_ids: calendarIdsQuery
    .describe("Return only changes in these calendars. Repeat the parameter for each one. Default: every calendar.")
    .optional(),
  limit,
  include: z
    .enum(["event"])
    .describe("`event`: each change includes the current event. A page ends at about 1 MB of events.")
    .optional(),
});

const input = inputOf(changesQuery, queryFormIssues(Object.keys(changesQuery.shape)));

/**
 * Lists what changed since the last call (GET /v1/changes): own writes and those of others, in the order of each
 * calendar. Refuses with 422 a cursor of another account. One that is too old begins again, with `reset`.
 */
export const listChanges = accountProcedure.input(input).query(async ({ input: query, ctx }): Promise<ChangesShape> => {
  const { accountId } = ctx.bearer;
  const stored = await run(ctx.db.query, feedCalendars, [accountId]);
  if (stored.length === 0) await refuseRevoked(ctx.db, accountId);
  const { calendar_ids: ids } = query;
  const calendars = ids ? stored.filter(({ id }) => ids.includes(id)) : stored;
  const sent = query.cursor === undefined ? null : cursorOf(query.cursor, accountId);
  const isStale = sent !== null && ctx.now - sent.readUntil > FEED_MEMORY_MS;
  const begins = isStale || (sent === null && query.from === "beginning");
  const position = sent === null || isStale ? freshPosition(calendars, ctx.now, begins) : sent;
  const asked = { calendars, position, limit: query.limit, withEvents: query.include === "event" };
  const { rows, events, next, hasMore } = await pageOf(ctx, asked);
  return {
    changes: rows.map((row, place) => {
      const event = events?.get(place);
      return { ...shownChange(row, calendars[row.place]?.id ?? ""), ...(event && { event }) };
    }),
    cursor: writeFeedCursor(next, accountId),
    has_more: hasMore,
    ...(isStale && { reset: true as const }),
  };
});

function cursorOf(cursor: string, accountId: string): FeedPosition {
  const position = readFeedCursor(cursor, accountId);
  if (position) return position;
  const description = "cursor was not issued for this account and route";
  throw invalid({ path: ["cursor"], key: "errors.invalid", description });
}

/** Begins now. What exists is listed first if it `begins`: what changes meanwhile comes after it. */
function freshPosition(calendars: readonly FeedCalendar[], now: number, begins: boolean): FeedPosition {
  const after = new Map(calendars.map(({ number, last }) => [number, last]));
  return { readUntil: now, after, beginning: begins ? { calendar: 0, eventRow: "" } : null };
}

interface Asked {
  calendars: readonly FeedCalendar[];
  position: FeedPosition;
  limit: number;
  withEvents: boolean;
}

interface Found {
  rows: readonly ChangeRow[];
  /** The events by the position of their change. Null: they were not asked for. */
  events: ReadonlyMap<number, object> | null;
  hasMore: boolean;
}

interface Page extends Found {
  next: FeedPosition;
}

async function pageOf(ctx: AccountContext, asked: Asked): Promise<Page> {
  const { beginning } = asked.position;
  return beginning ? await existing(ctx, asked, beginning) : await changed(ctx, asked);
}

/** Returns events that exist; once there are no more, the feed goes on with what has changed since it began. */
async function existing(
  ctx: AccountContext,
  asked: Asked,
  { calendar, eventRow }: { calendar: number; eventRow: string },
): Promise<Page> {
  const { calendars, position, limit } = asked;
  const left = calendars.map(({ id, number, isDeleted }) => ({ id, number, skips: isDeleted || number < calendar }));
  const values = [
    left.map(({ id, skips }) => (skips ? "" : id)),
    left.map(({ number }) => (number === calendar ? eventRow : "")),
    limit + 1,
  ];
  const found = await onPage(ctx, asked, await run(ctx.db.query, eventsThere, values));
  const last = found.rows.at(-1);
  const at = found.hasMore && last ? { calendar: left[last.place]?.number ?? 0, eventRow: last.eventRow } : null;
  return {
    ...found,
    next: { ...position, beginning: at, readUntil: Math.min(position.readUntil, ctx.now) },
    hasMore: true,
  };
}

async function changed(ctx: AccountContext, asked: Asked): Promise<Page> {
  const { calendars, position, limit } = asked;
  const values = [
    calendars.map(({ id }) => id),
    calendars.map(({ number }) => position.after.get(number) ?? 0),
    limit + 1,
  ];
  const found = await onPage(ctx, asked, await run(ctx.db.query, changesAfter, values));
  const after = new Map(position.after);
  for (const { place, number } of found.rows) after.set(calendars[place]?.number ?? 0, number);
  const last = found.rows.at(-1);
  const readUntil = found.hasMore && last ? last.at : ctx.now;
  return { ...found, next: { readUntil, after, beginning: null } };
}

/** Cuts what was found, one more than the limit if there are, to what fits on a page. */
async function onPage(
  { db, names }: AccountContext,
  { calendars, limit, withEvents }: Asked,
  found: readonly ChangeRow[],
): Promise<Found> {
  const rows = found.slice(0, limit);
  if (!withEvents) return { rows, events: null, hasMore: rows.length < found.length };
  const calendarIds = calendars.map(({ id }) => id);
  const { events, fitting } = await eventsOfChanges(db.query, rows, { calendarIds, names });
  return { rows: rows.slice(0, fitting), events, hasMore: fitting < found.length };
}
