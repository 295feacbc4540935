import { distance } from "fastest-levenshtein";
import { fieldName, type Issue } from "@/server/domain/issues";

/** Parameters that are sent with brackets, once for each value. */
const LISTS: ReadonlySet<string> = new Set(["calendar_ids"]);
/** Separators that no id contains: a value with one is several ids, or a list as JSON. */
const SEPARATOR = /[,;|\s"[\]]/;
/** Names that a description may quote. */
const PLAIN = /^[\w[\]-]{1,40}$/;
/**
 * The length from which two wrong letters count as a typo, and one below: `include_geo` and `include_free` are other
 * vendors' parameters, not typos.
 */
const LONG_NAME = 11;

/**
 * Returns a check for the form of a query: lists without brackets, several values in one, and misspelled parameters.
 * Other unknown parameters are ignored.
 */
export function queryFormIssues(known: readonly string[]): (raw: unknown) => Issue[] {
  const byBareName = new Map(known.map((name) => [bareName(name), LISTS.has(name) ? `${name}[]` : name]));
  const names = new Set(known);
  return (raw) => {
    if (typeof raw !== "object" || raw === null) return [];
    return Object.entries(raw).flatMap(([name, value]): Issue[] => {
      if (!names.has(name)) return nameIssues(name, byBareName);
      return LISTS.has(name) ? listIssues(name, value) : [];
    });
  };
}

function listIssues(name: string, value: unknown): Issue[] {
  if (!Array.isArray(value)) {
    const description = `${name} must be sent with brackets, once for each value: ${name}[]=…`;
    return [{ path: [name], key: "errors.invalid_type", description }];
  }
  return value.flatMap((entry, i): Issue[] => {
    if (!SEPARATOR.test(String(entry))) return [];
    const path = [name, i];
    const description = `${fieldName(path)} contains several values: repeat ${name}[]=… for each one`;
    return [{ path, key: "errors.invalid", description }];
  });
}

function nameIssues(name: string, byBareName: ReadonlyMap<string, string>): Issue[] {
  if (!PLAIN.test(name)) return [];
  const written = bareName(name);
  const meant = byBareName.get(written) ?? [...byBareName].find(([known]) => isNear(written, known))?.[1];
  if (meant === undefined) return [];
  return [{ path: [name], key: "errors.invalid", description: `${name} is not a parameter: did you mean ${meant}?` }];
}

function isNear(written: string, known: string): boolean {
  const most = known.length >= LONG_NAME ? 2 : known.length > 2 ? 1 : 0;
  return distance(written, known) <= most;
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}
