import { z } from "zod";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { membersOf } from "@/server/services/staff/members/members.sql";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

export interface MemberRow {
  /** The operator's id. */
  id: string;
  email: string;
  name: string;
  disabledAt: string | null;
  since: string;
}

/** Lists the developers of an application. Throws not_found. */
export const listMembers = scopedProcedure
  .input(staffInput(z.object({ application: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { application }, ctx }): Promise<MemberRow[]> => {
    const [found] = await ctx.scope.find("application", [application]);
    if (!found) throw new Refusal({ kind: "not_found" });
    const rows = await run(ctx.db.query, membersOf, [application]);
    return rows.map(({ disabledAt, since, ...row }) => ({
      ...row,
      disabledAt: disabledAt?.toISOString() ?? null,
      since: since.toISOString(),
    }));
  });
