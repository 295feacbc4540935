import type { IssueKey } from "@/server/domain/issues";

/** What to do about each key. The compiler sees to it that none is missing. */
const advice: Record<IssueKey, string> = {
  "errors.required": "Send the field, with a value.",
  "errors.invalid": "Look at the value itself: its form is right, but it cannot be. `description` says why.",
  "errors.invalid_type": "Send the JSON type that the reference names: a number is not a text.",
  "errors.invalid_format": "Send the form that the reference names, such as a date where a date is due.",
  "errors.invalid_value": "Choose one of the values in the reference.",
  "errors.too_small": "Send at least one character or entry, or leave the field out.",
  "errors.too_big": "Shorten it before you send it. The sizes are in [Limits](/docs/limits#sizes).",
  "errors.invalid_json": "Send a JSON object with `Content-Type: application/json`, in UTF-8.",
  "errors.invalid_email": "Check the address with the person who gave it.",
  "errors.attendees_unsupported":
    "Leave `attendees` out, or on an application calendar send `notify_attendees` false to store them without invitations.",
  "errors.notify_attendees_unsupported": "Leave `notify_attendees` out: this calendar always tells its guests.",
  "errors.too_many_attendees": "Take guests off with `attendees.remove`, or invite a group's address.",
  "errors.conferencing_unavailable": "Send `default` to go without a link where there is none, or `none`.",
  "errors.max_recurrence_rules_exceeded": "Send one rule; write another event for the second.",
  "errors.not_recognized": "Use one of the four frequencies.",
  "errors.not_supported": "Leave the field out. What a rule cannot say, say with exceptions or several events.",
  "errors.must_be_integer_greater_than_zero": "Send a whole number from 1.",
  "errors.must_be_date": "Send a date without a time, in the event's time zone.",
  "errors.not_supported_count_until_combination": "Keep the one that your person chose, and leave the other out.",
  "errors.not_recurring": "Write the event itself: it has no occurrences.",
  "errors.not_an_occurrence": "Use the `occurrence_date` of a read: the original day, also after it was moved.",
  "errors.invalid_callback_url": "Give an address that begins with `https://`.",
  "errors.invalid_callback_url_blocked":
    "Give an address that the internet reaches. To try it at home see [Webhooks](/docs/webhooks#local).",
  "errors.too_many_channels": "Close channels that you no longer need: one can serve every calendar of the account.",
  "errors.tzid_unrecognized": "Send a name of the tz database, such as `Europe/Berlin`.",
  "errors.invalid_time_pair": "Send an end that is not before its start. A date as end is exclusive.",
};

export function errorAdvice(key: string): string {
  return advice[key as IssueKey] ?? "";
}
