import { initTRPC } from "@trpc/server";
import { Refusal } from "@/server/services/refusal";
import { errorShape } from "@/server/services/staff/procedure/error-shape";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

/**
 * Who a procedure is for, which its builder declares: anybody, whoever is signed in about themselves, staff, or admins alone.
 */
export interface ProcedureMeta {
  for: "visitors" | "oneself" | "staff" | "admins";
}

const t = initTRPC.context<StaffContext>().meta<ProcedureMeta>().create({ errorFormatter: errorShape });

export const staffRouter = t.router;
export const createStaffCaller = t.createCallerFactory;

/** Anybody. It authenticates its caller itself. */
export const visitorProcedure = t.procedure.meta({ for: "visitors" });

const signedInProcedure = t.procedure.use(({ ctx, next }) => {
  if (!ctx.operator) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "Sign in first" });
  }
  return next({ ctx: { ...ctx, operator: ctx.operator } });
});

/** Whoever is signed in, about themselves: their sessions, their password. Throws signed_out. */
export const ownProcedure = signedInProcedure.meta({ for: "oneself" });

/** Staff, who see every application: support reads and replays. Throws forbidden for developers. */
export const staffProcedure = signedInProcedure.meta({ for: "staff" }).use(({ ctx, next }) => {
  if (ctx.operator.applications !== null) throw new Refusal({ kind: "forbidden", text: "Only staff can do this." });
  return next({ ctx });
});

/** Admins alone: registering and changing. Throws forbidden. */
export const adminProcedure = signedInProcedure.meta({ for: "admins" }).use(({ ctx, next }) => {
  if (ctx.operator.role !== "admin") throw new Refusal({ kind: "forbidden", text: "Only admins can do this." });
  return next({ ctx });
});
