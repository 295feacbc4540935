import type { Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import { queryOne } from "@/server/db/query-one";
import { hostOfChannel, spellings } from "@/server/services/staff/deliveries/endpoint-search";
import { type DeliveryFilters, deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { type Named, namedAccount, narrow, searched } from "@/server/services/staff/deliveries/narrow";
import { countOf } from "@/server/services/staff/deliveries/selection";
import type { Absence } from "@/server/services/staff/deliveries/shapes";
import { counted, MOST_COUNTED } from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Why no delivery matches: what the filters name does not exist, has no open channel, is disconnected, or has others. Throws invalid. */
export const explainAbsence = staffProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx: { db }, input }): Promise<Absence> => {
    const { query } = db;
    const unknown = await unknownIn(query, input);
    if (unknown) return { reason: "unknown", what: unknown };
    const { application, account, channel, host, id, q } = input;
    const owners = { application, account, channel, host, id, q };
    const others = await countBy(query, owners);
    if (others.count > 0) return { reason: "other_filters", ...others };
    const accounts = await accountsOf(query, input);
    return (accounts && (await ofAccounts(query, accounts))) ?? { reason: "nothing" };
  });

type What = (Absence & { reason: "unknown" })["what"];

/** The first thing that is named and does not exist. */
async function unknownIn(
  query: Query,
  { application, account, channel, host, id, q }: DeliveryFilters,
): Promise<What | null> {
  if (application !== undefined && !(await exists(query, "applications", [application]))) return "application";
  if (account !== undefined) {
    const { accounts = [] } = await namedAccount(query, account);
    if (!(await exists(query, "accounts", accounts))) return "account";
  }
  if (channel !== undefined && !(await exists(query, "channels", [channel]))) return "channel";
  if (host !== undefined && !(await hasEndpoint(query, host))) return "host";
  for (const typed of [id, q]) {
    const what = typed === undefined ? null : await unknownBy(query, await searched(query, typed));
    if (what) return what;
  }
  return null;
}

async function unknownBy(query: Query, { delivery, channels, accounts, application }: Named): Promise<What | null> {
  if (delivery !== undefined) return (await exists(query, "deliveries", [delivery])) ? null : "delivery";
  if (channels?.length === 0 || accounts?.length === 0) return "search";
  if (channels && !(await exists(query, "channels", channels))) return "channel";
  if (accounts && !(await exists(query, "accounts", accounts))) return "account";
  return application === undefined || (await exists(query, "applications", [application])) ? null : "application";
}

type Table = "deliveries" | "channels" | "accounts" | "applications";

async function exists(query: Query, table: Table, ids: readonly string[]): Promise<boolean> {
  return (await query(`SELECT FROM ${table} WHERE id = ANY ($1) LIMIT 1`, [ids])).length > 0;
}

async function hasEndpoint(query: Query, host: string): Promise<boolean> {
  const text = `SELECT FROM channels c WHERE ${hostOfChannel} = ANY ($1) LIMIT 1`;
  return (await query(text, [spellings(host)])).length > 0;
}

async function countBy(query: Query, filters: DeliveryFilters) {
  const narrowed = await narrow(query, filters);
  if (narrowed === null) return counted(0);
  const bound = binding();
  const row = await queryOne<{ n: number }>(query, countOf(narrowed, MOST_COUNTED + 1, bound), bound.values);
  return counted(row.n);
}

/** The accounts that the filters name, by themselves or by a search. */
async function accountsOf(query: Query, { account, id, q }: DeliveryFilters): Promise<string[] | null> {
  if (account !== undefined) return (await namedAccount(query, account)).accounts ?? null;
  const typed = q ?? id;
  return typed === undefined ? null : ((await searched(query, typed)).accounts ?? null);
}

interface Owned {
  accountId: string;
  channels: number;
  open: number;
  closedAt: Date | null;
  closedBy: string | null;
  profiles: number;
  connected: number;
  lastSyncAt: Date | null;
}

const owned = `SELECT a.id AS "accountId", c.n AS channels, c.open, c.closed_at AS "closedAt", c.closed_by AS "closedBy",
  p.n AS profiles, p.connected, p.last_sync_at AS "lastSyncAt"
FROM accounts a
CROSS JOIN LATERAL (SELECT count(*)::int AS n, (count(*) FILTER (WHERE closed_at IS NULL))::int AS open, max(closed_at) AS closed_at,
  (array_agg(closed_by ORDER BY closed_at DESC))[1] AS closed_by FROM channels WHERE account_id = a.id) c
CROSS JOIN LATERAL (SELECT count(*)::int AS n, (count(*) FILTER (WHERE connected))::int AS connected, max(last_sync_at) AS last_sync_at
  FROM profiles WHERE account_id = a.id) p
WHERE a.id = ANY ($1) LIMIT 2`;

/** One account can be looked into; of several only that none has a channel. */
async function ofAccounts(query: Query, accounts: readonly string[]): Promise<Absence | null> {
  const [one, another] = await query<Owned>(owned, [accounts]);
  if (!one || another) return null;
  const { accountId, channels, open, closedAt, closedBy, profiles, connected, lastSyncAt } = one;
  if (channels === 0) return { reason: "no_channel", accountId };
  if (open === 0 && closedAt) return { reason: "channels_closed", closedAt: closedAt.toISOString(), closedBy };
  if (profiles === 0 || connected > 0) return null;
  return { reason: "disconnected", accountId, lastSyncAt: lastSyncAt?.toISOString() ?? null };
}
