import { composed } from "@/server/db/composed";
import { pageSamples } from "@/server/db/pages/samples";
import {
  isKeptPage,
  type PageRequest,
  type PageRow,
  type PageShape,
  pageColumns,
  pageStatement,
} from "@/server/db/pages/statement";
import { bool, float8, int4, int8, json, nullable, text, textOf } from "@/server/db/statement";
import type { Conferencing } from "@/server/domain/events/conferencing";
import type { OccurrenceChanges, Person } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import type { EventRow } from "@/server/services/reads/events/row";

const shape: PageShape = {
  scanned:
    "o.uid, o.calendar_id, o.event_id, o.master_id, o.all_day, o.starts, o.ends, o.state, o.first, o.day, o.changes, o.updated_at",
  selected: `k.uid, k.calendar_id, k.event_id, k.all_day, date_part('epoch', k.starts) AS starts, date_part('epoch', k.ends) AS ends,
k.state = 2 AS deleted, date_part('epoch', e.created_at) AS created, date_part('epoch', CASE WHEN k.state = 2 THEN k.updated_at ELSE greatest(k.updated_at, e.content_changed_at) END) AS updated,
e.summary, e.description, e.location, e.url, e.participation_status, e.attendees, e.transparency, e.private, e.organizer,
e.status, e.categories, e.conferencing, CASE WHEN k.first THEN e.recurrence->'rules' END AS rules, e.first_uid, k.master_id, k.day::text AS day, k.changes`,
  joined: "JOIN events e ON e.id = k.master_id",
  // The length of a text is known without reading it; JSON is mostly empty here.
  bytes: `octet_length(e.description) + octet_length(e.summary) + coalesce(octet_length(e.location), 0) + coalesce(octet_length(e.url), 0)
+ octet_length(e.attendees::text) + octet_length(e.categories::text) + coalesce(octet_length(k.changes::text), 0)`,
};

/** `before`: the bytes of the rows before it. */
type EventPageRow = EventRow & PageRow & { before: string };

export const eventPages = composed<PageRequest, EventPageRow>({
  compose: (request, binding) => pageStatement(request, shape, binding),
  columns: (request) => ({
    ...pageColumns(request),
    calendar_id: text,
    event_id: nullable(text),
    all_day: bool,
    starts: float8,
    ends: float8,
    deleted: bool,
    created: float8,
    updated: float8,
    summary: text,
    description: text,
    location: nullable(text),
    url: nullable(text),
    participation_status: text,
    attendees: json<Guest[]>(),
    transparency: textOf<EventRow["transparency"]>(),
    private: bool,
    organizer: nullable(json<Person>()),
    status: text,
    categories: json<string[]>(),
    conferencing: nullable(json<NonNullable<Conferencing>>()),
    rules: nullable(json<object[]>()),
    first_uid: nullable(text),
    master_id: text,
    day: nullable(text),
    changes: nullable(json<OccurrenceChanges>()),
    before: int8,
    found: int4,
  }),
  isKept: isKeptPage,
  samples: pageSamples("events"),
});
