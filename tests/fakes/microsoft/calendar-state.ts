import type { Event, ResponseType } from "@microsoft/microsoft-graph-types";
import { itemIn } from "./access";
import { appended } from "./bodies";
import { contentAfter, newContent } from "./event-fields";
import { asOrganizer, type EventResource, viewOf } from "./event-view";
import { deleteOccurrence, exceptionAt, ownFields, setException } from "./exceptions";
import { writeBlob } from "./meetings";
import { contentOf, type Item } from "./occurrences";
import { propertiesAfter } from "./properties";
import { endsExceptions, seriesAfter } from "./series";
import {
  type CalendarRecord,
  type EventContent,
  type Meeting,
  type StoredEvent,
  sameAddress,
  type World,
} from "./state";
import { addEvent, moveEvent, removeEvent, touch } from "./store";
import { storedTime } from "./times";

/** An event as tests put it: what a client may write, and what only Exchange writes. */
export type EventInput = Event & {
  /** The zone is one that Outlook for Windows once made; start.timeZone says which times it keeps. */
  hasCustomZone?: boolean;
};

/** What other people and other clients do to a calendar, and what a test may look at. Nothing of it sends mails. */
export interface CalendarState {
  id: string;
  /** Every event and series, in the order of creation, in UTC, with default ids. */
  events(): EventResource[];
  /** An event or an occurrence by either of its ids; undefined if there is none. */
  event(id: string): EventResource | undefined;
  /** The dates of the deleted occurrences of a series, and of its exceptions. */
  deviations(id: string): { cancelled: string[]; exceptions: string[] };
  /** All extended properties of an event. */
  properties(id: string): Record<string, string>;
  /** Creates an event. Anything goes that Exchange could store: organizer, responses, foreign meetings. Returns its default id. */
  putEvent(event: EventInput): string;
  /** Changes fields of an event, of a series or of an occurrence. */
  changeEvent(id: string, changes: Event): void;
  deleteEvent(id: string): void;
  /** The default id of the occurrence of a series on a date. */
  occurrenceId(seriesId: string, date: string): string;
  moveOccurrence(seriesId: string, date: string, to: Required<Pick<Event, "start" | "end">>): void;
  deleteOccurrence(seriesId: string, date: string): void;
  /** A guest responds. */
  reply(id: string, email: string, response: ResponseType): void;
  /** A guest forwards the invitation: the organizer's copy has a new guest. */
  forward(id: string, to: { address: string; name?: string }): void;
  /** The organizer, who is somebody else, cancels: the guest's copy stays and says so. */
  cancelByOrganizer(id: string): void;
  /** The link of a meeting that is pending comes. */
  finishMeeting(id: string): void;
  /** Exchange rewrites the change key by itself. */
  rewriteChangeKey(id: string): void;
  /** The user moves the event to another calendar. Returns its new default id. */
  moveEvent(id: string, calendarId: string): string;
  /** All delta tokens of the calendar expire. */
  expireDeltaTokens(): void;
}

