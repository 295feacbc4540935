import { z } from "zod";
import type { Query } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { lockOperator } from "@/server/services/staff/operators/operators.sql";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { endSessionsOf } from "@/server/services/staff/sessions/end";

const id = z.string();

/** Makes an operator an admin or a support member, who see every application, from the next request on. */
export const setOperatorRole = adminProcedure
  .input(staffInput(z.object({ id, role: z.enum(["admin", "support"]) })))
  .mutation(async ({ ctx, input: { id, role } }): Promise<void> => {
    await ctx.db.transaction(async (query, prisma) => {
      const { role: from, isDisabled } = await lockOperatorAndAdmins(query, id);
      if (from === role) return;
      if (from === "admin" && !isDisabled) await expectAnotherAdmin(prisma, id);
      await prisma.operator.update({ select: { id: true }, where: { id }, data: { role } });
      if (from === "developer") await prisma.applicationMember.deleteMany({ where: { operatorId: id } });
      await audit(prisma, ctx, { action: "operator.role_changed", object: id, detail: { from, to: role } });
    });
  });

/** Disables an operator, who can no longer sign in, and ends their sessions. */
export const disableOperator = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (query, prisma) => {
      const { role, isDisabled } = await lockOperatorAndAdmins(query, id);
      if (isDisabled) return;
      if (role === "admin") await expectAnotherAdmin(prisma, id);
      await prisma.operator.update({ select: { id: true }, where: { id }, data: { disabledAt: new Date(ctx.now) } });
      const sessions = await endSessionsOf(prisma, ctx, { operatorId: id, but: null });
      await audit(prisma, ctx, { action: "operator.disabled", object: id, detail: { sessions } });
    });
  });

/** Lets a disabled operator sign in again. */
export const enableOperator = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (query, prisma) => {
      const { isDisabled } = await lockOperatorAndAdmins(query, id);
      if (!isDisabled) return;
      await prisma.operator.update({ select: { id: true }, where: { id }, data: { disabledAt: null } });
      await audit(prisma, ctx, { action: "operator.enabled", object: id });
    });
  });

/**
 * Locks the operator and every active admin until the transaction is over: of two who demote each other the second is
 * refused. Throws not_found.
 */
export async function lockOperatorAndAdmins(query: Query, id: string): Promise<{ role: Role; isDisabled: boolean }> {
  const rows = await run(query, lockOperator, [id]);
  const operator = rows.find((row) => row.id === id);
  if (!operator) throw new Refusal({ kind: "not_found" });
  return operator;
}

async function expectAnotherAdmin(prisma: Prisma.TransactionClient, id: string): Promise<void> {
  const where = { role: "admin", disabledAt: null, id: { not: id } } as const;
  if (!(await prisma.operator.findFirst({ select: { id: true }, where })))
    throw new Refusal({ kind: "conflict", text: "This is the last admin. Make another operator an admin first." });
}
