const ID = /^[\x21-\x7e]{1,512}$/;
const CURSOR = /^[\x21-\x7e]{1,600}$/;
// At most three digits, at the end (office365): what is random has more.
const WORD = /^[A-Za-z_]{1,32}[0-9]{0,3}$/;
const WORDS = /^[a-z_]{1,40}(?: [a-z_]{1,40}){0,9}$/;
const TIME = /^[0-9TtZz:+.\- ]{1,40}$/;
const ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
const FLAG = /^(?:true|false|0|1)$/i;
const ISSUE = /^errors\.[a-z_]{1,60}$/;

/**
 * The string fields that a stored body keeps, and what they must look like to be kept: something else in the same place may be anything.
 * Every field that is not named here is text of a person or a secret.
 */
const KEPT: ReadonlyMap<string, RegExp> = new Map(
  [
    {
      shape: ID,
      fields:
        "event_id event_uid calendar_id calendar_ids series_identifier channel_id profile_id account_id sub client_id application_calendar_id",
    },
    { shape: CURSOR, fields: "cursor" },
    {
      shape: WORD,
      fields:
        "type status frequency day transparency extended_transparency participation_status free_busy_status permission_level provider_name provider_service grant_type token_type response_type error",
    },
    { shape: WORDS, fields: "scope" },
    {
      shape: TIME,
      fields: "start end time date until occurrence_date created updated from to last_modified changes_since",
    },
    { shape: ZONE, fields: "tzid default_tzid zoneinfo" },
    {
      shape: FLAG,
      fields:
        "include_managed only_managed include_deleted include_ids include_geo include_moved include_free localized_times notify_attendees google_event_ids",
    },
    { shape: ISSUE, fields: "key" },
  ].flatMap(({ shape, fields }) => fields.split(" ").map((field) => [field, shape] as const)),
);

const TOKEN = /(?:^|[^A-Za-z0-9_])(?:at|rt|lt|whsec)_[A-Za-z0-9_-]{16}/;

/** Whether a string may be stored under its field's name; `svc.type` is read as `type`, `calendar_ids[]` as `calendar_ids`. */
export function isKept(field: string, text: string): boolean {
  const name = field.slice(field.lastIndexOf(".") + 1).replace(/\[\d*\]$/, "");
  return KEPT.get(name)?.test(text) === true && !holdsToken(text);
}

/** One of our own tokens or secrets that somebody put in the wrong place. */
export function holdsToken(text: string): boolean {
  return TOKEN.test(text);
}

/** A caller's own text for the process log: a token in it is not written. */
export function loggable(text: string): string {
  return holdsToken(text) ? "[redacted]" : text;
}
