import type { Binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { isFailing, isLate, lateSyncs, profileOfSync } from "@/server/services/staff/accounts/mailbox-states";
import type { PageCursor } from "@/server/services/staff/lists/paging";

/** A problem with an account's mailbox. */
export type Trouble = "disconnected" | "failing" | "late";

export interface TroubledSearch {
  /** Returns conditions on the column `application_id` of the table that it receives. */
  applications: (table: string) => readonly string[];
  after: PageCursor | undefined;
  /** Conditions on the columns of `accounts`. */
  others: readonly string[];
  limit: number;
}

/** Triggers record when the accounts of mailboxes with these troubles were created. */
const mailboxes = {
  disconnected: { table: "profiles", key: "id", account: "account_id", createdAt: "disconnected_account_created_at" },
  failing: {
    table: "profile_syncs",
    key: "profile_id",
    account: "failing_account_id",
    createdAt: "failing_account_created_at",
  },
} as const;

/** Returns SQL for whether a row of `accounts` has a mailbox with this trouble, checked for one account after another. */
export const hasMailbox: Record<Trouble, (put: Binding["put"]) => string> = {
  disconnected: () => exists("SELECT FROM profiles p WHERE p.account_id = accounts.id AND NOT p.connected"),
  failing: () => ofSyncs(isFailing("s")),
  late: (put) => ofSyncs(isLate("s", now(put))),
};

/** Returns SQL for the ids of the accounts with this trouble that come first in the list, each once. */
export const troubledIds: Record<Trouble, (search: TroubledSearch, put: Binding["put"]) => string> = {
  disconnected: (search, put) => inOrder(mailboxes.disconnected, search, put),
  failing: (search, put) => inOrder(mailboxes.failing, search, put),
  late: ({ applications, after, others, limit }, put) => {
    const all = [
      "accounts.id = p.account_id",
      ...(after ? afterCursor("accounts.created_at", "accounts.id", after, put) : []),
      ...others,
    ];
    // Lateness changes with time, so no index has this order: they are sorted, and only the first are kept.
    return `SELECT id FROM (SELECT DISTINCT a.created_at, a.id FROM ${lateSyncs(now(put))} ${profileOfSync}
  CROSS JOIN LATERAL (SELECT created_at, id FROM accounts WHERE ${[...all, ...applications("p")].join(" AND ")} OFFSET 0) a) a
  ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  },
};

/** Returns SQL over an index that contains only such mailboxes, in the order of the list. */
function inOrder(
  { table, key, account, createdAt }: (typeof mailboxes)["disconnected" | "failing"],
  { applications, after, others, limit }: TroubledSearch,
  put: Binding["put"],
): string {
  const isAgain = `SELECT FROM ${table} o WHERE o.${createdAt} = m.${createdAt} AND o.${account} = m.${account} AND o.${key} > m.${key}`;
  const all = [
    ...(after ? afterCursor(`m.${createdAt}`, `m.${account}`, after, put) : [`m.${createdAt} IS NOT NULL`]),
    ...applications("m"),
    `NOT ${exists(isAgain)}`,
    ...(others.length > 0
      ? [exists(`SELECT FROM accounts WHERE ${[`id = m.${account}`, ...others].join(" AND ")}`)]
      : []),
  ];
  return `SELECT m.${account} AS id FROM ${table} m WHERE ${all.join(" AND ")} ORDER BY m.${createdAt} DESC, m.${account} DESC LIMIT ${limit}`;
}

/**
 * Returns the condition for rows after a cursor. It is no row comparison: PostgreSQL would not see that its columns are
 * null together, and would estimate that almost nothing follows.
 */
function afterCursor(createdAt: string, id: string, after: PageCursor, put: Binding["put"]): string[] {
  const at = `${put(after.at)}::timestamptz`;
  return [`${createdAt} <= ${at}`, `CASE WHEN ${createdAt} = ${at} THEN ${id} < ${put(after.id)} ELSE true END`];
}

/** Returns an EXISTS with `OFFSET 0`: PostgreSQL without statistics would otherwise read all possible matches at once. */
const exists = (rows: string) => `EXISTS (${rows} OFFSET 0)`;

const ofSyncs = (is: string) =>
  exists(
    `SELECT FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id WHERE p.account_id = accounts.id AND ${is}`,
  );

/** Returns the time as a stable expression: an index is never used for a time that may change within the statement. */
const now = (put: Binding["put"]) => `coalesce(${put(databaseTime())}::timestamptz, statement_timestamp())`;
