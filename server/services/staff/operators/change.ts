import { z } from "zod";
import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { deleteMemberships } from "@/server/services/staff/members/members.sql";
import {
  anotherAdmin,
  disable,
  enable,
  lockOperator,
  updateRole,
} from "@/server/services/staff/operators/operators.sql";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { endSessionsOf } from "@/server/services/staff/sessions/end-session";

const id = z.string();

/** Makes an operator an admin or one of support, who see every application, from the next request on. */
export const setOperatorRole = adminProcedure
  .input(staffInput(z.object({ id, role: z.enum(["admin", "support"]) })))
  .mutation(async ({ ctx, input: { id, role } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const { role: from, isDisabled } = await locked(query, id);
      if (from === role) return;
      if (from === "admin" && !isDisabled) await expectAnotherAdmin(query, id);
      await run(query, updateRole, [id, role]);
      if (from === "developer") await run(query, deleteMemberships, [id]);
      await audit(query, ctx, { action: "operator.role_changed", object: id, detail: { from, to: role } });
    });
  });

/** Keeps an operator from signing in and ends their sessions. */
export const disableOperator = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const { role, isDisabled } = await locked(query, id);
      if (isDisabled) return;
      if (role === "admin") await expectAnotherAdmin(query, id);
      await run(query, disable, [id, new Date(ctx.now)]);
      const sessions = await endSessionsOf(query, ctx, { operatorId: id, but: null });
      await audit(query, ctx, { action: "operator.disabled", object: id, detail: { sessions } });
    });
  });

/** Lets a disabled operator sign in again. */
export const enableOperator = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.db.transaction(async (query) => {
      const { isDisabled } = await locked(query, id);
      if (!isDisabled) return;
      await run(query, enable, [id]);
      await audit(query, ctx, { action: "operator.enabled", object: id });
    });
  });

/** The operator, and every active admin, until the transaction is over: of two who demote each other the second is refused. Throws not_found. */
export async function locked(query: Query, id: string): Promise<{ role: Role; isDisabled: boolean }> {
  const rows = await run(query, lockOperator, [id]);
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Refusal({ kind: "not_found" });
  return found;
}

async function expectAnotherAdmin(query: Query, id: string): Promise<void> {
  const [other] = await run(query, anotherAdmin, [id]);
  if (!other)
    throw new Refusal({ kind: "conflict", text: "This is the last admin. Make another operator an admin first." });
}
