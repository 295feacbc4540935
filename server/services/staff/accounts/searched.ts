import type { Binding } from "@/server/db/composed";

/** A search of accounts as a condition: by a whole id, else by how an email address or application_calendar_id begins. */
export function searched(q: string, { put }: Binding): string {
  switch (/^(acc|apc|pro|cal|chn|app)_[0-9a-f]{24}$/.exec(q)?.[1]) {
    case "acc":
    case "apc":
      return `id = ${put(q)}`;
    case "pro":
      return `id = (SELECT account_id FROM profiles WHERE id = ${put(q)})`;
    case "cal":
      return `id = (SELECT account_id FROM calendars WHERE id = ${put(q)})`;
    case "chn":
      return `id = (SELECT account_id FROM channels WHERE id = ${put(q)})`;
    case "app":
      return `application_id = ${put(q)}`;
    default:
      return `(lower(email) LIKE lower(${put(beginning(q))}) OR application_calendar_id LIKE ${put(beginning(q))})`;
  }
}

function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}
