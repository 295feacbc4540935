import { z } from "zod";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { type InvitedApplication, openInvitations } from "@/server/services/staff/invitations/invitations.sql";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

export interface InvitationRow {
  id: string;
  email: string;
  createdAt: string;
  expiresAt: string;
  applications: InvitedApplication[];
}

/** Lists the invitations whose links still work, the newest first, of all applications or of one. */
export const listInvitations = adminProcedure
  .input(staffInput(z.object({ application: text({ min: 1, max: 100 }).optional() }).prefault({})))
  .query(async ({ ctx, input: { application = null } }): Promise<InvitationRow[]> => {
    const rows = await run(ctx.db.query, openInvitations, [application, new Date(ctx.now)]);
    return rows.map(({ createdAt, expiresAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }));
  });