/** The verbs of a calendar. */
export function calendarState(world: World, calendar: CalendarRecord): CalendarState {
  const zone = { name: "UTC", zone: "UTC" };
  const prefers = { immutableIds: false, timeZone: null, bodyType: "html" as const, maxPageSize: null, applied: [] };
  const shown = (item: Item) => viewOf(item, { viewer: calendar.owner, prefers, zone });

  function at(id: string): Item {
    const item = itemIn(world, calendar, id);
    if (!item) throw new Error(`The calendar ${calendar.name} has no event ${id}.`);
    return item;
  }

  function write({ event, date }: Item, content: EventContent): void {
    if (date !== undefined) {
      setException(world, event, date, { ...exceptionAt(event, date), own: ownFields(event, content) });
      return;
    }
    event.previous = event.content;
    event.content = content;
    touch(world, event);
  }

  function changed(id: string, change: (content: EventContent) => Partial<EventContent>): void {
    const item = at(id);
    const content = contentOf(item);
    write(item, { ...content, ...change(content) });
  }

  return {
    id: calendar.id,
    events: () => [...calendar.events.values()].map((event) => shown({ event })),
    event(id) {
      const item = itemIn(world, calendar, id);
      return item && shown(item);
    },
    deviations(id) {
      const { cancelled, exceptions } = at(id).event;
      return { cancelled: [...cancelled].sort(), exceptions: [...exceptions.keys()].sort() };
    },
    properties: (id) => Object.fromEntries(at(id).event.properties),
    putEvent: (input) => putEvent(world, calendar, input).id,
    changeEvent(id, changes) {
      const item = at(id);
      const body = { ...changes };
      const content = withResponses(contentAfter(world.knobs, contentOf(item), body), changes);
      if (item.date !== undefined) return write(item, content);
      const after = seriesAfter(world.knobs, content, body, item.event.recurrence);
      if (endsExceptions(item.event, after)) {
        item.event.exceptions.clear();
        item.event.cancelled.clear();
      }
      item.event.recurrence = after.recurrence;
      item.event.properties = propertiesAfter(item.event.properties, changes.singleValueExtendedProperties);
      write(item, after.content);
    },
    deleteEvent(id) {
      const { event, date } = at(id);
      if (date === undefined) removeEvent(world, event);
      else silently(() => deleteOccurrence(world, event, date));
    },
    occurrenceId: (seriesId, date) => shown({ event: at(seriesId).event, date }).id ?? "",
    moveOccurrence(seriesId, date, to) {
      const item = { event: at(seriesId).event, date };
      write(item, contentAfter(world.knobs, contentOf(item), to));
    },
    deleteOccurrence(seriesId, date) {
      const { event } = at(seriesId);
      silently(() => deleteOccurrence(world, event, date));
    },
    reply(id, email, response) {
      const { attendees } = contentOf(at(id));
      if (!attendees.some((one) => sameAddress(one.emailAddress?.address, email)))
        throw new Error(`${email} is no guest of ${id}.`);
      const status = { response, time: new Date(world.now()).toISOString() };
      changed(id, () => ({
        attendees: attendees.map((one) => (sameAddress(one.emailAddress?.address, email) ? { ...one, status } : one)),
      }));
    },
    forward(id, { address, name = address }) {
      const status = { response: "none" as const, time: "0001-01-01T00:00:00Z" };
      changed(id, ({ attendees }) => ({
        attendees: [...attendees, { type: "optional", status, emailAddress: { name, address } }],
      }));
    },
    cancelByOrganizer(id) {
      const { event, date } = at(id);
      if (date === undefined) event.isCancelled = true;
      else event.exceptions.set(date, { ...exceptionAt(event, date), isCancelled: true });
      changed(id, ({ subject }) => ({ subject: `Canceled: ${subject}`, showAs: "free" }));
    },
    finishMeeting(id) {
      const { event } = at(id);
      if (!event.meeting || event.meeting.pendingReads === 0) throw new Error(`No meeting of ${id} is pending.`);
      event.meeting.pendingReads = 0;
      writeBlob(event);
      touch(world, event);
    },
    rewriteChangeKey: (id) => void touch(world, at(id).event),
    moveEvent(id, calendarId) {
      const to = world.calendars.get(calendarId);
      if (!to) throw new Error(`The fake has no calendar ${calendarId}.`);
      const { event } = at(id);
      moveEvent(world, event, to);
      return event.id;
    },
    expireDeltaTokens() {
      calendar.tokenFloor = world.nextVersion();
    },
  };

  /** What others do sends its mails from elsewhere. */
  function silently(action: () => void): void {
    const sent = world.outbox.length;
    action();
    world.outbox.length = sent;
  }
}

/** Responses that Exchange stored; a client's write would not change them. */
function withResponses(content: EventContent, { attendees }: Event): EventContent {
  if (!attendees) return content;
  const statusOf = (address?: string | null) =>
    attendees.find((one) => sameAddress(one.emailAddress?.address, address))?.status;
  const known = content.attendees.map((one) => ({
    ...one,
    status: statusOf(one.emailAddress?.address) ?? one.status ?? null,
  }));
  return { ...content, attendees: known };
}

function putEvent(world: World, calendar: CalendarRecord, input: EventInput): StoredEvent {
  const { hasCustomZone, ...body } = input;
  const start = storedTime(world.knobs, input.start, "start");
  const end = storedTime(world.knobs, input.end, "end");
  const content = withResponses(contentAfter(world.knobs, { ...newContent, start, end }, { ...body }), input);
  const series = seriesAfter(world.knobs, content, { ...body }, null);
  const { name, email } = calendar.owner;
  const meeting: Meeting | null = input.onlineMeeting?.joinUrl
    ? {
        provider: input.onlineMeetingProvider ?? "teamsForBusiness",
        info: input.onlineMeeting,
        pendingReads: 0,
        isOn: true,
      }
    : null;
  const event = addEvent(world, calendar, {
    content: hasCustomZone ? customZone(series.content) : series.content,
    recurrence: hasCustomZone && series.recurrence ? customRange(series.recurrence) : series.recurrence,
    organizer: input.organizer ?? { emailAddress: { name, address: email } },
    responseStatus: input.responseStatus ?? asOrganizer,
    isCancelled: input.isCancelled ?? false,
    properties: propertiesAfter(new Map(), input.singleValueExtendedProperties),
    meeting,
    ...(input.iCalUId && { iCalUId: input.iCalUId }),
  });
  // A foreign invitation brings its blob with it, in whatever form.
  if (meeting && !event.content.html.includes(meeting.info.joinUrl ?? "")) {
    event.content.html = appended(event.content.html, `<a href="${meeting.info.joinUrl}">Join</a>`);
  }
  return event;
}

/** Type Event: "A value of tzone://Microsoft/Custom indicates that a legacy custom time zone was set in desktop Outlook." */
function customZone(content: EventContent): EventContent {
  const shown = "tzone://Microsoft/Custom";
  return { ...content, start: { ...content.start, shown }, end: { ...content.end, shown } };
}

/** Type TimeZoneBase: "a standard time zone name such as 'Hawaii-Aleutian Standard Time', or 'Customized Time Zone'". */
function customRange({
  pattern,
  range,
}: NonNullable<StoredEvent["recurrence"]>): NonNullable<StoredEvent["recurrence"]> {
  return { pattern: pattern ?? null, range: { ...range, recurrenceTimeZone: "Customized Time Zone" } };
}
