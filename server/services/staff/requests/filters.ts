import type { z } from "zod";
import type { Binding } from "@/server/db/composed";
import { endpoints, endpointsUnder, idInPath } from "@/server/domain/endpoints";
import { methods, requestList, statusClasses } from "@/server/domain/staff-lists";
import type { Day } from "@/server/domain/time/day";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { MOST_LOOKS } from "@/server/services/staff/procedure/scope";

/** Statuses below are distinguished in the rows alone. */
const FIRST_NAMED_STATUS = 300;
/** A facet that no row has. */
const NOTHING = "nothing";
const DAY_MICROS = 86_400_000_000;

export const requestFilters = filterInput(requestList);

export type RequestFilters = z.output<z.ZodObject<typeof requestFilters>>;

/** The filters as conditions: facets are looked up in the index of facets, owners and times have indexes of their own. */
export interface Conditions {
  /** Of each set one must hold. */
  facets: string[][];
  /** Distinguished in the rows too: what succeeded has no facet for each status. */
  status: number | null;
  accounts: string[];
  /** Of one of these accounts; null: of any, or of none. */
  owners: string[] | null;
  applications: string[];
  /** Of one of these; null: of any, or of none. */
  within: readonly string[] | null;
  /** Either id of a request. */
  request: string | null;
  /** Microseconds since 1970: at or after `from`, before `to`. */
  from: number | null;
  to: number | null;
}

/** Within those of some applications, or of all. */
export function conditionsOf(filters: RequestFilters, within: Conditions["within"]): Conditions {
  const { path, status, errorKey, id } = filters;
  const named = id === undefined ? null : idKind(id);
  const idOf = (kind: IdKind) => (named === kind && id !== undefined ? [id] : []);
  const pathId = path === undefined ? null : idInPath(path);
  const inPath = [...idOf("inPath"), ...(pathId === null ? [] : [pathId])];
  return {
    facets: [
      ...kindOf(filters),
      ...(path === undefined || endpointsUnder(path).length > 0 ? [] : [[`=${path}`]]),
      ...inPath.map((one) => [`/${one}`]),
      ...(status === undefined || status < FIRST_NAMED_STATUS ? [] : [[String(status)]]),
      ...(errorKey === undefined ? [] : [[errorKey]]),
    ],
    status: status ?? null,
    accounts: [...(filters.account === undefined ? [] : [filters.account]), ...idOf("account")],
    owners: null,
    applications: [...(filters.application === undefined ? [] : [filters.application]), ...idOf("application")],
    within,
    request: idOf("request")[0] ?? null,
    from: filters.from?.micros ?? null,
    to: filters.to?.micros ?? null,
  };
}

/** Method, route and class are one facet: all of them that the filters leave. */
function kindOf(filters: RequestFilters): string[][] {
  const routes = routesOf(filters);
  const verbs = given(filters.method);
  const classes = given(filters.statusClass);
  if (!verbs && !routes) {
    if (!classes && (filters.status === undefined || filters.status >= FIRST_NAMED_STATUS)) return [];
    if (classes?.every((one) => one !== "2xx")) return [classes];
  }
  const ofStatus = filters.status === undefined ? statusClasses : [String(filters.status)];
  const kinds = (verbs ?? methods).flatMap((verb) =>
    (routes ?? ["", ...endpoints]).flatMap((route) => (classes ?? ofStatus).map((one) => `${verb} ${route} ${one[0]}`)),
  );
  return [kinds.length === 0 ? [NOTHING] : [...new Set(kinds)]];
}

/** The routes that a path and a route leave; an empty one for paths of none. */
function routesOf({ path, endpoint }: RequestFilters): string[] | undefined {
  if (path === undefined) return endpoint === undefined ? undefined : [endpoint];
  const under = endpointsUnder(path);
  if (endpoint !== undefined) return under.filter((route) => route === endpoint);
  return under.length === 0 ? [""] : under;
}

function given<T>(values: T[] | undefined): T[] | undefined {
  return values && values.length > 0 ? values : undefined;
}

type IdKind = "account" | "application" | "inPath" | "request";

