import { prepared } from "@/server/db/client";
import { command, int4, statement, text } from "@/server/db/statement";

/** Returns SQL for the events of a profile whose meeting link is awaited. */
export const awaitingLinks = (profile: string) => `FROM calendars c JOIN events e ON e.calendar_id = c.id
WHERE c.profile_id = ${profile} AND NOT c.deleted AND e.link_due_at IS NOT NULL AND e.deleted_at IS NULL
  AND e.external_id IS NOT NULL AND e.event_id IS NOT NULL`;

export interface AwaitedLink {
  id: string;
  calendarId: string;
  eventId: string;
  /** The provider's names of the calendar and the event. */
  calendar: string;
  externalId: string;
  /** How many times it was looked for. */
  looks: number;
}

const MOST_AT_ONCE = 50;

export const dueLinksStatement = statement<AwaitedLink>(
  prepared(
    "due links",
    `SELECT e.id, c.id AS "calendarId", coalesce(e.event_id, '') AS "eventId", c.external_id AS calendar, coalesce(e.external_id, '') AS "externalId", e.link_looks::int AS looks
${awaitingLinks("$1")} AND e.link_due_at <= coalesce($2::timestamptz, clock_timestamp()) ORDER BY e.link_due_at LIMIT ${MOST_AT_ONCE}`,
  ),
  { id: text, calendarId: text, eventId: text, calendar: text, externalId: text, looks: int4 },
);

export const lookAgainStatement = command(`UPDATE events SET link_looks = link_looks + 1,
  link_due_at = coalesce($4::timestamptz, clock_timestamp()) + make_interval(secs => $3::float8 / 1000) WHERE calendar_id = $1 AND id = $2`);
