import type { IssueKey } from "@/server/domain/issues";
import { limits } from "@/server/http/limits";

/** What each key of a 422 means ("Errors"). The compiler sees to it that none is missing. */
export const errorKeys: Record<IssueKey, string> = {
  "errors.required": "A required field is missing.",
  "errors.invalid":
    "The value has the right format but is not acceptable: an impossible time, an unknown time zone, an end before the start, a character that cannot be stored, or a date that is not in the series.",
  "errors.invalid_type": "The value has the wrong JSON type.",
  "errors.invalid_format": "The value is not in the documented format.",
  "errors.invalid_value": "The value is not one of the allowed values.",
  "errors.too_small": "The string or array is too short or empty.",
  "errors.too_big": "The string or array is too long, or the number is too large.",
  "errors.invalid_json": "The body is not a JSON object (or, on routes that accept forms, a form).",
  "errors.invalid_email": "Not a valid email address.",
  "errors.attendees_unsupported":
    "The event has guests, but the calendar does not send invitations. On an application calendar, set `notify_attendees` to `false` to store them.",
  "errors.notify_attendees_unsupported": "`notify_attendees` is `false`, but this calendar always notifies guests.",
  "errors.too_many_attendees": `The event would have more than ${limits.guests} guests.`,
  "errors.conferencing_unavailable": "`integrated` was requested on a calendar that has no meeting links.",
  "errors.max_recurrence_rules_exceeded": "The recurrence has more than one rule.",
  "errors.not_recognized": "The frequency is not `daily`, `weekly`, `monthly` or `yearly`.",
  "errors.not_supported": "The recurrence has a field that is not supported.",
  "errors.must_be_integer_greater_than_zero": "Not an integer greater than zero.",
  "errors.must_be_date": "Not a date such as `2026-11-21`.",
  "errors.not_supported_count_until_combination": "The rule has both `count` and `until`.",
  "errors.not_recurring": "The event is not recurring.",
  "errors.not_an_occurrence": "The series has no occurrence on that day.",
  "errors.is_organizer": "The user organizes the event, so there is no invitation to reply to.",
  "errors.not_a_guest": "The user is not invited to the event.",
  "errors.invalid_callback_url": "The callback URL is not an https URL.",
  "errors.invalid_callback_url_blocked":
    "The callback URL has a local, private or example host, a port other than 443, or credentials.",
  "errors.too_many_channels": `The account already has ${limits.channels} open channels.`,
  "errors.tzid_unrecognized": "Compatibility mode only: the time zone is missing or unknown.",
  "errors.invalid_time_pair": "Compatibility mode only: the end is before the start.",
};

export const issueKeys = Object.keys(errorKeys) as IssueKey[];

/** One error that an endpoint can respond with. */
export interface EndpointError {
  key: IssueKey;
  /** As the response names it; `…` stands for what is in between. */
  field: string;
  when: string;
}

/** Adds the keys of compatibility mode to the endpoint's own errors, where that mode has keys of its own. */
export function withCompatibility(
  errors: readonly EndpointError[],
  has: "time_zone" | "both" | "none",
): EndpointError[] {
  const zone = {
    key: "errors.tzid_unrecognized",
    field: "…tzid",
    when: "compatibility mode: missing or unknown",
  } as const;
  const pair = { key: "errors.invalid_time_pair", field: "end", when: "compatibility mode: before `start`" } as const;
  return [...errors, ...(has === "none" ? [] : [zone]), ...(has === "both" ? [pair] : [])];
}
