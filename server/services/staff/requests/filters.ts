import type { z } from "zod";
import type { Binding } from "@/server/db/composed";
import { endpoints, endpointsUnder, idInPath } from "@/server/domain/endpoints";
import type { Day } from "@/server/domain/time/day";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { meaningOf } from "@/server/services/staff/lists/meaning";
import { methods, requestList, statusClasses } from "@/server/services/staff/lists/requests";
import { MOST_LOOKS } from "@/server/services/staff/procedure/scope";

/** Statuses below are told apart only in the rows. */
const FIRST_NAMED_STATUS = 300;
/** A facet that no row has. */
const NOTHING = "nothing";
const DAY_MICROS = 86_400_000_000;

export const requestFilters = filterInput(requestList.filters);

export type RequestFilters = z.output<z.ZodObject<typeof requestFilters>>;

/** The filters as conditions: facets are looked up in the index of facets, owners and times have indexes of their own. */
export interface Conditions {
  /** One of each set must hold. */
  facets: string[][];
  /** Checked in the rows too: successful responses have no facet for each status. */
  status: number | null;
  accounts: string[];
  /** Any of these accounts; null: no restriction. */
  owners: string[] | null;
  applications: string[];
  /** Any of these applications; null: no restriction. */
  within: readonly string[] | null;
  /** Either id of a request. */
  request: string | null;
  /** Microseconds since 1970: at or after `from`, before `to`. */
  from: number | null;
  to: number | null;
}

/** Turns filters into conditions, within some applications or all. */
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

/** Returns the facets for method, route and class, which form one facet: all combinations that the filters allow. */
function kindOf(filters: RequestFilters): string[][] {
  const routes = routesOf(filters);
  const verbs = nonEmpty(filters.method);
  const classes = nonEmpty(filters.statusClass);
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

/** Returns the routes that a path and a route filter allow; an empty one stands for paths without a route. */
function routesOf({ path, endpoint }: RequestFilters): string[] | undefined {
  if (path === undefined) return endpoint === undefined ? undefined : [endpoint];
  const under = endpointsUnder(path);
  if (endpoint !== undefined) return under.filter((route) => route === endpoint);
  return under.length === 0 ? [""] : under;
}

function nonEmpty<T>(values: T[] | undefined): T[] | undefined {
  return values && values.length > 0 ? values : undefined;
}

type IdKind = "account" | "application" | "inPath" | "request";

function idKind(id: string): IdKind {
  const { prefix, isWholeId } = meaningOf(id);
  switch (isWholeId ? prefix : null) {
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

/** Returns conditions that have an index in time order, or narrow one. */
export function narrowingConditions(conditions: Conditions, { put }: Binding): string[] {
  const { accounts, owners, request, from, to } = conditions;
  return [
    ...accounts.map((id) => `account_id = ${put(id)}`),
    ...(owners === null ? [] : [ownedBy(owners, put)]),
    ...(request === null ? [] : [requestIs(request, put)]),
    ...(from === null ? [] : [`at >= ${instant(put(from))}`]),
    ...(to === null ? [] : [`at < ${instant(put(to))}`]),
  ];
}

/** Returns the owner's condition: one owner has an index in time order. */
function ownedBy(owners: readonly string[], put: Binding["put"]): string {
  return owners.length === 1 ? `account_id = ${put(owners[0])}` : `account_id = ANY (${put(owners)}::text[])`;
}

/**
 * Reports whether there are many applications: the index of facets finds their requests, while each alone has an index
 * in time order.
 */
export function isOfMany(conditions: Conditions): boolean {
  return isOfSeveral(conditions) && applicationsReadApart(conditions) === null;
}

/**
 * Returns the applications to combine one look at each of, in time order; null: another index is better, or there is
 * one, or too many.
 */
export function applicationsReadApart({ within, accounts, owners, request }: Conditions): readonly string[] | null {
  if (within === null || within.length < 2 || within.length > MOST_LOOKS) return null;
  return accounts.length === 0 && owners === null && request === null ? within : null;
}

function isOfSeveral({ within }: Conditions): boolean {
  return within !== null && within.length !== 1;
}

export function applicationConditions(conditions: Conditions, { put }: Binding): string[] {
  return ownersOf(conditions).map((id) => `application_id = ${put(id)}`);
}

/** Returns the owners, all of which must hold: a user who sees one application and searches for another finds nothing. */
function ownersOf(conditions: Conditions): string[] {
  const { applications, within } = conditions;
  return isOfSeveral(conditions) ? applications : [...applications, ...(within ?? [])];
}

/** Returns conditions that only the index of facets serves. */
export function facetConditions(conditions: Conditions, binding: Binding): string[] {
  return [...facetCondition(conditions, ownersOf(conditions), binding), ...severalConditions(conditions, binding)];
}

/** Returns the same conditions where another one covers the owner. */
export function facetConditionsBesideOwner(conditions: Conditions, binding: Binding): string[] {
  return [...facetCondition(conditions, [], binding), ...severalConditions(conditions, binding)];
}

function severalConditions(conditions: Conditions, { put }: Binding): string[] {
  return isOfSeveral(conditions) ? [`${facetsOf} && ${put(conditions.within)}::text[]`] : [];
}

function facetCondition({ facets, status }: Conditions, owners: readonly string[], { put }: Binding): string[] {
  const needed = [...facets.filter((set) => set.length === 1).flat(), ...owners];
  const choices = facets.filter((set) => set.length > 1);
  return [
    ...(needed.length === 0 ? [] : [`${facetsOf} @> ${put(needed)}::text[]`]),
    ...(status === null ? [] : [`status = ${put(status)}`]),
    ...choices.map((set) => `${facetsOf} && ${put(set)}::text[]`),
  ];
}

function requestIs(id: string, put: Binding["put"]): string {
  return meaningOf(id).isLogId ? `(request_id = ${put(id)} OR id = ${put(id)}::uuid)` : `request_id = ${put(id)}`;
}

const instant = (micros: string) => `(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond')`;

/** Returns the first and last day on which matching requests may have arrived. */
export function daysOf({ from, to }: Conditions, today: Day, longestKept: number): { first: Day; last: Day } {
  const first = Math.max(today - longestKept, from === null ? Number.NEGATIVE_INFINITY : Math.floor(from / DAY_MICROS));
  const last = Math.min(today + 1, to === null ? Number.POSITIVE_INFINITY : Math.floor(to / DAY_MICROS));
  return { first: first as Day, last: last as Day };
}
