/** The query of a page, as Next passes it. */
export type Params = Record<string, string | string[] | undefined>;
/** Values to set. Null removes one. */
export type Change = Record<string, string | readonly string[] | null>;

/** Lists the values of a parameter in the query, except empty ones. */
export function valuesOf(params: Params, name: string): string[] {
  const values = own(params, name);
  return [values ?? []].flat().filter((value) => value !== "");
}

/** Returns the first value of a parameter in the query. */
export function firstOf(params: Params, name: string): string | undefined {
  return valuesOf(params, name)[0];
}

/** Builds a page's address with some of its query changed. */
export function address(path: string, params: Params, change: Change = {}): string {
  const query = new URLSearchParams();
  for (const name of new Set([...Object.keys(params), ...Object.keys(change)])) {
    const changed = own(change, name);
    const values = changed === undefined ? valuesOf(params, name) : [changed ?? []].flat();
    for (const value of values) if (value !== "") query.append(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Builds an address with another filter: from the first page, with no panel open. */
export function filtered(path: string, params: Params, change: Change): string {
  return address(path, params, { after: null, open: null, ...change });
}

/** Returns the cursor of this page: the last in the trail of cursors that led here. */
export function cursorOf(params: Params): string | undefined {
  return valuesOf(params, "after").at(-1);
}

/** Servers refuse addresses with more cursors. */
const MOST_KEPT = 10;
/** Stands for dropped cursors at the beginning of a trail. */
const CUT = "cut";

/** Builds the trail of cursors to the next page. */
export function olderTrail(trail: readonly string[], next: string): string[] {
  const kept = [...trail.filter((cursor) => cursor !== CUT), next];
  const isCut = trail[0] === CUT || kept.length > MOST_KEPT;
  return [...(isCut ? [CUT] : []), ...kept.slice(-MOST_KEPT)];
}

/** Builds the trail of cursors to the previous page. Null: it was dropped. */
export function newerTrail(trail: readonly string[]): string[] | null {
  const rest = trail.slice(0, -1);
  return trail.length === 0 || rest.at(-1) === CUT ? null : rest;
}

/** Reads a record's own value, because a query may contain names that every object has. */
function own<Value>(record: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
