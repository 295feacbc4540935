import { z } from "zod";
import { run } from "@/server/db/statement";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { revokeInvitation as revoke } from "@/server/services/staff/invitations/invitations.sql";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

/** The link of an invitation stops working. Throws not_found when it was accepted or revoked before. */
export const revokeInvitation = adminProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const [revoked] = await run(query, revoke, [id, new Date(ctx.now)]);
      if (!revoked) throw new Refusal({ kind: "not_found" });
      await audit(query, ctx, { action: "invitation.revoked", object: id, detail: { email: revoked.email } });
    });
  });
