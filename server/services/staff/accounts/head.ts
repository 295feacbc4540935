import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountPage, accountState } from "@/server/services/staff/accounts/accounts.sql";
import { readProfiles } from "@/server/services/staff/accounts/get";
import { accountRow } from "@/server/services/staff/accounts/list";
import type { AccountHead } from "@/server/services/staff/accounts/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Loads what the head of each page of an account shows. Throws not_found. */
export const headAccount = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, scope } }): Promise<AccountHead> => {
    await scope.expect("account", id);
    const [[row], [rest], profiles] = await Promise.all([
      runComposed(db.query, accountPage, { id, limit: 1 }),
      run(db.query, accountState, [id]),
      readProfiles(db.query, id),
    ]);
    if (!row || !rest) throw new Refusal({ kind: "not_found" });
    return { ...accountRow(row), ...rest, profiles };
  });
