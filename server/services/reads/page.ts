import type { z } from "zod";
import type { Composed } from "@/server/db/composed";
import { readCursor, writeCursor } from "@/server/db/pages/cursor";
import type { Frame, Position } from "@/server/db/pages/frame";
import { localStart } from "@/server/db/pages/local-starts";
import { type EventTexts, eventColumns } from "@/server/db/pages/returned";
import type { AskedPage, PageRequest, PageResult } from "@/server/db/pages/statement";
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
import type { Bearer, Reader } from "@/server/store/grants/bearer.sql";

/** What every row of a page has. Times in epoch seconds; all-day ones are UTC midnights. */
export interface ReadRow {
  uid: EventUid;
  allDay: boolean;
  starts: number;
  ends: number;
}

export interface Read<Row extends ReadRow = ReadRow> {
  endpoint: "events" | "free_busy";
  pageSize: number;
  page:
    | Composed<PageRequest, PageResult & EventTexts>
    | Composed<PageRequest, PageResult & { calendars: string | null }>;
  rowsOf(result: PageResult): Row[];
}

const NOTHING: PageResult = { rows: null, records: null, found: 0 };

/**
 * One page of a read of the account ("GET /v1/free_busy and GET /v1/events"): its rows in order, and `pages`.
 * A cursor of another account or endpoint throws 422 on `cursor`; an account that was revoked meanwhile, signed_out.
 */
export async function readPage<Row extends ReadRow>(read: Read<Row>, input: ReadInput, ctx: AccountContext) {
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
  const left = Math.max(0, (start.position?.left ?? result.total ?? 0) - rows.length);
  const total = isCut
    ? current + Math.max(1, Math.ceil(left / read.pageSize))
    : (start.position?.total ?? Math.max(1, Math.ceil((result.total ?? 0) / read.pageSize)));
  const pages: z.output<typeof pagesShape> = { current, total };
  if ((isFull || isCut) && last) {
    const frame = start.calendarIds ? { ...start.frame, calendars: result.numbers ?? [] } : start.frame;
    const position = { page: current, total, left, at: placeOf(last, start), uid: last.uid };
    const cursor = writeCursor({ frame, position }, { accountId: ctx.bearer.accountId, endpoint: read.endpoint });
    pages.next_page = `${ctx.baseUrl}/v1/${read.endpoint}?cursor=${cursor}`;
  }
  return { pages, rows, frame: start.frame, zone: start.zone };
}

/**
 * What the rows were read from. The promises of a request are old by V8's measure when its page comes, and what they lead to is collected long after
 * the request: whoever writes rows and pieces takes them out for the same reason.
 */
function giveUpTexts(result: PageResult): void {
  result.rows = null;
  result.records = null;
  for (const name of eventColumns) if (result[name]) result[name] = null;
}

/** Where a row stands in the order: its start in the zone of the read. */
function placeOf({ starts, allDay }: ReadRow, { frame, zone }: Start): Instant {
  const stored = (starts * 1000) as Instant;
  return allDay ? localStart(frame, zone, stored) : stored;
}

/** A route that reads occurrences says so (`readsOccurrences`): what they are read without would be missing in silence. */
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
  const asked = query.calendar_ids;
  return {
    frame: frameOf(query, ctx.now),
    zone: query.tzid.zone,
    position: null,
    calendarIds: asked ? [...new Set(asked)] : null,
  };
}

function laterStart(text: string, { endpoint }: Pick<Read, "endpoint">, { bearer }: AccountContext): Start {
  const cursor = readCursor(text, { accountId: bearer.accountId, endpoint });
  const found = cursor && zone(cursor.frame.tzid);
  if (!found) {
    throw invalid({
      path: ["cursor"],
      key: "errors.invalid",
      description: "cursor was not issued for this account and endpoint",
    });
  }
  return { frame: cursor.frame, zone: found, position: cursor.position, calendarIds: null };
}

/** What of the page is asked for. */
function requestOf({ endpoint, pageSize }: Read<ReadRow>, start: Start, reader: Reader): AskedPage {
  const { accountId, calendarCount } = reader;
  const asked = (start.calendarIds ?? start.frame.calendars)?.length ?? calendarCount;
  return { accountId, endpoint, rows: pageSize + 1, calendarCount: Math.min(asked, calendarCount), ...start };
}
