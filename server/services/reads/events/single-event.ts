import { dayOfText } from "@/server/domain/events/rule-series";
import type { EventUid } from "@/server/domain/ids";
import { UTC } from "@/server/domain/time/zone";
import type { Vocabulary } from "@/server/domain/wire-names";
import { eventWriter } from "@/server/services/reads/events/write-event";
import { timeWriter } from "@/server/services/reads/times";

/** An event as it is stored. */
interface StoredEvent {
  id: string;
  rendered: string;
  firstUid: string | null;
  conferencing: string | null;
  rules: string | null;
  /** In epoch seconds. */
  contentChanged: number | null;
}

/** An occurrence of it, or the only one. Times in epoch seconds. */
interface StoredOccurrence {
  uid: string;
  day: string | null;
  first: boolean;
  allDay: boolean;
  starts: number;
  ends: number;
  changes: string | null;
  updated: number;
}

/** Creates a writer for single events: their JSON is that of GET /v1/events, in UTC. */
export function singleEventWriter(names: Vocabulary): (event: StoredEvent, occurrence: StoredOccurrence) => string {
  const write = eventWriter(timeWriter(false, UTC), names);
  return (
    { id, rendered, firstUid, conferencing, rules, contentChanged },
    { uid, day, first, allDay, starts, ends, changes, updated },
  ) =>
    write({
      ...{ first, allDay, starts, ends, updated },
      uid: uid as EventUid,
      deleted: false,
      day: day === null ? null : dayOfText(day),
      changes: changes ?? "",
      event: {
        ...{ id, rendered, bytes: 0 },
        contentChanged: contentChanged ?? 0,
        firstUid: firstUid ?? "",
        conferencing: conferencing ?? "",
        rules: rules ?? "",
      },
    });
}
