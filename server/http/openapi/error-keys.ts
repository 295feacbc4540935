import type { IssueKey } from "@/server/domain/issues";

/** What each key of a 422 means ("Errors"). The compiler sees to it that none is missing. */
export const errorKeys: Record<IssueKey, string> = {
  "errors.required": "The field is missing.",
  "errors.invalid":
    "The value cannot be: a time, a time zone, an end before its start, a character that cannot be stored, a date that the series does not have.",
  "errors.invalid_type": "The value has another JSON type.",
  "errors.invalid_format": "The value is not in the form that is documented.",
  "errors.invalid_value": "The value is none of those allowed.",
  "errors.too_small": "The text or list is too short, or empty.",
  "errors.too_big": "The text or list is too long, or the number too large.",
  "errors.invalid_json": "The body is not a JSON object (nor, where forms are taken, a form).",
  "errors.invalid_email": "Not an e-mail address.",
  "errors.attendees_unsupported":
    "Guests on a calendar that sends no invitations. On an application calendar `notify_attendees` false stores them.",
  "errors.notify_attendees_unsupported":
    "`notify_attendees` false for an event with guests in a calendar that always tells them.",
  "errors.too_many_attendees": "The event would have more than 100 guests.",
  "errors.conferencing_unavailable": "`integrated` on a calendar without meeting links of its own.",
  "errors.max_recurrence_rules_exceeded": "More than one rule.",
  "errors.not_recognized": "A frequency other than daily, weekly, monthly and yearly.",
  "errors.not_supported": "A field that rules, days of rules or exceptions do not have.",
  "errors.must_be_integer_greater_than_zero": "Not a whole number above zero.",
  "errors.must_be_date": "Not a date such as 2026-11-21.",
  "errors.not_supported_count_until_combination": "`count` and `until` in one rule.",
  "errors.not_recurring": "The event does not repeat.",
  "errors.not_an_occurrence": "The series has no occurrence on that day.",
  "errors.invalid_callback_url": "Not an https address.",
  "errors.invalid_callback_url_blocked":
    "A local, private or example host, a port other than 443, or credentials in the address.",
  "errors.too_many_channels": "The account has 100 open channels already.",
  "errors.tzid_unrecognized": "Compatibility mode only: a time zone that is missing or unknown.",
  "errors.invalid_time_pair": "Compatibility mode only: an end before its start.",
};

export const issueKeys = Object.keys(errorKeys) as IssueKey[];

/** One way for a request to an endpoint to be wrong. */
export interface EndpointError {
  key: IssueKey;
  /** As the answer names it; `…` stands for what is in between. */
  field: string;
  when: string;
}

/** What the endpoint's own errors are in compatibility mode, where that has keys of its own. */
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
