import { type Binding, composed, samplesOf } from "@/server/db/composed";
import { bool, int4, nullable, statement, text, textOf, timestamp } from "@/server/db/statement";
import type { ReceiptState } from "@/server/domain/trouble/receipt";
import { isPendingWrite } from "@/server/store/events/write-states";

export interface ReceiptRow {
  state: ReceiptState;
  attempts: number;
  at: Date;
  connected: boolean;
  /** Of the last attempt, as stored. */
  error: string | null;
}

export interface ListedWriteRow extends ReceiptRow {
  calendarId: string;
  eventId: string;
}

export interface WriteSearch {
  state?: ReceiptState;
  calendarIds?: readonly string[];
  /** Where the page before ended. */
  after?: { calendarId: string; eventId: string };
}

const isPending = isPendingWrite("w", { profile: "p", sync: "s" });

/** Of an event `e`, its row `w` of provider_writes if there is one, and its profile `p` with `s`. No text of the event. */
const receipt = `CASE WHEN w.id IS NULL THEN 'sent' WHEN ${isPending} THEN 'pending' ELSE 'refused' END AS state,
  coalesce(w.attempts, e.push_attempts, 1) AS attempts,
  CASE WHEN w.id IS NULL THEN coalesce(e.pushed_at, e.updated_at) WHEN ${isPending} THEN w.created_at ELSE w.refused_at END AS at,
  p.connected, w.last_error AS error`;
const receiptColumns = {
  state: textOf<ReceiptState>(),
  attempts: int4,
  at: timestamp,
  connected: bool,
  error: nullable(text),
};
/** `OFFSET 0`: PostgreSQL would otherwise read the writes of all accounts for a page. */
const itsWrite = "FROM provider_writes w WHERE w.calendar_id = e.calendar_id AND w.event_row = e.id OFFSET 0";
const writeOf = `LEFT JOIN LATERAL (SELECT * ${itsWrite}) w ON true`;
const withProfile = "JOIN profiles p ON p.id = c.profile_id JOIN profile_syncs s ON s.profile_id = p.id";
const eventColumns = "e.calendar_id, e.id, e.event_id, e.push_attempts, e.pushed_at, e.updated_at, e.deleted_at";

/** The last write of the event that the application calls $3, in the calendar $1 of the account $2. A deleted event counts if there is no other. */
export const receiptOfEvent = statement<ReceiptRow>(
  `SELECT ${receipt} FROM calendars c ${withProfile} CROSS JOIN LATERAL (
  (SELECT ${eventColumns} FROM events e WHERE e.calendar_id = c.id AND e.event_id = $3 AND e.deleted_at IS NULL)
  UNION ALL (SELECT ${eventColumns} FROM events e WHERE e.calendar_id = c.id AND e.event_id = $3 AND e.deleted_at IS NOT NULL ORDER BY e.deleted_at DESC LIMIT 1)
  ORDER BY deleted_at DESC NULLS FIRST LIMIT 1) e ${writeOf}
WHERE c.id = $1 AND c.account_id = $2`,
  receiptColumns,
);

type Scope = WriteSearch & { accountId: string; limit: number };

/** Events that exist, calendar by calendar, so that an index has each page in order. */
function livingEvents({ accountId, limit, state, calendarIds, after }: Scope, { put }: Binding): string {
  const conditions = [
    `c.account_id = ${put(accountId)}`,
    ...(calendarIds ? [`c.id = ANY (${put(calendarIds)}::text[])`] : []),
    ...(after ? [`c.id >= ${put(after.calendarId)}`] : []),
  ];
  const isLater = after
    ? `AND e.event_id > CASE WHEN c.id = ${put(after.calendarId)} THEN ${put(after.eventId)} ELSE '' END`
    : "";
  const isArrived = `AND NOT EXISTS (SELECT ${itsWrite})`;
  return `SELECT c.id AS "calendarId", coalesce(e.event_id, '') AS "eventId", ${receipt} FROM calendars c ${withProfile} CROSS JOIN LATERAL (
  SELECT ${eventColumns} FROM events e WHERE e.calendar_id = c.id AND e.event_id IS NOT NULL AND e.deleted_at IS NULL ${isLater}
  ${state === "sent" ? isArrived : ""} ORDER BY e.event_id LIMIT ${put(limit)}) e ${writeOf} WHERE ${conditions.join(" AND ")}`;
}

const isLastOfItsName = `(e.deleted_at IS NULL OR
  NOT EXISTS (SELECT FROM events o WHERE o.calendar_id = e.calendar_id AND o.event_id = e.event_id AND o.deleted_at IS NULL)
  AND NOT EXISTS (SELECT FROM events o WHERE o.calendar_id = e.calendar_id AND o.event_id = e.event_id AND o.deleted_at > e.deleted_at))`;

/** Writes that have not arrived: of deleted events alone where the others are found by their events. */
function openWrites({ accountId, state, calendarIds, after }: Scope, { put }: Binding): string {
  const conditions = [
    `w.account_id = ${put(accountId)}`,
    "e.event_id IS NOT NULL",
    isLastOfItsName,
    ...(calendarIds ? [`w.calendar_id = ANY (${put(calendarIds)}::text[])`] : []),
    ...(after ? [`(w.calendar_id, e.event_id) > (${put(after.calendarId)}, ${put(after.eventId)})`] : []),
    ...(state === "pending" ? [isPending] : state === "refused" ? [`NOT ${isPending}`] : ["e.deleted_at IS NOT NULL"]),
  ];
  return `SELECT w.calendar_id AS "calendarId", coalesce(e.event_id, '') AS "eventId", ${receipt} FROM provider_writes w
  JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row JOIN calendars c ON c.id = w.calendar_id ${withProfile}
WHERE ${conditions.join(" AND ")}`;
}

const after = { calendarId: "", eventId: "" };
const samples: WriteSearch[] = [
  ...samplesOf<Required<WriteSearch>>({ state: "pending", calendarIds: [""], after }),
  ...(["sent", "refused"] as const).flatMap((state) => [{ state }, { state, calendarIds: [""], after }]),
  { calendarIds: [""], after },
];

/**
 * The last write of each event of the application's own: of those that exist, and of deleted ones whose deletion has not
 * arrived. In the order of calendars and names, so that each is there once however its state changes in the meantime.
 */
export const writePage = composed<Scope, ListedWriteRow>({
  compose: (search, binding) => {
    const { state, limit } = search;
    const parts = [
      ...(state === undefined || state === "sent" ? [livingEvents(search, binding)] : []),
      ...(state === "sent" ? [] : [openWrites(search, binding)]),
    ];
    return `SELECT * FROM (${parts.join("\nUNION ALL ")}) found ORDER BY "calendarId", "eventId" LIMIT ${binding.put(limit)}`;
  },
  columns: { calendarId: text, eventId: text, ...receiptColumns },
  samples: samples.map((search) => ({ ...search, accountId: "", limit: 1 })),
});
