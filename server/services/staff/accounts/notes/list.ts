import { z } from "zod";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { mayDeleteNote } from "@/server/services/staff/accounts/notes/may-delete";
import { type AccountNote, MOST_NOTES } from "@/server/services/staff/accounts/notes/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Lists an account's notes, the newest first; at most 100. Throws not_found. */
export const listNotes = scopedProcedure
  .input(staffInput(z.object({ accountId: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { accountId }, ctx }): Promise<AccountNote[]> => {
    await ctx.scope.expectExisting("account", accountId);
    const rows = await ctx.db.prisma.accountNote.findMany({
      select: { id: true, text: true, createdAt: true, operatorId: true, operator: { select: { name: true } } },
      where: { accountId },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: MOST_NOTES,
    });
    return rows.map(({ id, text: written, createdAt, operatorId, operator }) => ({
      ...{ id, text: written, author: operator?.name ?? null, createdAt: createdAt.toISOString() },
      mayDelete: mayDeleteNote(ctx.operator, operatorId),
    }));
  });
