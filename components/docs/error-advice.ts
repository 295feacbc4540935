import type { IssueKey } from "@/server/domain/issues";

/** Advice for each key. The compiler makes sure that none is missing. */
const advice: Record<IssueKey, string> = {
  "errors.required": "Send the field with a value.",
  "errors.invalid": "Check the value: the format is right, but the value is not acceptable. `description` says why.",
  "errors.invalid_type": "Send the JSON type given in the reference: a number is not a string.",
  "errors.invalid_format": "Use the format given in the reference, for example a date where a date is expected.",
  "errors.invalid_value": "Use one of the values listed in the reference.",
  "errors.too_small": "Send at least one character or entry, or omit the field.",
  "errors.too_big": "Shorten the value before you send it. See [Limits](/docs/limits#sizes).",
  "errors.invalid_json": "Send a JSON object in UTF-8 with `Content-Type: application/json`.",
  "errors.invalid_email": "Ask the user to check the address.",
  "errors.attendees_unsupported":
    "Omit `attendees`. On an application calendar, you can set `notify_attendees` to `false` to store them without sending invitations.",
  "errors.notify_attendees_unsupported": "Omit `notify_attendees`: this calendar always notifies guests.",
  "errors.too_many_attendees": "Remove guests with `attendees.remove`, or invite a group address.",
  "errors.conferencing_unavailable": "Use `default` to add a link only where the calendar has one, or `none`.",
  "errors.max_recurrence_rules_exceeded": "Send one rule. Create another event for the second.",
  "errors.not_recognized": "Use one of the four frequencies.",
  "errors.not_supported": "Omit the field. Use exceptions or several events for patterns a rule can't express.",
  "errors.must_be_integer_greater_than_zero": "Send an integer of 1 or more.",
  "errors.must_be_date": "Send a date without a time, in the event's time zone.",
  "errors.not_supported_count_until_combination": "Send one and omit the other.",
  "errors.not_recurring": "Change or delete the event itself: it has no occurrences.",
  "errors.not_an_occurrence":
    "Use the `occurrence_date` from a read: the original day, even if the occurrence was moved.",
  "errors.is_organizer": "Change or delete the event instead.",
  "errors.not_a_guest": "Offer a reply only where `rights.reply` is `true`.",
  "errors.invalid_callback_url": "Use a URL that starts with `https://`.",
  "errors.invalid_callback_url_blocked":
    "Use a public URL. To test on your own machine, see [Webhooks](/docs/webhooks#local).",
  "errors.too_many_channels": "Close channels you no longer need. One channel can cover every calendar of the account.",
  "errors.tzid_unrecognized": "Send an IANA time zone such as `Europe/Berlin`.",
  "errors.invalid_time_pair": "Send an end that is not before the start. End dates are exclusive.",
};

export function errorAdvice(key: string): string {
  return advice[key as IssueKey] ?? "";
}
