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

/** A field of a body, a parameter of a query, a header: `svc.type`, `calendar_ids[]`, `x-api-key`. */
const KEY = /^[A-Za-z_][\w.-]{0,39}(?:\[\d*\])?$/;
const PLAIN = /^[a-z_.-]*$/;
/** How often random letters and digits, unlike words, begin anew: see `isRandom`. */
const MOST_STARTS = 6;
const RUN = /[\w~+/=-]{20,}/g;

// No boundary in front: what stands there may itself be an escape.
const TOKEN = /(?:at|rt|lt|whsec)_[A-Za-z0-9_-]{16}/;
const SHORTEST_TOKEN = 19;
const ESCAPED = /%([0-9A-Fa-f]{2})/;
const ESCAPED_ALL = new RegExp(ESCAPED, "g");
const DEEPEST_ESCAPE = 5;

/** Whether a string may be stored under its field's name (ids and cursors may look like secrets, others not); `svc.type` is read as `type`, `calendar_ids[]` as `calendar_ids`. */
export function isKept(field: string, text: string): boolean {
  const name = field.slice(field.lastIndexOf(".") + 1).replace(/\[\d*\]$/, "");
  const shape = KEPT.get(name);
  if (shape?.test(text) !== true || holdsToken(text)) return false;
  return shape === ID || shape === CURSOR || !isRandom(text);
}

/** Whether a key is the name of something: a body that was sent as a form has all its text there. */
export function isKey(key: string): boolean {
  return KEY.test(key) && !holdsToken(key) && (PLAIN.test(key) || !isRandom(key));
}

/** One of our own tokens or secrets that somebody put in the wrong place, percent-encoded (several times, or badly) or not. */
export function holdsToken(text: string): boolean {
  if (text.length < SHORTEST_TOKEN) return false;
  if (TOKEN.test(text)) return true;
  const plain = unescaped(text);
  return plain === null || (plain !== text && TOKEN.test(plain));
}

/** A token, or a run of characters as secrets without a prefix have it. */
export function holdsSecret(text: string): boolean {
  return holdsToken(text) || (unescaped(text)?.match(RUN) ?? []).some(isRandom);
}

/** Without its escapes, and without those that come to light then; null: there are still more, as nobody has them who hides nothing. */
function unescaped(text: string): string | null {
  let plain = text;
  for (let depth = 0; plain.includes("%"); depth += 1) {
    if (depth === DEEPEST_ESCAPE) return ESCAPED.test(plain) ? null : plain;
    const next = plain.replace(ESCAPED_ALL, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Counts the places where a letter follows a digit, a digit a letter, or a capital a small letter: words have few, secrets many. */
function isRandom(text: string): boolean {
  let starts = 0;
  let last = "other";
  for (let i = 0; i < text.length; i += 1) {
    const kind = kindOf(text.charCodeAt(i));
    const isStart = kind !== last && kind !== "other" && last !== "other" && !(last === "upper" && kind === "lower");
    if (isStart) starts += 1;
    last = kind;
  }
  return starts > MOST_STARTS;
}

function kindOf(code: number): "upper" | "lower" | "digit" | "other" {
  if (code >= 0x61 && code <= 0x7a) return "lower";
  if (code >= 0x41 && code <= 0x5a) return "upper";
  return code >= 0x30 && code <= 0x39 ? "digit" : "other";
}

/** A caller's own text for the process log: a token in it is not written. */
export function loggable(text: string): string {
  return holdsToken(text) ? "[redacted]" : text;
}
