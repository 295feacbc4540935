import { eventIds, guidOf } from "./ids";
import type { CalendarRecord, StoredEvent, World } from "./state";

export type Draft = Omit<
  StoredEvent,
  | "serial"
  | "id"
  | "immutableId"
  | "iCalUId"
  | "calendar"
  | "exceptions"
  | "cancelled"
  | "created"
  | "modified"
  | "version"
  | "tracked"
> & { iCalUId?: string };

const serials = new WeakMap<World, number>();

function nextSerial(world: World): number {
  const serial = serials.get(world) ?? 0;
  serials.set(world, serial + 1);
  return serial;
}

/** Puts a new event into a calendar. */
export function addEvent(world: World, calendar: CalendarRecord, draft: Draft): StoredEvent {
  const serial = nextSerial(world);
  const version = world.nextVersion();
  const { changeKeySettles } = world.knobs;
  const event: StoredEvent = {
    ...draft,
    serial,
    ...eventIds(serial),
    iCalUId:
      draft.iCalUId ?? `040000008200E00074C5B7101A82E008${guidOf(`uid ${serial}`).replaceAll("-", "").toUpperCase()}`,
    calendar,
    exceptions: new Map(),
    cancelled: new Set(),
    created: world.now(),
    modified: world.now(),
    version,
    tracked: version,
    ...(changeKeySettles !== null && { settles: world.now() + changeKeySettles }),
  };
  calendar.events.set(event.id, event);
  world.changed({ type: "created", calendar, event });
  return event;
}

/** Marks an event as changed; a silent change is one that change tracking never shows. */
export function touch(world: World, event: StoredEvent, isSilent = false): number {
  event.version = world.nextVersion();
  event.modified = world.now();
  if (!isSilent) event.tracked = event.version;
  world.changed({ type: "updated", calendar: event.calendar, event });
  return event.version;
}

/** Takes an event out of its calendar. */
export function removeEvent(world: World, event: StoredEvent): void {
  const { calendar, serial, id, immutableId } = event;
  const version = world.nextVersion();
  calendar.events.delete(id);
  calendar.tombstones.push({ serial, id, immutableId, version });
  world.changed({ type: "deleted", calendar, event: { id, immutableId, version } });
}

/**
 * Moves an event to another calendar of the mailbox, or back from Deleted Items. Page "Obtain immutable identifiers": the id changes
 * "if the item is moved", the immutable one does not.
 */
export function moveEvent(world: World, event: StoredEvent, to: CalendarRecord): void {
  if (event.calendar.events.has(event.id)) removeEvent(world, event);
  to.tombstones = to.tombstones.filter(({ immutableId }) => immutableId !== event.immutableId);
  event.id = eventIds(nextSerial(world)).id;
  event.calendar = to;
  event.version = world.nextVersion();
  event.tracked = event.version;
  to.events.set(event.id, event);
  world.changed({ type: "created", calendar: to, event });
}

/** Rewrites the change keys that are due [R compass-calendar#3673]: "Exchange rewrites an item's change key on its own". */
export function settle(world: World): void {
  if (world.knobs.changeKeySettles === null) return;
  for (const { events } of world.calendars.values()) {
    for (const event of events.values()) {
      if (event.settles === undefined || event.settles > world.now()) continue;
      delete event.settles;
      touch(world, event);
    }
  }
}
