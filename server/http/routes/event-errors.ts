import { MAX_EXCEPTIONS } from "@/server/domain/recurrence/read-exceptions";
import { MAX_COUNT, MAX_INTERVAL } from "@/server/domain/recurrence/read-rule";
import { MAX_DESCRIPTION, MAX_EVENT_ID, MAX_SUMMARY, MAX_URL } from "@/server/domain/text-limits";
import type { EndpointError } from "@/server/http/error-keys";
import { count, limits } from "@/server/http/limits";

const unreadable: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
  { key: "errors.invalid", field: "any", when: "contains a character that cannot be stored" },
];

const eventId: EndpointError[] = [
  { key: "errors.required", field: "event_id", when: "missing" },
  { key: "errors.too_small", field: "event_id", when: "empty" },
  { key: "errors.too_big", field: "event_id", when: `over ${count(MAX_EVENT_ID)} characters` },
];

const day: EndpointError[] = [
  { key: "errors.invalid", field: "occurrence_date", when: "not a date" },
  { key: "errors.not_recurring", field: "occurrence_date", when: "the event is not recurring" },
  { key: "errors.not_an_occurrence", field: "occurrence_date", when: "the series has no occurrence on that day" },
  { key: "errors.too_big", field: "occurrence_date", when: "more exceptions than a series can have" },
];

const guests: EndpointError[] = [
  {
    key: "errors.notify_attendees_unsupported",
    field: "notify_attendees",
    when: "`false`, but this calendar always notifies guests",
  },
  {
    key: "errors.too_many_attendees",
    field: "attendees",
    when: `the event would have more than ${limits.guests} guests`,
  },
];

const texts: EndpointError[] = [
  { key: "errors.too_big", field: "summary, location.description", when: `over ${count(MAX_SUMMARY)} characters` },
  { key: "errors.too_big", field: "description", when: `over ${count(MAX_DESCRIPTION)} characters` },
];

const times: EndpointError[] = [
  { key: "errors.required", field: "start.time, start.tzid", when: "missing from an object" },
  { key: "errors.invalid", field: "start, end, tzid", when: "not a valid time, date or time zone" },
  { key: "errors.invalid", field: "end", when: "before `start`, or a date while `start` is a time (or the reverse)" },
];

const attendees: EndpointError[] = [
  { key: "errors.invalid_format", field: "attendees", when: "not an object with `invite` and/or `remove`" },
  { key: "errors.required", field: "attendees.…email", when: "missing" },
  { key: "errors.invalid_email", field: "attendees.…email", when: "not a valid email address" },
  {
    key: "errors.too_big",
    field: "attendees.…",
    when: `more than ${limits.guestEntries} entries, an address over ${limits.email} characters or a name over ${limits.guestName}`,
  },
  {
    key: "errors.attendees_unsupported",
    field: "attendees",
    when: "the calendar sends no invitations; on an application calendar, set `notify_attendees` to `false`",
  },
];

const conferencing: EndpointError[] = [
  { key: "errors.required", field: "conferencing.profile_id", when: "missing" },
  { key: "errors.invalid_value", field: "conferencing.profile_id", when: "not `default`, `integrated` or `none`" },
  {
    key: "errors.conferencing_unavailable",
    field: "conferencing.profile_id",
    when: "`integrated` on a calendar that has no meeting links",
  },
];

const rule: EndpointError[] = [
  { key: "errors.invalid_format", field: "recurrence", when: "not an object or `null`" },
  { key: "errors.invalid_format", field: "recurrence.…by_day[0]", when: "not an object" },
  { key: "errors.required", field: "recurrence.rules, …frequency, …day", when: "missing" },
  {
    key: "errors.too_small",
    field: "recurrence.rules",
    when: "no rule; to stop the series, send `recurrence` as `null`",
  },
  { key: "errors.max_recurrence_rules_exceeded", field: "recurrence.rules", when: "more than one rule" },
  {
    key: "errors.not_recognized",
    field: "recurrence.…frequency",
    when: "not `daily`, `weekly`, `monthly` or `yearly`",
  },
  {
    key: "errors.not_supported",
    field: "recurrence.…",
    when: "an unsupported field; several weekdays of a month in a Microsoft calendar",
  },
  {
    key: "errors.must_be_integer_greater_than_zero",
    field: "recurrence.…interval, …count",
    when: "not an integer greater than zero",
  },
  {
    key: "errors.too_big",
    field: "recurrence.…interval, …count",
    when: `over ${count(MAX_INTERVAL)}; over ${count(MAX_COUNT)}`,
  },
  { key: "errors.invalid_value", field: "recurrence.…day, …nth_of_period", when: "not a weekday; not 1 to 4 or -1" },
  { key: "errors.must_be_date", field: "recurrence.…until", when: "not a date such as `2026-11-21`" },
  {
    key: "errors.not_supported_count_until_combination",
    field: "recurrence.…until",
    when: "combined with `count`",
  },
  {
    key: "errors.invalid",
    field: "recurrence.…, tzid",
    when: "`start` is not an occurrence of the rule; `by_day` does not fit the frequency; a monthly rule starts on the 29th to 31st or a yearly one on 29 February; `until` is before `start`; times without a time zone, or with one that a Microsoft calendar can't repeat in",
  },
];

