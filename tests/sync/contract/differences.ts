import { isDeepStrictEqual } from "node:util";
import type { Provider as AnyProvider } from "@/server/domain/providers";
import { OWNER } from "./side";
import { type Json, renumbered, type Week } from "./week";

type Provider = Exclude<AnyProvider, "google">;

interface Difference {
  /** A field of an event. Omitted: the whole event. */
  field?: string;
  on: readonly Provider[];
  /** The events that differ. */
  of(event: Json): boolean;
  /** What the field is there. Undefined: it is left out. */
  is?(event: Json): unknown;
  /** The row of /docs/providers that says so. */
  row: string;
  why: string;
}

const called = (summary: string) => (event: Json) => event.summary === summary;
const isOurs = ({ event_id }: Json) => event_id !== undefined;
const hasGuests = ({ attendees }: Json) => Array.isArray(attendees) && attendees.length > 0;
const isOf = (email: string) => (event: Json) => (event.organizer as Json | null)?.email === email;

/** All that differs from Google in the JSON of another provider. `why` begins with the line of the contract that lets it. */
export const differences: readonly Difference[] = [
  {
    ...{ field: "organizer", on: ["icloud"], of: (event) => !isOurs(event) && !hasGuests(event), is: () => null },
    row: "`organizer`",
    why: "Event, organizer: null when the calendar names nobody. An iCalendar object has no ORGANIZER before it has guests; Google names the owner of each event.",
  },
  {
    ...{ field: "organizer", on: ["icloud"], of: isOurs },
    is: ({ organizer }) => ({ ...(organizer as Json), display_name: OWNER }),
    row: "`organizer`",
    why: "Event, organizer: display_name (string or null). Google and Microsoft say what the owner is called; CalDAV has the login alone.",
  },
  {
    ...{ field: "conferencing", on: ["icloud", "outlook", "hosted"], of: called("Interview") },
    row: "Calendars that add links",
    why: "Rules for conferencing: default adds the calendar's own link where it has one, otherwise writes without a link.",
  },
  {
    ...{ field: "conferencing", on: ["microsoft"], of: called("Interview") },
    is: ({ conferencing }) => ({ ...(conferencing as Json), provider_name: "ms_teams" }),
    row: "`conferencing.provider_name`",
    why: "Rules for conferencing: default adds the calendar's own link, which is one of Microsoft Teams.",
  },
  {
    ...{ field: "organizer", on: ["microsoft", "outlook"], of: (event) => !isOurs(event) && isOf(OWNER)(event) },
    is: ({ organizer }) => ({ ...(organizer as Json), display_name: "Anna" }),
    row: "`organizer`",
    why: "Event, organizer: display_name (string or null). Exchange names the owner in every event of a mailbox; Google gives the address alone.",
  },
  {
    ...{ on: ["hosted"], of: (event) => !isOurs(event) },
    row: "Other people's changes",
    why: "What the service does: calendars hosted by the service itself. Nobody but the application has a client for them.",
  },
  {
    ...{ field: "organizer", on: ["hosted"], of: isOurs },
    is: () => ({ email: "apc_@api.almanac.localhost", display_name: "everywhere" }),
    row: "`organizer`",
    why: "Event, organizer: the calendar's owner is the organizer. That of an application calendar is the application's account.",
  },
  {
    ...{ field: "attendees", on: ["hosted"], of: called("Planning") },
    is: ({ attendees }) => (attendees as Json[]).map((guest) => ({ ...guest, status: "needs_action" })),
    row: "A guest's reply",
    why: "errors.attendees_unsupported: an application calendar sends no invitations, it stores guests with notify_attendees false. So nobody replies.",
  },
  {
    ...{ field: "event_private", on: ["hosted"], of: called("Salary"), is: () => false },
    row: "`event_private`",
    why: "POST …/events: no field of the body makes an event private, only somebody's own client does.",
  },
];

/** The week as another provider is to show it, of the week at Google. Throws for a difference that is none. */
export function asOn(provider: Provider, { events, free_busy }: Week): Week {
  let shown = events;
  for (const difference of differences.filter(({ on }) => on.includes(provider))) {
    const before = shown;
    shown = shown.flatMap((event) => (difference.of(event) ? changed(difference, event) : [event]));
    if (isDeepStrictEqual(before, shown)) throw new Error(`not different on ${provider}: ${difference.why}`);
  }
  const uids = new Set(shown.map(({ event_uid }) => event_uid));
  return renumbered({ events: shown, free_busy: free_busy.filter(({ event_uid }) => uids.has(event_uid)) });
}

function changed({ field, is }: Difference, event: Json): Json[] {
  if (field === undefined) return [];
  const { [field]: _, ...rest } = event;
  const value = is?.(event);
  return [{ ...rest, ...(value !== undefined && { [field]: value }) }];
}
