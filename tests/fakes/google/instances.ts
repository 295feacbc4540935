import { knownErrors } from "./errors";
import { type Occurrence, occurrenceOf, occurrences, stampOf } from "./recurrence";
import type { CalendarRecord, StoredEvent } from "./state";

/** The series and the instance that an id names. */
export interface Instance {
  master: StoredEvent;
  occurrence: Occurrence;
}

const INSTANCE_ID = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/;

/** The id of an instance of a series: [K], as every client sees it. */
export const instanceId = (masterId: string, { stamp }: Occurrence) => `${masterId}_${stamp}`;

/** The event of an id: stored, or an instance that nothing has changed yet, which has its series' version. 404 otherwise. */
export function eventOf(calendar: CalendarRecord, id: string): StoredEvent {
  const stored = calendar.events.get(id);
  if (stored) return stored;
  const instance = instanceOf(calendar, id);
  if (!instance) throw knownErrors.notFound();
  return unchanged(instance.master, instance.occurrence);
}

/** The instance that an id names by its form, whether or not it is stored as an exception. */
export function instanceOf(calendar: CalendarRecord, id: string): Instance | undefined {
  const [, masterId = "", stamp = ""] = INSTANCE_ID.exec(id) ?? [];
  const master = calendar.events.get(masterId);
  if (!master?.resource.recurrence) return undefined;
  const occurrence = occurrenceOf(master.resource, stamp);
  return occurrence && { master, occurrence };
}

/** The instances of a series that start before `to`: exceptions where they are stored, cancelled ones included. */
export function instancesOf(calendar: CalendarRecord, master: StoredEvent, to?: number): StoredEvent[] {
  const generated = occurrences(master.resource, to).map((one) => {
    return calendar.events.get(instanceId(master.resource.id, one)) ?? unchanged(master, one);
  });
  // An exception may have been moved to before `to` from after it.
  const others = exceptionsOf(calendar, master.resource.id).filter((one) => !generated.includes(one));
  return [...generated, ...others];
}

/** The stored instances of a series: those that differ from it, and cancelled ones. */
export function exceptionsOf(calendar: CalendarRecord, masterId: string): StoredEvent[] {
  return [...calendar.events.values()].filter(({ resource }) => resource.recurringEventId === masterId);
}

/** Whether the series still has an instance at the original start of this exception. */
export function isGenerated(master: StoredEvent, exception: StoredEvent): boolean {
  const original = exception.resource.originalStartTime;
  return original !== undefined && occurrenceOf(master.resource, stampOf(original)) !== undefined;
}

/** Field `recurrence`: "omitted for single events or instances of recurring events". */
function unchanged(master: StoredEvent, occurrence: Occurrence): StoredEvent {
  const { recurrence: _, ...inherited } = master.resource;
  const id = instanceId(master.resource.id, occurrence);
  const { start, end } = occurrence;
  const own = { id, recurringEventId: master.resource.id, originalStartTime: start, start, end };
  return { resource: { ...inherited, ...own }, position: master.position, version: master.version };
}
