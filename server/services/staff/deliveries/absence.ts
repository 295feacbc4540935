import type { Database, Query } from "@/server/db/client";
import { runComposedOne } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { staffInput } from "@/server/services/input";
import { troubleOf } from "@/server/services/staff/deliveries/account-trouble";
import { hostSpellings } from "@/server/services/staff/deliveries/endpoint-search";
import { type DeliveryFilters, deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { channelAtHost } from "@/server/services/staff/deliveries/names.sql";
import { type NamedObjects, namedAccount, narrow, resolveSearch } from "@/server/services/staff/deliveries/narrow";
import { deliveryCount } from "@/server/services/staff/deliveries/searches.sql";
import type { Absence } from "@/server/services/staff/deliveries/shapes";
import type { OwnerFilter } from "@/server/services/staff/lists/deliveries";
import { cappedCount, MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { Scope, VisibleApplications } from "@/server/services/staff/procedure/scope";
import type { ObjectKind } from "@/server/services/staff/procedure/scope.sql";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/**
 * Explains why no delivery matches: what the filters name does not exist, has no open channel, is disconnected, or has
 * other deliveries. Throws invalid.
 */
export const explainAbsence = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx, input }): Promise<Absence> => {
    const unknown = await unknownIn(ctx, input);
    if (unknown) return { reason: "unknown", what: unknown };
    const { application, account, channel, host, id, q } = input;
    const owners = { application, account, channel, host, id, q } satisfies Record<OwnerFilter, unknown>;
    const others = await countBy(ctx, owners);
    if (others.count > 0) return { reason: "other_filters", ...others };
    return (await troubleOf(ctx, input)) ?? { reason: "nothing" };
  });

interface Reader {
  db: Database;
  scope: Scope;
}

type UnknownKind = (Absence & { reason: "unknown" })["what"];

/** Returns the first filter value that does not exist. */
async function unknownIn(
  { db: { query }, scope }: Reader,
  { application, account, channel, host, id, q }: DeliveryFilters,
): Promise<UnknownKind | null> {
  if (application !== undefined && !(await exists(scope, "application", [application]))) return "application";
  if (account !== undefined) {
    const { accounts = [] } = await namedAccount(query, account, scope.applications);
    if (!(await exists(scope, "account", accounts))) return "account";
  }
  if (channel !== undefined && !(await exists(scope, "channel", [channel]))) return "channel";
  if (host !== undefined && !(await hasEndpoint(query, host, scope.applications))) return "host";
  for (const typed of [id, q]) {
    const what =
      typed === undefined ? null : await unknownBy(scope, await resolveSearch(query, typed, scope.applications));
    if (what) return what;
  }
  return null;
}

async function unknownBy(
  scope: Scope,
  { delivery, channels, accounts, application }: NamedObjects,
): Promise<UnknownKind | null> {
  if (delivery !== undefined) return delivery ? null : "delivery";
  if (channels?.length === 0 || accounts?.length === 0) return "search";
  if (channels && !(await exists(scope, "channel", channels))) return "channel";
  if (accounts && !(await exists(scope, "account", accounts))) return "account";
  return application === undefined || (await exists(scope, "application", [application])) ? null : "application";
}

async function exists(scope: Scope, thing: ObjectKind, ids: readonly string[]): Promise<boolean> {
  return (await scope.find(thing, ids)).length > 0;
}

async function hasEndpoint(query: Query, host: string, within: VisibleApplications): Promise<boolean> {
  return (await run(query, channelAtHost, [hostSpellings(host), within])).length > 0;
}

async function countBy({ db: { query }, scope }: Reader, filters: DeliveryFilters) {
  const narrowed = await narrow(query, filters, scope.applications);
  if (narrowed === null) return cappedCount(0);
  const row = await runComposedOne(query, deliveryCount, { narrowed, most: MOST_COUNTED + 1 });
  return cappedCount(row.n);
}
