import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

/** Revokes an invitation: its link stops working. Throws not_found when it was accepted or revoked before. */
export const revokeInvitation = adminProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (_, prisma) => {
      const [revoked] = await prisma.invitation.updateManyAndReturn({
        select: { email: true },
        where: { id, acceptedAt: null, revokedAt: null },
        data: { revokedAt: new Date(ctx.now) },
      });
      if (!revoked) throw new Refusal({ kind: "not_found" });
      await audit(prisma, ctx, { action: "invitation.revoked", object: id, detail: { email: revoked.email } });
    });
  });
