import { badRequest, type WireResponse } from "./errors";
import { preferences, type WireRequest } from "./request";
import type { World } from "./state";

/** Page "Use query parameters": the default page of events has 10 entries; the most is [K]. */
const DEFAULT_PAGE = 10;
const LARGEST_PAGE = 1000;

/** One page of a collection, by $top or odata.maxpagesize, and $skip, with $count. */
export function collection<T extends object>(
  world: World,
  request: WireRequest,
  context: string,
  all: T[],
  defaultSize = DEFAULT_PAGE,
): WireResponse {
  const { query, url } = request;
  const prefers = preferences(request);
  const skip = whole(query, "$skip", 0) ?? 0;
  const size = pageSize(world, whole(query, "$top", 1) ?? prefers.maxPageSize ?? defaultSize);
  const isBefore = world.knobs.emptyPages && !query.has("$skip");
  const value = isBefore ? [] : all.slice(skip, skip + size);
  const next = skip + value.length;
  const link = new URL(url);
  link.searchParams.set("$skip", String(next));
  const body = {
    "@odata.context": `${world.origin}/v1.0/$metadata#${context}`,
    ...(query.get("$count") === "true" && { "@odata.count": all.length }),
    value,
    ...(next < all.length && { "@odata.nextLink": link.href }),
  };
  return { status: 200, body, ...appliedHeader(prefers.applied) };
}

/** "A Preference-Applied header is returned as confirmation". */
export const appliedHeader = (applied: string[]) =>
  applied.length > 0 ? { headers: { "preference-applied": applied.join(", ") } } : {};

export function pageSize(world: World, asked: number | null): number {
  return Math.min(asked ?? DEFAULT_PAGE, LARGEST_PAGE, world.knobs.pageSize ?? LARGEST_PAGE);
}

function whole(query: URLSearchParams, name: string, least: number): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw badRequest("BadRequest", `Invalid value '${text}' for ${name} query option found.`);
}

/** The fields that $select names; undefined for all. 400 for one that the type does not have. */
export function selection(query: URLSearchParams, known: readonly string[], type: string): string[] | undefined {
  const given = query.get("$select");
  if (given === null) return undefined;
  return given.split(",").map((name) => {
    const found = known.find((one) => one.toLowerCase() === name.trim().toLowerCase());
    if (found) return found;
    throw badRequest("BadRequest", `Could not find a property named '${name.trim()}' on type '${type}'.`);
  });
}

/** What remains of a resource: the id and the etag always do. */
export function selected<T extends object>(
  resource: T,
  names: string[] | undefined,
  expanded: string[] = [],
): Partial<T> {
  if (!names) return resource;
  const kept = new Set(["id", "@odata.etag", ...names, ...expanded]);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => kept.has(name))) as Partial<T>;
}
