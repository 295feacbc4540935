import { z } from "zod";
import type { Connection } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { newId, newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { run, runOne } from "@/server/db/statement";
import { env } from "@/server/env";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { insertInvited, operatorWithEmail, replaceOpen } from "@/server/services/staff/invitations/invitations.sql";
import { addMemberships } from "@/server/services/staff/members/change";
import { operatorEmail } from "@/server/services/staff/operators/operator-fields";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

/** The page for accepting an invitation. Its query carries the token. */
const INVITATION_PATH = "/dashboard/invitation";
const LIFE_MS = 7 * 24 * 60 * 60_000;
const MOST_APPLICATIONS = 50;

/** `link` is shown only here. `added`: somebody with this email is already a developer, and sees the applications now. */
export type InvitationResult =
  | { kind: "invited"; id: string; link: string; expiresAt: string }
  | { kind: "added"; operatorId: string };

const input = z.object({
  email: operatorEmail,
  applications: z
    .array(text({ min: 1, max: 100 }))
    .min(1)
    .max(MOST_APPLICATIONS),
});

/**
 * Invites somebody to be a developer of applications. The link replaces an earlier one for the same email address,
 * including its applications. Throws invalid, also for the email address of a staff member, and not_found.
 */
export const createInvitation = adminProcedure
  .input(staffInput(input))
  .mutation(async ({ ctx, input: { email, applications } }): Promise<InvitationResult> => {
    return await ctx.db.transaction(async (query, prisma) => {
      const [operator] = await run(query, operatorWithEmail, [email]);
      if (!operator) return await invite({ query, prisma }, ctx, { email, applications });
      if (operator.role !== "developer") {
        const description = "email belongs to an admin or support, who see every application";
        throw invalid({ path: ["email"], key: "errors.invalid_value", description });
      }
      await addMemberships({ query, prisma }, ctx, { operatorId: operator.id, email, applications });
      return { kind: "added", operatorId: operator.id };
    }, locks.invitations);
  });

async function invite(
  { query, prisma }: Connection,
  ctx: OperatorContext,
  given: z.output<typeof input>,
): Promise<InvitationResult> {
  const { email } = given;
  const id = newId("inv");
  const token = newToken();
  const now = new Date(ctx.now);
  const expiresAt = new Date(ctx.now + LIFE_MS);
  const former = await runOne(query, replaceOpen, [email, now]);
  const data = { id, tokenHash: digest(token), email, createdAt: now, expiresAt };
  await prisma.invitation.create({ select: { id: true }, data });
  const applications = [...new Set([...given.applications, ...former.applications])];
  const invited = await run(query, insertInvited, [id, applications]);
  const applicationIds = new Set(invited.map((application) => application.id));
  if (!given.applications.every((application) => applicationIds.has(application)))
    throw new Refusal({ kind: "not_found" });
  await audit(prisma, ctx, {
    action: "invitation.created",
    object: id,
    detail: { email, applications: [...applicationIds] },
  });
  const link = `${env().APP_URL}${INVITATION_PATH}?${new URLSearchParams({ token })}`;
  return { kind: "invited", id, link, expiresAt: expiresAt.toISOString() };
}
