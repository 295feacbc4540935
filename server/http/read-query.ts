import { compatQueryValue } from "@/server/domain/compat";

/**
 * A query string as an object: `calendar_ids[]=…` collects in the array `calendar_ids`, of other names the last value counts.
 * `isAnyCase`: booleans are read in any case.
 */
export function readQuery(search: URLSearchParams, isAnyCase: boolean): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [sent, raw] of search) {
    const value = isAnyCase ? compatQueryValue(raw) : raw;
    const isRepeated = sent.endsWith("[]");
    const name = isRepeated ? sent.slice(0, -2) : sent;
    const known = query[name];
    if (!isRepeated) query[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else query[name] = [value];
  }
  return query;
}
