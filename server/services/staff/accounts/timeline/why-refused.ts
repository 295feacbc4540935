import type { StoredBody } from "@/server/services/staff/requests/shapes";

/** What the response to a refused request says: its first error, or the keys of the log. Null: nothing but its status. */
export function whyRefused(response: StoredBody, errorKeys: readonly string[]): string | null {
  const body = fieldsOf(response);
  const whole = body.truncated === true ? fieldsOf(body.body) : body;
  const [first] = Object.values(fieldsOf(whole.errors)).flat();
  const said = [fieldsOf(first).description, whole.description, errorKeys[0]];
  return said.find((text): text is string => typeof text === "string" && text !== "[redacted]") ?? null;
}

function fieldsOf(value: StoredBody | undefined): { [field: string]: StoredBody | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
