import type { Binding } from "@/server/db/composed";
import { accountName } from "@/server/services/staff/lists/account-name";
import type { PageCursor } from "@/server/services/staff/lists/paging";

/** The orders of accounts that an index has. */
export const orders = ["newest", "oldest", "name"] as const;
export type AccountOrder = (typeof orders)[number];

/** Returns SQL for what accounts are sorted by as their name: the expression of the indexes accounts_name and accounts_name_of_application. */
const nameKey = (a: string) => `left(lower(${accountName(a)}), 100) COLLATE "C"`;

/** Returns SQL for the order of a page. */
export const orderBy: Record<AccountOrder, (a: string) => string> = {
  newest: (a) => `ORDER BY ${a}.created_at DESC, ${a}.id DESC`,
  oldest: (a) => `ORDER BY ${a}.created_at, ${a}.id`,
  name: (a) => `ORDER BY ${nameKey(a)}, ${a}.id`,
};

/** Returns the condition for rows of `accounts` after a cursor. The account of a cursor has its name in the table. */
export const isAfter: Record<AccountOrder, (after: PageCursor, put: Binding["put"]) => string> = {
  newest: ({ at, id }, put) => `(created_at, id) < (${put(at)}::timestamptz, ${put(id)})`,
  oldest: ({ at, id }, put) => `(created_at, id) > (${put(at)}::timestamptz, ${put(id)})`,
  name: ({ id }, put) =>
    `(${nameKey("accounts")}, id) > ((SELECT ${nameKey("b")} FROM accounts b WHERE b.id = ${put(id)}), ${put(id)})`,
};
