import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { storedWindow } from "@/server/domain/window";
import { stamp } from "@/server/services/events/on-calendar";
import {
  earliestLiving,
  replaceRows,
  type StoredRow,
  storedRows,
  writeRows,
} from "@/server/services/events/series/row-store";
import { type Materialised, seriesRows, singleRow } from "@/server/services/events/series/rows";
import { seriesOf } from "@/server/services/events/series/stored-series";
import { type EventState, freeBusyOf, type LivingEvent, saysTheSame } from "@/server/services/events/state";

export interface Target {
  calendarId: string;
  /** The application's name for it; null on events that others made. */
  eventId: string | null;
  now: Instant;
}

const columns = [
  ...[
    "summary",
    "description",
    "location",
    "url",
    "all_day",
    "starts",
    "ends",
    "tzid",
    "transparency",
    "private",
    "status",
  ],
  ...[
    "participation_status",
    "organizer",
    "attendees",
    "categories",
    "conferencing",
    "recurrence",
    "first_uid",
    "covered_until",
  ],
];
const FIRST_COLUMN = 4;

/** Stores a new event with its occurrences, giving its id. */
export async function insertEvent(query: Query, target: Target, state: EventState): Promise<string> {
  const id = newId("evt");
  const made = materialise(id, state, target.now, []);
  const places = columns.map((_, i) => `$${FIRST_COLUMN + i}`).join(", ");
  const [written] = await query<{ at: string }>(
    `WITH ${stamp(`$${FIRST_COLUMN + columns.length - 1}`)}
INSERT INTO events (id, calendar_id, event_id, ${columns.join(", ")}, created_at, updated_at)
SELECT $2, $1, $3, ${places}, changed_at, changed_at FROM stamp RETURNING updated_at::text AS at`,
    [target.calendarId, id, target.eventId, ...values(state, made)],
  );
  await writeRows(query, { ...target, masterId: id, at: written?.at ?? "" }, made.rows);
  return id;
}

/** Makes a living event say `state`. Only the occurrences whose reading differs are written, so that their `updated` tells the truth. */
export async function updateEvent(
  query: Query,
  target: Target,
  { id, state: before }: LivingEvent,
  state: EventState,
): Promise<void> {
  if (saysTheSame(before, state)) return;
  const stored = await storedRows(query, id);
  const made = materialise(id, state, target.now, stored);
  const assignments = columns.map((column, i) => `${column} = $${FIRST_COLUMN + i}`).join(", ");
  const [written] = await query<{ at: string; first_uid: string | null }>(
    `WITH ${stamp(`$${FIRST_COLUMN + columns.length - 1}`)}, old AS (SELECT first_uid FROM events WHERE id = $2)
UPDATE events SET ${assignments}, updated_at = changed_at FROM stamp, old
WHERE events.id = $2 AND event_id IS NOT DISTINCT FROM $3 RETURNING updated_at::text AS at, old.first_uid`,
    [target.calendarId, id, target.eventId, ...values(state, made)],
  );
  const everywhere = !saysTheSame(aside(before), aside(state)) || written?.first_uid !== made.firstUid;
  const firstDiffers = !saysTheSame(
    { ...aside(before), series: before.series },
    { ...aside(before), series: state.series },
  );
  const changed = (uid: string) => everywhere || (firstDiffers && uid === made.firstUid);
  await replaceRows(query, { ...target, masterId: id, at: written?.at ?? "" }, { stored, rows: made.rows, changed });
}

/** Marks an event and its occurrences deleted; they stay for reads with include_deleted. */
export async function deleteEvent(query: Query, calendarId: string, id: string): Promise<void> {
  await query(
    `WITH ${stamp("NULL")}, e AS (
  UPDATE events SET deleted_at = changed_at, updated_at = changed_at, covered_until = NULL FROM stamp WHERE id = $2 RETURNING events.*)
UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e WHERE o.master_id = e.id AND o.state <> 2`,
    [calendarId, id],
  );
}

/** The rows that an event has: as far as they are stored at all, and as far back as they have been. */
function materialise(id: string, state: EventState, now: Instant, stored: readonly StoredRow[]): Materialised {
  const freeBusy = freeBusyOf(state);
  if (state.series === null) return { rows: [singleRow(id, state.span, freeBusy)], firstUid: null, coveredUntil: null };
  const { from, to } = storedWindow(now);
  const range = { from: Math.min(from, earliestLiving(stored) ?? from) as Instant, to };
  return seriesRows(id, seriesOf(state.series, state), { range, freeBusy });
}

/** What every occurrence shows: all but the times and the rule. */
function aside(state: EventState): EventState {
  return { ...state, series: null, span: { starts: 0 as Instant, ends: 0 as Instant, allDay: state.span.allDay } };
}

function values(state: EventState, { firstUid, coveredUntil }: Materialised): unknown[] {
  const { span } = state;
  return [
    ...[
      state.summary,
      state.description,
      state.location,
      state.url,
      span.allDay,
      formatInstant(span.starts),
      formatInstant(span.ends),
    ],
    ...[state.tzid, state.transparency, state.private, state.status, state.participationStatus, json(state.organizer)],
    ...[json(state.attendees), json(state.categories), json(state.conferencing), json(state.series), firstUid],
    coveredUntil === null ? null : formatInstant(coveredUntil),
  ];
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
