import { assistantTools } from "@/server/domain/assistant-tools";
import { profileStates, pushStates } from "@/server/domain/trouble/profile-status";
import { receiptStates } from "@/server/domain/trouble/receipt";
import { holdsOurs, holdsSecretAmongIds, holdsToken, isRandom } from "@/server/http/redaction/secrets";

const ID = /^[\x21-\x7e]{1,512}$/;
const CURSOR = /^[\x21-\x7e]{1,600}$/;
// At most three digits, at the end (office365): what is random has more.
const WORD = /^[A-Za-z_]{1,32}[0-9]{0,3}$/;
const WORDS = /^[a-z_]{1,40}(?: [a-z_]{1,40}){0,9}$/;
const TIME = /^[0-9TtZz:+.\- ]{1,40}$/;
const ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
/** Of a request in a batch: no more than the ids that a path has. */
const PATH = /^\/v1\/[\w/-]{1,300}$/;
/** Of a request in a batch (POST), or of a JSON-RPC message (tools/call). */
const METHOD = /^[A-Za-z_]{1,20}(?:\/[a-z_]{1,20}){0,2}$/;
const FLAG = /^(?:true|false|0|1)$/i;
const oneOf = (words: readonly string[]) => new RegExp(`^(?:${words.join("|")})$`);
const ISSUE = /^errors\.[a-z_]{1,60}$/;

interface KeptField {
  shape: RegExp;
  /** Whether a text of this shape may be a secret all the same. */
  hides(text: string): boolean;
}

/**
 * The string fields that a stored body keeps, and what they must look like to be kept: something else in the same place may be anything.
 * Every field that is not named here is text of a person or a secret.
 */
const KEPT: ReadonlyMap<string, KeptField> = new Map(
  [
    // An application chooses these, and may have chosen random ones.
    { shape: ID, hides: holdsOurs, fields: "event_id series_identifier client_id application_calendar_id" },
    {
      shape: ID,
      hides: holdsSecretAmongIds,
      fields: "event_uid calendar_id calendar_ids channel_id profile_id account_id sub",
    },
    { shape: CURSOR, hides: (text: string) => !isCursor(text) && holdsSecretAmongIds(text), fields: "cursor" },
    {
      shape: WORD,
      fields:
        "type status frequency day transparency extended_transparency participation_status free_busy_status permission_level provider_name provider_service grant_type token_type response_type error response_format required tentative unanswered reason",
    },
    { shape: PATH, hides: holdsSecretAmongIds, fields: "relative_url" },
    { shape: METHOD, fields: "method" },
    { shape: WORDS, fields: "scope" },
    // OAuth's state has the same name, so nothing but our own words.
    { shape: oneOf([...profileStates, ...receiptStates]), fields: "state" },
    { shape: oneOf(pushStates), fields: "pushes" },
    {
      shape: TIME,
      fields:
        "start end time date until occurrence_date created updated from to last_modified changes_since since last_read_at next_read_at at",
    },
    { shape: ZONE, fields: "tzid default_tzid zoneinfo" },
    {
      shape: FLAG,
      fields:
        "include_managed only_managed include_deleted include_ids include_geo include_moved include_free localized_times notify_attendees google_event_ids",
    },
    { shape: ISSUE, fields: "key" },
    { shape: oneOf(assistantTools), fields: "tool" },
  ].flatMap(({ shape, fields, hides = isRandom }) =>
    fields.split(" ").map((field) => [field, { shape, hides }] as const),
  ),
);

/** A field of a body, a parameter of a query, a header: `svc.type`, `calendar_ids[]`, `x-api-key`. */
const KEY = /^[A-Za-z_][\w.-]{0,39}(?:\[\d*\])?$/;
const PLAIN = /^[a-z_.-]*$/;
/**
 * Reports whether a string may be stored under its field's name (ids and cursors may look like secrets, others not).
 * `svc.type` is read as `type`, and `calendar_ids[]` as `calendar_ids`.
 */
export function isKept(field: string, text: string): boolean {
  const name = field.slice(field.lastIndexOf(".") + 1).replace(/\[\d*\]$/, "");
  const place = KEPT.get(name);
  return place?.shape.test(text) === true && !holdsToken(text) && !place.hides(text);
}

/**
 * Reports whether a text is what server/store/events/pages/cursor.ts writes: 16 bytes of signature, and a JSON list
 * that begins with a number. A list of one text is made of four bytes alone, which a secret can have.
 */
function isCursor(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  if (bytes[16] !== 0x5b || bytes.at(-1) !== 0x5d || bytes.toString("base64url") !== text) return false;
  try {
    const list: unknown = JSON.parse(bytes.toString("utf8", 16));
    return Array.isArray(list) && typeof list[0] === "number";
  } catch {
    // Of 65,000 secrets one has both brackets by chance.
    return false;
  }
}

/** Reports whether a key is the name of something: a body that was sent as a form has all its text in its keys. */
export function isKey(key: string): boolean {
  if (knownKeys.has(key)) return true;
  const isOne = KEY.test(key) && !holdsToken(key) && (PLAIN.test(key) || !isRandom(key));
  if (isOne) {
    if (knownKeys.size >= MOST_KNOWN) knownKeys.clear();
    knownKeys.add(key);
  }
  return isOne;
}

/** Those of the API come with every request. */
const knownKeys = new Set<string>();
const MOST_KNOWN = 1_000;
