import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { MAX_NOTE } from "@/server/domain/text-limits";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { mayDeleteNote } from "@/server/services/staff/accounts/notes/may-delete";
import { runAudited } from "@/server/services/staff/audit/audit";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const id = text({ min: 1, max: 100 });
const written = z
  .string()
  .trim()
  .pipe(text({ min: 1, max: MAX_NOTE }));

/** Adds a note to an account, also to a revoked one. The audit trail doesn't have its text. Throws not_found and invalid. */
export const addNote = scopedProcedure
  .input(staffInput(z.object({ accountId: id, text: written })))
  .mutation(async ({ input: { accountId, text: note }, ctx }): Promise<{ id: string }> => {
    await ctx.scope.expectExisting("account", accountId);
    const ids = { id: newId("nte"), accountId, operatorId: ctx.operator.id };
    await runAudited(
      ctx,
      ctx.db.prisma.accountNote.create({
        select: { id: true },
        data: { ...ids, text: note, createdAt: new Date(ctx.now) },
      }),
      { action: "note.added", object: accountId, detail: { noteId: ids.id } },
    );
    return { id: ids.id };
  });

/** Deletes a note. Throws not_found, and forbidden for everyone but its author and admins. */
export const deleteNote = scopedProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  await ctx.scope.expectExisting("note", input.id);
  const where = { id: input.id };
  const note = await ctx.db.prisma.accountNote.findUnique({ select: { accountId: true, operatorId: true }, where });
  if (!note) throw new Refusal({ kind: "not_found" });
  if (!mayDeleteNote(ctx.operator, note.operatorId)) {
    throw new Refusal({ kind: "forbidden", text: "Only the author and admins can delete a note." });
  }
  const isDeleted = await runAudited(ctx, ctx.db.prisma.accountNote.delete({ where, select: { id: true } }), {
    action: "note.deleted",
    object: note.accountId,
    detail: { noteId: input.id },
  });
  if (!isDeleted) throw new Refusal({ kind: "not_found" });
});
