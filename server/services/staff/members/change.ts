import { z } from "zod";
import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { audit, type Doer } from "@/server/services/staff/audit/audit";
import { deleteMembership, insertMemberships, lockDeveloper } from "@/server/services/staff/members/members.sql";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";

const id = text({ min: 1, max: 100 });
const membership = z.object({ operatorId: id, applicationId: id });

/** Shows a developer one more application, from their next request on. Throws not_found. */
export const addMember = adminProcedure
  .input(staffInput(membership))
  .mutation(async ({ ctx, input: { operatorId, applicationId } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const [developer] = await run(query, lockDeveloper, [operatorId]);
      const [application] = await run(query, lockApplication, [applicationId]);
      if (!developer || !application) throw new Refusal({ kind: "not_found" });
      await addMemberships(query, ctx, { operatorId, email: developer.email, applications: [applicationId] });
    });
  });

/** Hides an application from a developer, from their next request on. Throws not_found. */
export const removeMember = adminProcedure
  .input(staffInput(membership))
  .mutation(async ({ ctx, input: { operatorId, applicationId } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const [developer] = await run(query, lockDeveloper, [operatorId]);
      const [removed] = await run(query, deleteMembership, [operatorId, applicationId]);
      if (!developer || !removed) throw new Refusal({ kind: "not_found" });
      const detail = { email: developer.email, operatorId };
      await audit(query, ctx, { action: "member.removed", object: applicationId, detail });
    });
  });

interface Joining {
  operatorId: string;
  email: string;
  applications: readonly string[];
}

/** Makes a developer a member of those of the applications that there are; each that is new to them is audited. */
export async function addMemberships(
  query: Query,
  ctx: Doer,
  { operatorId, email, applications }: Joining,
): Promise<void> {
  const added = await run(query, insertMemberships, [operatorId, applications, new Date(ctx.now)]);
  for (const { id: object } of added) {
    await audit(query, ctx, { action: "member.added", object, detail: { email, operatorId } });
  }
}