const exceptions: EndpointError[] = [
  {
    key: "errors.invalid",
    field: "recurrence.exceptions.…date",
    when: "not a date, not an occurrence of the series, or listed twice",
  },
  { key: "errors.required", field: "recurrence.exceptions.…start, …end", when: "only one of the two was sent" },
  { key: "errors.too_big", field: "recurrence.exceptions.…", when: `more than ${count(MAX_EXCEPTIONS)} entries` },
];

const link: EndpointError[] = [
  { key: "errors.too_big", field: "url", when: `over ${count(MAX_URL)} characters` },
  { key: "errors.invalid", field: "url", when: "a scheme that calendars don't use, such as `javascript:` or `data:`" },
];

const transparency: EndpointError[] = [
  { key: "errors.invalid_value", field: "transparency", when: "not opaque or transparent" },
];

export const writeErrors: readonly EndpointError[] = [
  ...unreadable,
  ...eventId,
  { key: "errors.required", field: "summary, start, end", when: "missing" },
  ...texts,
  ...link,
  ...times,
  ...transparency,
  ...attendees,
  ...guests,
  ...conferencing,
  ...rule,
  ...exceptions,
];

export const deleteErrors: readonly EndpointError[] = [...unreadable, ...eventId, ...day, ...guests];

export const occurrenceErrors: readonly EndpointError[] = [
  ...unreadable,
  ...eventId,
  { key: "errors.required", field: "occurrence_date", when: "missing" },
  ...day,
  {
    key: "errors.required",
    field: "base",
    when: "no change: none of `start` and `end`, `summary`, `description`, `location.description`",
  },
  { key: "errors.required", field: "start, end", when: "only one of the two was sent" },
  ...texts,
  ...times,
  ...guests,
];

/** Of a change of an event by its uid: the body's, then the calendar's. */
export const patchErrors: readonly EndpointError[] = [
  ...unreadable,
  { key: "errors.required", field: "start, end", when: "only one of the two was sent" },
  ...texts,
  ...link,
  ...times,
  ...transparency,
  {
    key: "errors.not_supported",
    field: "url, transparency",
    when: "changed for one occurrence of a series: send `scope=all`",
  },
  {
    key: "errors.invalid",
    field: "start, recurrence, recurrence.…",
    when: "a date in a series with times, or the reverse; the moved series would not fit its rule",
  },
];

/** Of a reply to an invitation. */
export const replyErrors: readonly EndpointError[] = [
  ...unreadable,
  { key: "errors.required", field: "status", when: "missing" },
  { key: "errors.invalid_value", field: "status", when: "not `accepted`, `declined` or `tentative`" },
  { key: "errors.too_big", field: "comment", when: `over ${count(MAX_SUMMARY)} characters` },
  { key: "errors.is_organizer", field: "base", when: "the user organizes the event" },
  { key: "errors.not_a_guest", field: "base", when: "the user is not invited" },
];

export const sandboxErrors: readonly EndpointError[] = [
  ...unreadable,
  {
    key: "errors.required",
    field: "type, calendar_id, event_id, event, email, status, calendar",
    when: "missing for this type",
  },
  { key: "errors.invalid_value", field: "type, status", when: "not a documented value" },
  {
    key: "errors.invalid",
    field: "event_id, event_uid, email",
    when: "not an event of the calendar, both of them sent, or not a guest of the event",
  },
  { key: "errors.invalid", field: "join_url", when: "a scheme that calendars don't use" },
  ...writeErrors
    .filter((error) => !unreadable.includes(error) && !eventId.includes(error))
    .filter(({ field }) => field !== "notify_attendees")
    .map((error) => ({ ...error, field: `event.${error.field.split(", ").join(", event.")}` })),
];
