import type { StoredBody } from "@/server/services/staff/requests/shapes";

/** Returns the reason in the response to a refused request: its first error, or the keys of the log. Null: it has only a status. */
export function whyRefused(response: StoredBody, errorKeys: readonly string[]): string | null {
  const body = fieldsOf(response);
  const whole = body.truncated === true ? fieldsOf(body.body) : body;
  const [first] = Object.values(fieldsOf(whole.errors)).flat();
  const reasons = [fieldsOf(first).description, whole.description, errorKeys[0]];
  return reasons.find((text): text is string => typeof text === "string" && text !== "[redacted]") ?? null;
}

function fieldsOf(value: StoredBody | undefined): { [field: string]: StoredBody | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
