import { initTRPC } from "@trpc/server";
import { Refusal } from "@/server/services/refusal";
import { errorShape } from "@/server/services/staff/procedure/error-shape";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

const t = initTRPC.context<StaffContext>().create({ errorFormatter: errorShape });

export const staffRouter = t.router;
export const createStaffCaller = t.createCallerFactory;

/** Anybody. It authenticates its caller itself. */
export const visitorProcedure = t.procedure;

/** Whoever is signed in: support reads and replays. Throws signed_out. */
export const staffProcedure = t.procedure.use(({ ctx, next }) => {
  if (!ctx.operator) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "Sign in first" });
  }
  return next({ ctx: { ...ctx, operator: ctx.operator } });
});

/** Admins alone: registering and changing. Throws forbidden. */
export const adminProcedure = staffProcedure.use(({ ctx, next }) => {
  if (ctx.operator.role !== "admin") throw new Refusal({ kind: "forbidden", text: "Only admins can do this." });
  return next({ ctx });
});
