import type { Database, Query } from "@/server/db/client";
import { runComposedOne } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import type { OwnerFilter } from "@/server/domain/staff-lists";
import { spellings } from "@/server/services/staff/deliveries/endpoint-search";
import { type DeliveryFilters, deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { channelAtHost, ownedByAccounts } from "@/server/services/staff/deliveries/names.sql";
import { type Named, namedAccount, narrow, searched } from "@/server/services/staff/deliveries/narrow";
import { deliveryCount } from "@/server/services/staff/deliveries/searches.sql";
import type { Absence } from "@/server/services/staff/deliveries/shapes";
import { counted, MOST_COUNTED } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

/** Why no delivery matches: what the filters name does not exist, has no open channel, is disconnected, or has others. Throws invalid. */
export const explainAbsence = staffProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx: { db }, input }): Promise<Absence> => {
    const { query } = db;
    const unknown = await unknownIn(db, input);
    if (unknown) return { reason: "unknown", what: unknown };
    const { application, account, channel, host, id, q } = input;
    const owners = { application, account, channel, host, id, q } satisfies Record<OwnerFilter, unknown>;
    const others = await countBy(query, owners);
    if (others.count > 0) return { reason: "other_filters", ...others };
    const accounts = await accountsOf(query, input);
    return (accounts && (await ofAccounts(query, accounts))) ?? { reason: "nothing" };
  });

type What = (Absence & { reason: "unknown" })["what"];

/** The first thing that is named and does not exist. */
async function unknownIn(
  { query, prisma }: Database,
  { application, account, channel, host, id, q }: DeliveryFilters,
): Promise<What | null> {
  if (application !== undefined && !(await exists(prisma.application, [application]))) return "application";
  if (account !== undefined) {
    const { accounts = [] } = await namedAccount(query, account);
    if (!(await exists(prisma.account, accounts))) return "account";
  }
  if (channel !== undefined && !(await exists(prisma.channel, [channel]))) return "channel";
  if (host !== undefined && !(await hasEndpoint(query, host))) return "host";
  for (const typed of [id, q]) {
    const what = typed === undefined ? null : await unknownBy({ prisma }, await searched(query, typed));
    if (what) return what;
  }
  return null;
}

async function unknownBy(
  { prisma }: Pick<Database, "prisma">,
  { delivery, channels, accounts, application }: Named,
): Promise<What | null> {
  if (delivery !== undefined) return (await exists(prisma.delivery, [delivery])) ? null : "delivery";
  if (channels?.length === 0 || accounts?.length === 0) return "search";
  if (channels && !(await exists(prisma.channel, channels))) return "channel";
  if (accounts && !(await exists(prisma.account, accounts))) return "account";
  return application === undefined || (await exists(prisma.application, [application])) ? null : "application";
}

/** A table of Prisma's whose rows have an id. */
interface Table {
  count(args: { where: { id: { in: string[] } }; take: 1 }): Promise<number>;
}

async function exists(table: Table, ids: readonly string[]): Promise<boolean> {
  return (await table.count({ where: { id: { in: [...ids] } }, take: 1 })) > 0;
}

async function hasEndpoint(query: Query, host: string): Promise<boolean> {
  return (await run(query, channelAtHost, [spellings(host)])).length > 0;
}

async function countBy(query: Query, filters: DeliveryFilters) {
  const narrowed = await narrow(query, filters);
  if (narrowed === null) return counted(0);
  const row = await runComposedOne(query, deliveryCount, { narrowed, most: MOST_COUNTED + 1 });
  return counted(row.n);
}

/** The accounts that the filters name, by themselves or by a search. */
async function accountsOf(query: Query, { account, id, q }: DeliveryFilters): Promise<string[] | null> {
  if (account !== undefined) return (await namedAccount(query, account)).accounts ?? null;
  const typed = q ?? id;
  return typed === undefined ? null : ((await searched(query, typed)).accounts ?? null);
}

/** One account can be looked into; of several only that none has a channel. */
async function ofAccounts(query: Query, accounts: readonly string[]): Promise<Absence | null> {
  const [one, another] = await run(query, ownedByAccounts, [accounts]);
  if (!one || another) return null;
  const { accountId, channels, open, closedAt, closedBy, profiles, connected, lastSyncAt } = one;
  if (channels === 0) return { reason: "no_channel", accountId };
  if (open === 0 && closedAt) return { reason: "channels_closed", closedAt: closedAt.toISOString(), closedBy };
  if (profiles === 0 || connected > 0) return null;
  return { reason: "disconnected", accountId, lastSyncAt: lastSyncAt?.toISOString() ?? null };
}