function idKind(id: string): IdKind {
  switch (/^(acc|apc|app|cal|chn)_[0-9a-f]{24}$/.exec(id)?.[1]) {
    case "acc":
    case "apc":
      return "account";
    case "app":
      return "application";
    case "cal":
    case "chn":
      return "inPath";
    default:
      return "request";
  }
}

/** The set of facets of a row: the expression of the index request_logs_facets. */
const facetsOf = "request_facets(method, endpoint, path, status, application_id, error_keys)";

/** What has an index in the order of time, or narrows it. */
export function narrowing(conditions: Conditions, { put }: Binding): string[] {
  const { accounts, owners, request, from, to } = conditions;
  return [
    ...accounts.map((id) => `account_id = ${put(id)}`),
    ...(owners === null ? [] : [ownedBy(owners, put)]),
    ...(request === null ? [] : [requestIs(request, put)]),
    ...(from === null ? [] : [`at >= ${instant(put(from))}`]),
    ...(to === null ? [] : [`at < ${instant(put(to))}`]),
  ];
}

/** One has an index in the order of time. */
function ownedBy(owners: readonly string[], put: Binding["put"]): string {
  return owners.length === 1 ? `account_id = ${put(owners[0])}` : `account_id = ANY (${put(owners)}::text[])`;
}

/** Of many applications the index of facets finds requests; each alone has an index in the order of time. */
export function isOfMany(conditions: Conditions): boolean {
  return isOfSeveral(conditions) && looks(conditions) === null;
}

/** The applications into which one look each is taken, in the order of time; null: another index is better, or they are one or too many. */
export function looks({ within, accounts, owners, request }: Conditions): readonly string[] | null {
  if (within === null || within.length < 2 || within.length > MOST_LOOKS) return null;
  return accounts.length === 0 && owners === null && request === null ? within : null;
}

function isOfSeveral({ within }: Conditions): boolean {
  return within !== null && within.length !== 1;
}

export function ofApplications(conditions: Conditions, { put }: Binding): string[] {
  return ownersOf(conditions).map((id) => `application_id = ${put(id)}`);
}

/** Of these at once: whoever may see one application and looks for another finds nothing. */
function ownersOf(conditions: Conditions): string[] {
  const { applications, within } = conditions;
  return isOfSeveral(conditions) ? applications : [...applications, ...(within ?? [])];
}

/** What only the index of facets finds. */
export function facetting(conditions: Conditions, binding: Binding): string[] {
  return [...ofFacets(conditions, ownersOf(conditions), binding), ...amongSeveral(conditions, binding)];
}

/** The same where the owner is in another condition. */
export function facettingOfOwned(conditions: Conditions, binding: Binding): string[] {
  return [...ofFacets(conditions, [], binding), ...amongSeveral(conditions, binding)];
}

function amongSeveral(conditions: Conditions, { put }: Binding): string[] {
  return isOfSeveral(conditions) ? [`${facetsOf} && ${put(conditions.within)}::text[]`] : [];
}

function ofFacets({ facets, status }: Conditions, owners: readonly string[], { put }: Binding): string[] {
  const needed = [...facets.filter((set) => set.length === 1).flat(), ...owners];
  const choices = facets.filter((set) => set.length > 1);
  return [
    ...(needed.length === 0 ? [] : [`${facetsOf} @> ${put(needed)}::text[]`]),
    ...(status === null ? [] : [`status = ${put(status)}`]),
    ...choices.map((set) => `${facetsOf} && ${put(set)}::text[]`),
  ];
}

function requestIs(id: string, put: Binding["put"]): string {
  const isOurs = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  return isOurs ? `(request_id = ${put(id)} OR id = ${put(id)}::uuid)` : `request_id = ${put(id)}`;
}

const instant = (micros: string) => `(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond')`;

/** The first and the last day on which matching requests may have come. */
export function daysOf({ from, to }: Conditions, today: Day, longestKept: number): { first: Day; last: Day } {
  const first = Math.max(today - longestKept, from === null ? Number.NEGATIVE_INFINITY : Math.floor(from / DAY_MICROS));
  const last = Math.min(today + 1, to === null ? Number.POSITIVE_INFINITY : Math.floor(to / DAY_MICROS));
  return { first: first as Day, last: last as Day };
}
