import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { staffInput } from "@/server/services/input";
import { type DeliveryFilters, deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { ownedByAccounts } from "@/server/services/staff/deliveries/names.sql";
import { namedAccount, resolveSearch } from "@/server/services/staff/deliveries/narrow";
import type { AccountTrouble } from "@/server/services/staff/deliveries/shapes";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/**
 * Explains why the account that the filters name gets no webhooks, however many it had: it has no open channel, or is
 * disconnected. Null: there is no reason, or they name none or several. Throws invalid.
 */
export const accountTrouble = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(({ ctx, input }) => troubleOf(ctx, input));

interface Reader {
  db: Database;
  scope: Scope;
}

export async function troubleOf(reader: Reader, filters: DeliveryFilters): Promise<AccountTrouble | null> {
  const accounts = await accountsOf(reader, filters);
  if (accounts === null) return null;
  const [one, another] = await run(reader.db.query, ownedByAccounts, [accounts, reader.scope.applications]);
  if (!one || another) return null;
  const { accountId, channels, open, closedAt, closedBy, profiles, connected, lastSyncAt } = one;
  if (channels === 0) return { reason: "no_channel", accountId };
  if (open === 0 && closedAt) return { reason: "channels_closed", closedAt: closedAt.toISOString(), closedBy };
  if (profiles === 0 || connected > 0) return null;
  return { reason: "disconnected", accountId, lastSyncAt: lastSyncAt?.toISOString() ?? null };
}

/** Loads the accounts that the filters name, directly, by a channel or by a search. */
async function accountsOf(
  { db, scope }: Reader,
  { account, channel, id, q }: DeliveryFilters,
): Promise<readonly string[] | null> {
  if (account !== undefined) return (await namedAccount(db.query, account, scope.applications)).accounts ?? null;
  if (channel !== undefined) {
    if (!(await scope.allows("channel", channel))) return null;
    const owner = await db.prisma.channel.findUnique({ select: { accountId: true }, where: { id: channel } });
    return owner && [owner.accountId];
  }
  const typed = q ?? id;
  return typed === undefined ? null : ((await resolveSearch(db.query, typed, scope.applications)).accounts ?? null);
}
