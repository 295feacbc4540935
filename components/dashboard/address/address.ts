/** The query of a page, as Next gives it. */
export type Params = Record<string, string | string[] | undefined>;
/** What to set; null takes it out. */
export type Change = Record<string, string | readonly string[] | null>;

/** All values of a parameter in the query, except empty ones. */
export function valuesOf(params: Params, name: string): string[] {
  const values = own(params, name);
  return [values ?? []].flat().filter((value) => value !== "");
}

/** The first value that the query gives a name. */
export function firstOf(params: Params, name: string): string | undefined {
  return valuesOf(params, name)[0];
}

/** A page's address with some of its query changed. */
export function address(path: string, params: Params, change: Change = {}): string {
  const query = new URLSearchParams();
  for (const name of new Set([...Object.keys(params), ...Object.keys(change)])) {
    const changed = own(change, name);
    const values = changed === undefined ? valuesOf(params, name) : [changed ?? []].flat();
    for (const value of values) if (value !== "") query.append(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The same with another filter: from the first page, with no panel open. */
export function filtered(path: string, params: Params, change: Change): string {
  return address(path, params, { after: null, open: null, ...change });
}

/** The cursor of this page: the last of the trail of cursors that led here. */
export function cursorOf(params: Params): string | undefined {
  return valuesOf(params, "after").at(-1);
}

/** More cursors make an address that servers refuse. */
const MOST_KEPT = 10;
/** Stands for the cursors at the beginning of a trail that were let go. */
const CUT = "cut";

/** The trail of cursors to the page that follows. */
export function olderTrail(trail: readonly string[], next: string): string[] {
  const kept = [...trail.filter((cursor) => cursor !== CUT), next];
  const isCut = trail[0] === CUT || kept.length > MOST_KEPT;
  return [...(isCut ? [CUT] : []), ...kept.slice(-MOST_KEPT)];
}

/** The trail of cursors to the page before; null: it was let go. */
export function newerTrail(trail: readonly string[]): string[] | null {
  const rest = trail.slice(0, -1);
  return trail.length === 0 || rest.at(-1) === CUT ? null : rest;
}

/** The query may give the names that every object has. */
function own<Value>(record: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
