import type { calendar_v3 } from "@googleapis/calendar";
import { viewerOf } from "./access";
import { GoogleError, invalid, knownErrors, required, type WireResponse } from "./errors";
import { isWithin } from "./event-view";
import { instancesOf } from "./instances";
import { jsonBody, type WireRequest } from "./request";
import { type Account, type CalendarRecord, instantOf, type StoredEvent, type World } from "./state";
import { epochOf } from "./times";

/** freebusy.query: the spans in which calendars are busy, in UTC; an unknown one has an error of its own. */
export function queryFreeBusy(world: World, account: Account, request: WireRequest): WireResponse {
  const { timeMin, timeMax, items = [] } = jsonBody(request) as calendar_v3.Schema$FreeBusyRequest;
  if (!timeMin || !timeMax) throw required(`Missing ${timeMin ? "timeMax" : "timeMin"} parameter.`);
  const [from, to] = [instantOf(timeMin), instantOf(timeMax)];
  if (Number.isNaN(from) || Number.isNaN(to)) throw invalid("Bad Request");
  if (from >= to) throw knownErrors.timeRangeEmpty();
  const busy = (id: string) => {
    try {
      return { busy: spansOf(viewerOf(world, account, id).calendar, from, to) };
    } catch (error) {
      if (!(error instanceof GoogleError)) throw error;
      // The form: googleapis/google-api-nodejs-client#3000.
      return { errors: [{ domain: "global", reason: "notFound" }], busy: [] };
    }
  };
  const calendars = Object.fromEntries(items.map(({ id }) => [id, busy(id ?? "")]));
  return { status: 200, body: { kind: "calendar#freeBusy", timeMin, timeMax, calendars } };
}

/** The spans of opaque events, those joined that touch. */
function spansOf(calendar: CalendarRecord, from: number, to: number): { start: string; end: string }[] {
  const isBusy = ({ resource: { status, transparency } }: StoredEvent) =>
    status !== "cancelled" && transparency !== "transparent";
  const spans = [...calendar.events.values()]
    .filter(({ resource }) => resource.status !== "cancelled" && !resource.recurringEventId)
    .flatMap((event) => (event.resource.recurrence ? instancesOf(calendar, event, to) : [event]))
    .filter((event) => isBusy(event) && isWithin(event.resource, calendar.timeZone, from, to))
    .map(({ resource: { start, end } }) => ({
      start: Math.max(from, epochOf(start ?? {}, calendar.timeZone)),
      end: Math.min(to, epochOf(end ?? {}, calendar.timeZone)),
    }))
    .sort((one, other) => one.start - other.start);
  const joined: typeof spans = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push(span);
  }
  const text = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");
  return joined.map(({ start, end }) => ({ start: text(start), end: text(end) }));
}
