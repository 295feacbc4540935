import { z } from "zod";
import type { Connection } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { type AuditActor, audit } from "@/server/services/staff/audit/audit";
import { insertMemberships, lockDeveloper } from "@/server/services/staff/members/members.sql";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";

const id = text({ min: 1, max: 100 });
const membership = z.object({ operatorId: id, applicationId: id });

/** Shows a developer one more application, from their next request on. Throws not_found. */
export const addMember = adminProcedure
  .input(staffInput(membership))
  .mutation(async ({ ctx, input: { operatorId, applicationId } }): Promise<void> => {
    await ctx.db.transaction(async (query, prisma) => {
      const [developer] = await run(query, lockDeveloper, [operatorId]);
      const [application] = await run(query, lockApplication, [applicationId]);
      if (!developer || !application) throw new Refusal({ kind: "not_found" });
      await addMemberships({ query, prisma }, ctx, {
        operatorId,
        email: developer.email,
        applications: [applicationId],
      });
    });
  });

/** Hides an application from a developer, from their next request on. Throws not_found. */
export const removeMember = adminProcedure
  .input(staffInput(membership))
  .mutation(async ({ ctx, input: { operatorId, applicationId } }): Promise<void> => {
    await ctx.db.transaction(async (query, prisma) => {
      const [developer] = await run(query, lockDeveloper, [operatorId]);
      const { count } = await prisma.applicationMember.deleteMany({ where: { operatorId, applicationId } });
      if (!developer || count === 0) throw new Refusal({ kind: "not_found" });
      const detail = { email: developer.email, operatorId };
      await audit(prisma, ctx, { action: "member.removed", object: applicationId, detail });
    });
  });

interface MembershipsInput {
  operatorId: string;
  email: string;
  applications: readonly string[];
}

/** Makes a developer a member of those of the applications that exist; audits each new one. */
export async function addMemberships(
  { query, prisma }: Connection,
  ctx: AuditActor,
  { operatorId, email, applications }: MembershipsInput,
): Promise<void> {
  const added = await run(query, insertMemberships, [operatorId, applications, new Date(ctx.now)]);
  for (const { id: object } of added) {
    await audit(prisma, ctx, { action: "member.added", object, detail: { email, operatorId } });
  }
}
