import type { z } from "zod";
import type { Composed } from "@/server/db/composed";
import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import { type Zone, zone } from "@/server/domain/time/zone";
import { refuseRevoked } from "@/server/services/living-account";
import { fetchPage } from "@/server/services/reads/fetch-page";
import { frameOf, type ReadInput } from "@/server/services/reads/input";
import type { pagesShape } from "@/server/services/reads/response-shape";
import { invalid } from "@/server/services/refusal";
import type { AccountContext } from "@/server/services/trpc";
import { continueSeries } from "@/server/store/events/continue-series";
import { readCursor, writeCursor } from "@/server/store/events/pages/cursor";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import { localStart } from "@/server/store/events/pages/local-starts";
import { type EventTexts, eventColumns } from "@/server/store/events/pages/returned";
import type { AccountPage, PageRequest, PageResult } from "@/server/store/events/pages/statement";
import type { Bearer, Reader } from "@/server/store/grants/bearer.sql";

/** The columns that every row of a page has. Times in epoch seconds; all-day ones are UTC midnights. */
export interface ReadRow {
  uid: EventUid;
  allDay: boolean;
  starts: number;
  ends: number;
}

export interface ReadDefinition<Row extends ReadRow = ReadRow> {
  endpoint: "events" | "free_busy";
  pageSize: number;
  page:
    | Composed<PageRequest, PageResult & EventTexts>
    | Composed<PageRequest, PageResult & { calendars: string | null }>;
  rowsOf(result: PageResult): Row[];
}

const NOTHING: PageResult = { rows: null, records: null, found: 0 };

/**
 * Reads one page of the account ("GET /v1/free_busy and GET /v1/events"): its rows in order, and `pages`. Throws 422 on
 * `cursor` for a cursor of another account or endpoint, and signed_out for an account that was revoked in the meantime.
 */
export async function readPage<Row extends ReadRow>(read: ReadDefinition<Row>, input: ReadInput, ctx: AccountContext) {
  const start = input.kind === "first" ? firstStart(input.query, ctx) : laterStart(input.cursor, read, ctx);
  const reader = readerOf(ctx);
  const { coveredUntil, accountId } = reader;
  if (coveredUntil !== null && coveredUntil < start.frame.to) {
    await continueSeries(ctx.db, { accountId, needed: start.frame.to, now: ctx.now as Instant });
  }
  const result =
    start.frame.from < start.frame.to
      ? await fetchPage(read.page as Composed<PageRequest, PageResult>, requestOf(read, start, reader), ctx)
      : NOTHING;
  if (result.hasCalendars === false) await refuseRevoked(ctx.db, accountId);
  const rows = read.rowsOf(result);
  giveUpTexts(result);
  const isFull = rows.length > read.pageSize;
  if (isFull) rows.length = read.pageSize;
  const last = rows.at(-1);
  const isCut = !isFull && result.found > rows.length;
  const current = (start.position?.page ?? 0) + 1;
  const rowsLeft = Math.max(0, (start.position?.left ?? result.total ?? 0) - rows.length);
  const total = isCut
    ? current + Math.max(1, Math.ceil(rowsLeft / read.pageSize))
    : (start.position?.total ?? Math.max(1, Math.ceil((result.total ?? 0) / read.pageSize)));
  const pages: z.output<typeof pagesShape> = { current, total };
  if ((isFull || isCut) && last) {
    const frame = start.calendarIds ? { ...start.frame, calendars: result.numbers ?? [] } : start.frame;
    const position = { page: current, total, left: rowsLeft, at: placeOf(last, start), uid: last.uid };
    const cursor = writeCursor({ frame, position }, { accountId: ctx.bearer.accountId, endpoint: read.endpoint });
    pages.next_page = `${ctx.baseUrl}/v1/${read.endpoint}?cursor=${cursor}`;
  }
  return { pages, rows, frame: start.frame, zone: start.zone };
}

/**
 * Releases the texts that the rows were read from. V8 considers a request's promises old by the time its page arrives,
 * and collects what they reference long after the request; writers of rows and pieces clear their references for the
 * same reason.
 */
function giveUpTexts(result: PageResult): void {
  result.rows = null;
  result.records = null;
  for (const name of eventColumns) if (result[name]) result[name] = null;
}

/** Returns a row's sort key: its start in the zone of the read. */
function placeOf({ starts, allDay }: ReadRow, { frame, zone }: Start): Instant {
  const stored = (starts * 1000) as Instant;
  return allDay ? localStart(frame, zone, stored) : stored;
}

/**
 * Returns the bearer of a read. A route that reads occurrences declares `readsOccurrences`: without it, occurrences
 * would be missing without notice.
 */
function readerOf({ bearer }: AccountContext): Reader {
  if (!isReader(bearer)) throw new Error("The look-up of the token did not say how far series are stored.");
  return bearer;
}

function isReader(bearer: Bearer): bearer is Reader {
  return "coveredUntil" in bearer;
}

interface Start {
  frame: Frame;
  zone: Zone;
  position: Position | null;
  calendarIds: string[] | null;
}

function firstStart(query: Extract<ReadInput, { kind: "first" }>["query"], ctx: AccountContext): Start {
  const calendarIds = query.calendar_ids;
  return {
    frame: frameOf(query, ctx.now),
    zone: query.tzid.zone,
    position: null,
    calendarIds: calendarIds ? [...new Set(calendarIds)] : null,
  };
}

function laterStart(text: string, { endpoint }: Pick<ReadDefinition, "endpoint">, { bearer }: AccountContext): Start {
  const cursor = readCursor(text, { accountId: bearer.accountId, endpoint });
  const cursorZone = cursor && zone(cursor.frame.tzid);
  if (!cursorZone) {
    throw invalid({
      path: ["cursor"],
      key: "errors.invalid",
      description: "cursor was not issued for this account and route",
    });
  }
  return { frame: cursor.frame, zone: cursorZone, position: cursor.position, calendarIds: null };
}

/** Builds the request for a page. */
function requestOf({ endpoint, pageSize }: ReadDefinition<ReadRow>, start: Start, reader: Reader): AccountPage {
  const { accountId, calendarCount } = reader;
  const calendars = (start.calendarIds ?? start.frame.calendars)?.length ?? calendarCount;
  return { accountId, endpoint, rows: pageSize + 1, calendarCount: Math.min(calendars, calendarCount), ...start };
}
