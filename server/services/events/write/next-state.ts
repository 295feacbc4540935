import { guestIssues } from "@/server/domain/calendars/guest-rules";
import { askConferencing } from "@/server/domain/events/conferencing";
import type { EventState, Person, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { changeGuests } from "@/server/domain/events/guests";
import { exceptionsOf, storedSeries, withRepliesOf } from "@/server/domain/events/rule-series";
import type { Issue } from "@/server/domain/issues";
import { exceptionsOfIcal } from "@/server/domain/merge/ical-exceptions";
import type { Provider } from "@/server/domain/providers";
import { checkSeries } from "@/server/domain/recurrence/check-series";
import { type Exceptions, keepExceptions, mergeExceptions } from "@/server/domain/recurrence/exceptions";
import { firstDayOf } from "@/server/domain/recurrence/spans";
import { span } from "@/server/domain/time/moment";
import { zone } from "@/server/domain/time/zone";
import { bodyTzid, type EventBody } from "@/server/services/events/write/input";
import { keptIcalRecurrence } from "@/server/services/events/write/kept-ical-recurrence";
import { unwritableSeries } from "@/server/services/events/write/unwritable-series";
import { invalid } from "@/server/services/refusal";

/** The texts that a write may leave out. */
const textNames = ["description", "location", "url"] as const;
type TextName = (typeof textNames)[number];
/** Those that the application's last write of an event set. Null: unknown, as if it had set all. */
export type OwnTexts = readonly string[] | null;

const KEEP = { kind: "keep" } as const;

type WrittenBody = Omit<EventBody, "event_id">;

export interface WrittenCalendar {
  provider: Provider;
  /** It adds meeting links of its own. */
  integratedConferencing: boolean;
  /** Whether its guests are invited. Null: as its provider does otherwise. */
  invites: boolean | null;
  owner: Person;
}

/**
 * Builds what an event says after a write ("POST …/events", the rules for attendees, recurrence and conferencing): the
 * body, and of what it leaves out the guests, the repetition with its time zone, the meeting link of before, and the
 * texts that others filled in. Throws 422 with what the calendar cannot carry out.
 */
export function nextState(
  body: WrittenBody,
  before: EventState | null,
  calendar: WrittenCalendar,
  ownTexts: OwnTexts = null,
): EventState {
  const issues: Issue[] = [];
  const times = span(body.start, body.end);
  if (typeof times === "string") throw new Error("the schema lets no such span through");
  const { starts, ends, allDay } = times;
  const keeps = (body.recurrence ?? KEEP).kind === "keep";
  const tzid = bodyTzid(body) ?? (keeps && (before?.ruleSeries || before?.icalRecurrence) ? before.tzid : null);
  const attendees = guests(body, before, calendar, issues);
  const conferencing = meetingLink(body, before, calendar, issues);
  const others = before?.icalRecurrence && keptIcalRecurrence(before.icalRecurrence, before, { span: times, tzid });
  const series = repetition(body, before, { times: { span: times, tzid }, others, issues });
  if (issues.length > 0) throw invalid(...issues);
  const texts = textsOf(body, before, ownTexts);
  const state: EventState = {
    summary: body.summary,
    description: texts.description ?? "",
    location: texts.location ?? null,
    url: texts.url ?? null,
    span: { starts, ends, allDay },
    tzid,
    transparency: body.transparency,
    private: before?.private ?? false,
    status: before?.status ?? "confirmed",
    participationStatus: before?.participationStatus ?? "accepted",
    organizer: before ? before.organizer : calendar.owner,
    attendees,
    categories: before?.categories ?? [],
    conferencing,
    ruleSeries: series,
    icalRecurrence: keeps ? (others ?? null) : null,
  };
  const unwritable = unwritableSeries(calendar.provider, state, !keeps);
  if (unwritable.length > 0) throw invalid(...unwritable);
  return state;
}

/** Lists the texts that the write sets, for its event to remember. */
export function ownTextsOf(body: WrittenBody): TextName[] {
  const sent = sentTexts(body);
  return textNames.filter((name) => sent[name]);
}

/**
 * Returns the texts after a write. What the body leaves out is empty if the application had set it, and stays if others
 * did.
 */
function textsOf(body: WrittenBody, before: EventState | null, own: OwnTexts) {
  const sent = sentTexts(body);
  const isOthers = (name: TextName) => own !== null && !own.includes(name);
  const entries = textNames.map((name) => [name, sent[name] ?? (isOthers(name) ? before?.[name] : undefined)]);
  return Object.fromEntries(entries) as ReturnType<typeof sentTexts>;
}

function sentTexts({ description, location, url }: WrittenBody): Partial<Record<TextName, string>> {
  return { description, location: location?.description, url };
}

function guests(body: WrittenBody, before: EventState | null, calendar: WrittenCalendar, issues: Issue[]) {
  const { provider, invites } = calendar;
  const existing = before?.attendees ?? [];
  const after = body.attendees ? changeGuests(existing, body.attendees) : existing;
  const write = { provider, invites, change: body.attendees ?? null, before: existing, guests: after };
  issues.push(...guestIssues({ notify: body.notify_attendees, ...write }));
  return after;
}

function meetingLink(body: WrittenBody, before: EventState | null, calendar: WrittenCalendar, issues: Issue[]) {
  const step = askConferencing(
    before?.conferencing ?? null,
    body.conferencing?.profile_id,
    calendar.integratedConferencing,
  );
  if (step !== "unavailable") return step.state;
  const path = ["conferencing", "profile_id"];
  const description = "conferencing.profile_id cannot be integrated: this calendar has no meeting links";
  issues.push({ path, key: "errors.conferencing_unavailable", description });
  return null;
}

type Times = Pick<EventState, "span" | "tzid">;

interface Repetition {
  times: Times;
  /** The repetition that others gave the event, at the written times. */
  others: StoredIcalRecurrence | null | undefined;
  issues: Issue[];
}

function repetition(
  body: WrittenBody,
  before: EventState | null,
  { times, others, issues }: Repetition,
): RuleSeries | null {
  const recurrence = body.recurrence ?? KEEP;
  if (recurrence.kind === "single" || recurrence.kind === "faulty") return null;
  const stored = before?.ruleSeries ?? null;
  const rule = recurrence.kind === "series" ? recurrence.rule : stored?.rule;
  const sent = recurrence.kind === "series" ? recurrence.sent.rules[0] : stored?.rules[0];
  if (!rule || !sent) return null;
  const found = times.tzid === null ? null : zone(times.tzid);
  if (recurrence.kind === "keep") issues.push(...misfitsOfKept(rule, times, found));
  if (issues.length > 0) return null;
  const kept = keptExceptions(stored, others ?? null);
  const all = recurrence.kind === "series" ? mergeExceptions(kept, recurrence.exceptions) : kept;
  const first = firstDayOf({ first: times.span, zone: found });
  const { allDay } = times.span;
  const was = before?.span.allDay ?? allDay;
  const series = storedSeries(sent, rule, keepExceptions(all, { rule, first, allDay, was }));
  const removed = body.attendees?.remove.map(({ email }) => email);
  return stored ? withRepliesOf(stored, series, { first, removed }) : series;
}

/** Returns the exceptions of before, whoever made them and whatever rule they are of. */
function keptExceptions(stored: RuleSeries | null, others: StoredIcalRecurrence | null): Exceptions {
  if (stored) return exceptionsOf(stored);
  return others ? exceptionsOfIcal(others) : { skipped: [], changed: [] };
}

/**
 * Finds why a start does not fit the kept rule. The body says nothing of the rule, so the mistake is `recurrence`'s.
 */
function misfitsOfKept(rule: RuleSeries["rule"], { span: first }: Times, found: ReturnType<typeof zone>): Issue[] {
  const wrong = checkSeries({ rule, first, zone: found, exceptions: null });
  return wrong.map((issue) => {
    if (issue.path[0] === "tzid") return issue;
    const sentence = issue.description.split(" ").slice(1).join(" ");
    return {
      ...issue,
      path: ["recurrence"],
      description: `recurrence is unchanged, but ${String(issue.path.at(-1))} ${sentence}`,
    };
  });
}
