import { finish, isPending } from "./conferences";
import { eventOf, instanceOf } from "./instances";
import { sameAddress } from "./mails";
import { stampOf } from "./recurrence";
import { changeExceptions } from "./series";
import type { CalendarRecord, EventResource, EventTime, StoredEvent, World } from "./state";
import { normalized } from "./times";

/** What other people do to a calendar in Google's web UI, and what a test may look at. */
export interface CalendarState {
  id: string;
  /** Every stored event: series, exceptions and deleted ones, in the order of their creation. */
  events(): EventResource[];
  /** A stored event, or an instance of a series; undefined if there is none. */
  event(id: string): EventResource | undefined;
  /** Creates an event or replaces the one with its id. Anything goes that Google could store: organizer, RDATE lines, responses. */
  putEvent(event: EventResource): string;
  /** Changes fields of an event or of an instance; undefined removes a field. */
  changeEvent(id: string, changes: Partial<EventResource>): void;
  /** Deletes an event, a series, or an instance by its id. */
  deleteEvent(id: string): void;
  /** Moves the instance of a series that starts at `original` by the recurrence data. Returns the instance's id. */
  moveOccurrence(seriesId: string, original: EventTime, to: { start: EventTime; end: EventTime }): string;
  /** Deletes the instance that starts at `original` by the recurrence data. Returns the instance's id. */
  deleteOccurrence(seriesId: string, original: EventTime): string;
  /** A guest responds; by default to the event, or to one instance by its id. */
  reply(
    id: string,
    email: string,
    responseStatus: "needsAction" | "declined" | "tentative" | "accepted",
    comment?: string,
  ): void;
  /** Ends the pending conference request of an event. */
  finishConference(id: string, outcome?: "success" | "failure"): void;
  /** Google forgets deleted events: "such cancelled events will eventually disappear". */
  forgetDeleted(): void;
  /** All sync tokens of the calendar's events expire. */
  expireSyncTokens(): void;
}

/** The verbs of a calendar. */
export function calendarState(world: World, calendar: CalendarRecord): CalendarState {
  const at = (id: string) => eventOf(calendar, id);

  /** Stores a resource; `before` is the event that it replaces. */
  function store(id: string, resource: EventResource, before?: StoredEvent): StoredEvent {
    const version = world.nextVersion();
    const updated = new Date(world.now()).toISOString();
    const known = calendar.events.get(id);
    const stored = { resource: { ...resource, id, updated }, position: known?.position ?? version, version };
    calendar.events.set(id, stored);
    calendar.updated = world.now();
    if (before?.resource.recurrence) changeExceptions(world, calendar, before.resource, stored);
    world.changed({ events: calendar.id });
    return stored;
  }

  function change(id: string, changes: Partial<EventResource>): void {
    const before = at(id);
    const resource: EventResource = { ...before.resource, ...changes };
    if (changes.start) resource.start = normalized(changes.start, "start", calendar.timeZone);
    if (changes.end) resource.end = normalized(changes.end, "end", calendar.timeZone);
    for (const name of Object.keys(changes) as (keyof EventResource)[])
      if (changes[name] === undefined) delete resource[name];
    store(id, resource, before);
  }

  function instanceAt(seriesId: string, original: EventTime): string {
    const id = `${seriesId}_${stampOf(normalized(original, "start", calendar.timeZone))}`;
    if (!instanceOf(calendar, id))
      throw new Error(`The series ${seriesId} has no instance at ${JSON.stringify(original)}.`);
    return id;
  }

  return {
    id: calendar.id,
    events: () => [...calendar.events.values()].map(({ resource }) => structuredClone(resource)),
    event: (id) => (calendar.events.has(id) || instanceOf(calendar, id) ? structuredClone(at(id).resource) : undefined),
    putEvent(event) {
      const id = event.id ?? `fake${(world.version() + 1).toString(32)}`;
      const before = calendar.events.get(id);
      store(id, { ...frameOf(world, calendar, id), ...completed(event, calendar.timeZone) }, before);
      return id;
    },
    changeEvent: change,
    deleteEvent: (id) => change(id, { status: "cancelled" }),
    moveOccurrence(seriesId, original, to) {
      const id = instanceAt(seriesId, original);
      change(id, to);
      return id;
    },
    deleteOccurrence(seriesId, original) {
      const id = instanceAt(seriesId, original);
      change(id, { status: "cancelled" });
      return id;
    },
    reply(id, email, responseStatus, comment) {
      const { attendees = [] } = at(id).resource;
      if (!attendees.some((one) => sameAddress(one.email, email))) throw new Error(`${email} is no guest of ${id}.`);
      const reply = { responseStatus, ...(comment !== undefined && { comment }) };
      change(id, { attendees: attendees.map((one) => (sameAddress(one.email, email) ? { ...one, ...reply } : one)) });
    },
    finishConference(id, outcome = "success") {
      const event = at(id);
      if (!isPending(event.resource)) throw new Error(`No conference request of ${id} is pending.`);
      finish(event, outcome);
      store(id, event.resource);
    },
    forgetDeleted() {
      for (const [id, { resource }] of calendar.events) {
        if (resource.status === "cancelled" && !resource.recurringEventId) calendar.events.delete(id);
      }
    },
    expireSyncTokens: () => void calendar.syncFloors.set("", world.nextVersion()),
  };
}

function frameOf(world: World, calendar: CalendarRecord, id: string): EventResource {
  const person = calendar.primary ? { email: calendar.id } : { email: calendar.id, displayName: calendar.summary };
  return {
    iCalUID: `${id}@google.com`,
    created: new Date(world.now()).toISOString(),
    creator: { email: calendar.owner },
    organizer: person,
    sequence: 0,
    status: "confirmed",
    eventType: "default",
    reminders: { useDefault: true },
  };
}

function completed(event: EventResource, zone: string): EventResource {
  const side = (name: "start" | "end") => event[name] && { [name]: normalized(event[name], name, zone) };
  const original = event.originalStartTime && {
    originalStartTime: normalized(event.originalStartTime, "start", zone),
  };
  return { ...structuredClone(event), ...side("start"), ...side("end"), ...original };
}
