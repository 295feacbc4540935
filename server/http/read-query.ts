import { compatQueryValue } from "@/server/domain/compat";

const brackets = /\[\d{0,4}\]$/;

/**
 * Reads a query string into an object: `calendar_ids[]=…`, or `calendar_ids[0]=…` as some libraries write it, collects
 * in the array `calendar_ids`. For other names the last value counts. `isAnyCase`: booleans are read in any case.
 */
export function readQuery(search: URLSearchParams, isAnyCase: boolean): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [sent, raw] of search) {
    const value = isAnyCase ? compatQueryValue(raw) : raw;
    const name = sent.replace(brackets, "");
    const known = query[name];
    if (Array.isArray(known)) known.push(value);
    else if (name === sent) query[name] = value;
    else query[name] = known === undefined ? [value] : [known, value];
  }
  return query;
}
