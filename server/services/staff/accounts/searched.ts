import type { Binding } from "@/server/db/composed";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { isWholeId } from "@/server/services/staff/lists/ids";
import { beginning } from "@/server/services/staff/lists/like";

/** A search of accounts as a condition: by a whole id, else by how an email address, application_calendar_id or callback URL begins. */
export function searched(q: string, { put }: Binding): string {
  switch (isWholeId(q) ? q.slice(0, 3) : null) {
    case "acc":
    case "apc":
      return `id = ${put(q)}`;
    case "pro":
      return `id = (SELECT account_id FROM profiles WHERE id = ${put(q)})`;
    case "cal":
      return `id = (SELECT account_id FROM calendars WHERE id = ${put(q)})`;
    case "chn":
      return `id = (SELECT account_id FROM channels WHERE id = ${put(q)})`;
    case "req":
      return `id IN (SELECT account_id FROM request_logs WHERE request_id = ${put(q)})`;
    case "app":
      return `application_id = ${put(q)}`;
    default:
      return begins(q, put);
  }
}

/** What was typed may begin an email, an application's name for a calendar and an endpoint. Each way reads its index. */
function begins(q: string, put: Binding["put"]): string {
  const ways = endpointLike(patternsOf(q), put);
  if (ways.length === 0) {
    return `(lower(email) LIKE lower(${put(beginning(q))}) OR application_calendar_id LIKE ${put(beginning(q))})`;
  }
  const channels = `SELECT c.account_id FROM channels c WHERE ${ways.join(" OR ")}`;
  const named = ["lower(b.email) LIKE lower", "b.application_calendar_id LIKE "].map(
    (like) => `SELECT b.id FROM accounts b WHERE ${like}(${put(beginning(q))})`,
  );
  return `id IN (${[...named, channels].join(" UNION ")})`;
}
