import type { Binding } from "@/server/db/composed";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { prefixPattern } from "@/server/services/staff/lists/like";
import { type Meaning, meaningOf } from "@/server/services/staff/lists/meaning";

/**
 * Turns a search of accounts into a condition: a whole id, or the beginning of an email address,
 * application_calendar_id or callback URL.
 */
export function searchCondition(q: string, { put }: Binding): string {
  const meaning = meaningOf(q);
  switch (meaning.isWholeId ? meaning.prefix : null) {
    case "acc":
    case "apc":
      return `id = ${put(q)}`;
    case "pro":
      return `id = (SELECT account_id FROM profiles WHERE id = ${put(q)})`;
    case "cal":
      return `id = (SELECT account_id FROM calendars WHERE id = ${put(q)})`;
    case "chn":
      return `id = (SELECT account_id FROM channels WHERE id = ${put(q)})`;
    case "trg":
      return `id = (SELECT account_id FROM triggers WHERE id = ${put(q)})`;
    case "bkg":
      return `id = (SELECT account_id FROM bookings WHERE id = ${put(q)})`;
    case "req":
      return `id IN (SELECT account_id FROM request_logs WHERE request_id = ${put(q)})`;
    case "app":
      return `application_id = ${put(q)}`;
    default:
      return begins(meaning, put);
  }
}

/**
 * Returns the condition for text that may begin an email, an application's name for a calendar, or an endpoint. Each of
 * them reads its own index.
 */
function begins(meaning: Meaning, put: Binding["put"]): string {
  const q = meaning.text;
  const ways = endpointLike(patternsOf(meaning), put);
  if (ways.length === 0) {
    return `(lower(email) LIKE lower(${put(prefixPattern(q))}) OR application_calendar_id LIKE ${put(prefixPattern(q))})`;
  }
  const channels = `SELECT c.account_id FROM channels c WHERE ${ways.join(" OR ")}`;
  const named = ["lower(b.email) LIKE lower", "b.application_calendar_id LIKE "].map(
    (like) => `SELECT b.id FROM accounts b WHERE ${like}(${put(prefixPattern(q))})`,
  );
  return `id IN (${[...named, channels].join(" UNION ")})`;
}
