import type { Issue } from "@/server/domain/issues";

/** Fields of the vendor's that change what an answer means: to ignore them would offer time that is not free. */
const unsupported = ["query_slots", "target_calendars", "managed_availability", "availability_rule_ids"];

/** Finds fields of the vendor's requests that Almanac does not know, in the body and in its members. */
export function unsupportedIssues(raw: unknown): Issue[] {
  const groups = listOf(field(raw, "participants"));
  const members = groups.flatMap((group, i) =>
    listOf(field(group, "members")).map((member, j) => ({ value: member, path: ["participants", i, "members", j] })),
  );
  return [{ value: raw, path: [] }, ...members].flatMap(({ value, path }) =>
    unsupported
      .filter((name) => isSet(field(value, name)))
      .map((name) => ({
        path: [...path, name],
        key: "errors.not_supported" as const,
        description: `${name} is not supported`,
      })),
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the entries of a list, at most as many as a request may have: others are an error by themselves. */
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 50) : [];
}
