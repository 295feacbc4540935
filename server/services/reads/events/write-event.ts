import type { Conferencing } from "@/server/domain/events/conferencing";
import type { OccurrenceChanges } from "@/server/domain/events/event-state";
import { formatDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { meetingServiceName, type Vocabulary } from "@/server/domain/wire-names";
import type { EventRow, RenderedEvent } from "@/server/services/reads/events/rows";
import type { TimeWriter } from "@/server/services/reads/times";

const OWN = '"event_id":';

/** The JSON that the occurrences of one event share in a response. */
interface Parts {
  members: string;
  /** For an occurrence of a series: its `recurrence` precedes this text, its day follows. */
  series: string;
  end: string;
}

/**
 * Creates a writer for the documented event ("Event (GET /v1/events)") of a row as JSON. `write` formats start and end.
 * Optional fields are omitted, never null, except organizer. Ids and times are ours, so nothing in them needs escaping.
 */
export function eventWriter(write: TimeWriter, names: Vocabulary): (row: EventRow) => string {
  const known = new Map<RenderedEvent, Parts>();
  const common = (event: RenderedEvent) => {
    const parts = known.get(event) ?? partsOf(event, names);
    known.set(event, parts);
    return parts;
  };
  return (row) => {
    const { members, series, end } = row.changes === "" ? common(row.event) : partsOf(changedEvent(row), names);
    const { contentChanged, rules } = row.event;
    const updated = row.deleted || contentChanged < row.updated ? row.updated : contentChanged;
    const recurrence = row.first && rules !== "" ? `,"recurrence":{"rules":${rules}}` : "";
    const occurrence =
      row.day === null ? ',"recurring":false' : `,"recurring":true${recurrence}${series}${formatDay(row.day)}"`;
    return `{${members},"event_uid":"${row.uid}","start":"${write(row.starts, row.allDay)}","end":"${write(row.ends, row.allDay)}","deleted":${row.deleted},"updated":"${formatInstant((updated * 1000) as Instant)}"${occurrence}${end}`;
  };
}

function partsOf({ id, firstUid, conferencing, rendered }: RenderedEvent, names: Vocabulary): Parts {
  const isOwn = rendered.startsWith(OWN);
  // Inside a JSON string a quotation mark always follows a backslash.
  const eventId = isOwn ? rendered.slice(0, rendered.indexOf(',"calendar_id":')) : "";
  const first = isOwn && firstUid !== "" ? `,"series_master":{${eventId},"event_uid":"${firstUid}"}` : "";
  return {
    members: rendered,
    series: `,"series_identifier":"${id}"${first},"occurrence_date":"`,
    end: `${link(conferencing, names)},"options":{"delete":${isOwn},"update":${isOwn},"change_participation_status":false}}`,
  };
}

function link(json: string, names: Vocabulary): string {
  const value: Conferencing = json === "" ? null : JSON.parse(json);
  if (value === null) return "";
  const shown =
    "pending" in value ? value : { provider_name: meetingServiceName(names, value.provider), join_url: value.join_url };
  return `,"conferencing":${JSON.stringify(shown)}`;
}

/** Returns the event with the content that its occurrence changed. */
function changedEvent({ event, changes }: EventRow): RenderedEvent {
  const {
    location,
    url,
    transparency,
    private: isPrivate,
    conferencing,
    ...same
  }: OccurrenceChanges = JSON.parse(changes);
  const members = {
    ...JSON.parse(`{${event.rendered}}`),
    ...same,
    ...(location !== undefined && { location: location === null ? undefined : { description: location } }),
    ...(url !== undefined && { url: url ?? undefined }),
    ...(transparency !== undefined && { transparency, extended_transparency: transparency }),
    ...(isPrivate !== undefined && { event_private: isPrivate }),
  };
  return {
    ...event,
    rendered: JSON.stringify(members).slice(1, -1),
    conferencing: conferencing === undefined ? event.conferencing : JSON.stringify(conferencing),
  };
}
