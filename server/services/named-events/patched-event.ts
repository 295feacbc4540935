import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";
import { dayOfText, seriesOf } from "@/server/domain/events/rule-series";
import type { Issue } from "@/server/domain/issues";
import type { Change, OccurrenceTexts } from "@/server/domain/recurrence/exceptions";
import { occurrenceSpan } from "@/server/domain/recurrence/spans";
import { namedZone } from "@/server/domain/time/named-zone";
import { changeSeries } from "@/server/services/events/change-series";
import { nextState, type OwnTexts } from "@/server/services/events/write/next-state";
import type { ChangedCalendar } from "@/server/services/named-events/change-named";
import type { FoundEvent } from "@/server/services/named-events/found-event";
import type { EventPatch } from "@/server/services/named-events/patch-body";
import {
  type EventSpan,
  momentsOf,
  movedWith,
  patchedTimes,
  shownSpan,
} from "@/server/services/named-events/patched-times";
import { invalid } from "@/server/services/refusal";

/** The texts of an event, after the patch or before. Null: there is none. */
interface Texts {
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
  transparency: EventState["transparency"];
}

export interface PatchInput extends FoundEvent {
  patch: EventPatch;
  calendar: ChangedCalendar;
}

/** Applies a patch to an event, or to its whole series. Throws 422 with what the calendar cannot carry out. */
export function patchedEvent({ event, occurrence, patch, calendar }: PatchInput): EventState {
  const before = event.living.state;
  const { summary, description, location, url, transparency } = patchedTexts(before, patch);
  const times = patchedTimes(patch, occurrence);
  const isRecurring = occurrence.day !== null;
  const span = times ? (isRecurring ? movedWith(before, occurrence, times) : times.span) : before.span;
  const tzid = times?.tzid ?? (times && !isRecurring && span.allDay ? null : before.tzid);
  const body = {
    ...momentsOf(span),
    ...{ summary, description, transparency, url: url ?? undefined, notify_attendees: calendar.notify },
    location: location === null ? undefined : { description: location },
    tzid: (tzid === null ? null : namedZone(tzid)) ?? undefined,
  };
  return { ...nextState(body, before, calendar), tzid };
}

/**
 * Applies a patch to one occurrence of a series. What it has in common with the series is the series' own again. Throws
 * 422 for what only a whole series can have.
 */
export function patchedOccurrence({ event, occurrence, patch }: PatchInput): EventState {
  const series = event.living.state;
  if (occurrence.day === null) throw new Error("a single event has no occurrences");
  const shown = textsOfOccurrence(series, occurrence.changes);
  const texts = patchedTexts(shown, patch);
  const times = patchedTimes(patch, occurrence);
  const issues = [...wholeSeriesIssues(shown, texts), ...(times ? kindIssues(series, times.span) : [])];
  if (issues.length > 0) throw invalid(...issues);
  const { summary, description, location } = texts;
  const isSame = summary === shown.summary && description === shown.description && location === shown.location;
  if (!times && isSame) return series;
  const day = dayOfText(occurrence.day);
  const change = {
    span: times?.span ?? shownSpan(occurrence),
    texts: { summary, description, location: location ?? "" },
  };
  return changeSeries(series, day, series.ruleSeries ? differingFrom(series, { day, ...change }) : change);
}

/** Lists the texts that the application has set once the patch is applied, for its event to remember. */
export function ownTextsAfter(own: OwnTexts, { description, location, url }: EventPatch): OwnTexts {
  if (own === null) return null;
  const sent = { description, location: location === null ? null : location?.description, url };
  const after = new Set(own);
  for (const [name, text] of Object.entries(sent)) {
    if (text) after.add(name);
    else if (text !== undefined) after.delete(name);
  }
  return [...after];
}

function patchedTexts(shown: Texts, { summary, description, location, url, transparency }: EventPatch): Texts {
  return {
    summary: summary ?? shown.summary,
    description: description === undefined ? shown.description : (description ?? ""),
    location: locationAfter(shown.location, location),
    url: url === undefined ? shown.url : url,
    transparency: transparency === undefined ? shown.transparency : (transparency ?? "opaque"),
  };
}

function locationAfter(shown: string | null, location: EventPatch["location"]): string | null {
  if (location === null) return null;
  return location?.description === undefined ? shown : location.description;
}

function textsOfOccurrence(series: EventState, json: string): Texts {
  const changes: OccurrenceChanges = json === "" ? {} : JSON.parse(json);
  const { summary, description, location, url, transparency } = { ...series, ...changes };
  return { summary, description, location, url, transparency };
}

function wholeSeriesIssues(shown: Texts, after: Texts): Issue[] {
  const names = (["url", "transparency"] as const).filter((name) => (after[name] || null) !== (shown[name] || null));
  return names.map((name) => ({
    path: [name],
    key: "errors.not_supported",
    description: `${name} cannot differ between the occurrences of a series: send scope=all`,
  }));
}

function kindIssues({ span: { allDay } }: EventState, to: EventSpan): Issue[] {
  if (to.allDay === allDay) return [];
  const description = `start must be a ${allDay ? "date in an all-day series" : "time in a series with times"}`;
  return [{ path: ["start"], key: "errors.invalid", description }];
}

/** Returns what a day has of its own in the application's series. */
function differingFrom(series: EventState, { day, span, texts }: Change): Omit<Change, "day"> {
  const { ruleSeries } = series;
  if (!ruleSeries || !span) throw new Error("only an occurrence of a rule differs from it");
  const usual = occurrenceSpan(seriesOf(ruleSeries, series), day);
  const isUsual = span.starts === usual.starts && span.ends === usual.ends && span.allDay === series.span.allDay;
  const own: OccurrenceTexts = {};
  for (const name of ["summary", "description", "location"] as const)
    if (texts[name] !== (series[name] ?? "")) own[name] = texts[name];
  return { span: isUsual ? null : span, texts: own };
}
