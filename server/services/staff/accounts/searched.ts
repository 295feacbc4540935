import type { Binding } from "@/server/db/composed";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { beginning } from "@/server/services/staff/lists/like";

/** A search of accounts as a condition: by a whole id, else by how an email address, application_calendar_id or callback URL begins. */
export function searched(q: string, { put }: Binding): string {
  switch (/^(acc|apc|pro|cal|chn|app|whd|req)_[0-9a-f]{24}$/.exec(q)?.[1]) {
    case "acc":
    case "apc":
      return `id = ${put(q)}`;
    case "pro":
      return `id = (SELECT account_id FROM profiles WHERE id = ${put(q)})`;
    case "cal":
      return `id = (SELECT account_id FROM calendars WHERE id = ${put(q)})`;
    case "chn":
      return `id = (SELECT account_id FROM channels WHERE id = ${put(q)})`;
    case "whd":
      return `id = (SELECT account_id FROM deliveries WHERE id = ${put(q)})`;
    case "req":
      return `id IN (SELECT account_id FROM request_logs WHERE request_id = ${put(q)})`;
    case "app":
      return `application_id = ${put(q)}`;
    default:
      if (q.includes("/") || (q.includes(".") && !q.includes("@"))) return ofEndpoint(q, put);
      return `(lower(email) LIKE lower(${put(beginning(q))}) OR application_calendar_id LIKE ${put(beginning(q))})`;
  }
}

/** What may be a domain or a URL, and the beginning of an email all the same. Each way reads its index. */
function ofEndpoint(q: string, put: Binding["put"]): string {
  const ways = endpointLike(patternsOf(q), put);
  const channels = ways.length === 0 ? [] : [`SELECT c.account_id FROM channels c WHERE ${ways.join(" OR ")}`];
  const named = ["lower(b.email) LIKE lower", "b.application_calendar_id LIKE "].map(
    (like) => `SELECT b.id FROM accounts b WHERE ${like}(${put(beginning(q))})`,
  );
  return `id IN (${[...named, ...channels].join(" UNION ")})`;
}
