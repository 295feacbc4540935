import { initTRPC } from "@trpc/server";
import { Refusal } from "@/server/services/refusal";
import { errorShape } from "@/server/services/staff/procedure/error-shape";
import { scopeOf } from "@/server/services/staff/procedure/scope";
import { scopedDatabase } from "@/server/services/staff/procedure/scoped-database";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

/** The audience of a procedure, which its builder declares. */
export interface ProcedureMeta {
  for: "visitors" | "oneself" | "everybody" | "owners" | "staff" | "admins";
}

const t = initTRPC.context<StaffContext>().meta<ProcedureMeta>().create({ errorFormatter: errorShape });

export const staffRouter = t.router;
export const createStaffCaller = t.createCallerFactory;

/** For anybody. It authenticates its caller itself. */
export const visitorProcedure = t.procedure.meta({ for: "visitors" });

const signedInProcedure = t.procedure.use(async ({ ctx, next }) => {
  if (!ctx.operator) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "Sign in first" });
  }
  await ctx.admitCall?.();
  return next({ ctx: { ...ctx, operator: ctx.operator } });
});

/** For the operator's own data: their sessions, their password. Throws signed_out. */
export const ownProcedure = signedInProcedure.meta({ for: "oneself" });

/** For staff, and for developers within `ctx.scope`, which every statement takes: anything outside of it does not exist. */
export const scopedProcedure = signedInProcedure.meta({ for: "everybody" }).use(({ ctx, next }) => {
  const { applications } = ctx.operator;
  const db = applications === null ? ctx.db : scopedDatabase(ctx.db, { ...ctx.operator, applications });
  return next({ ctx: { ...ctx, db, scope: scopeOf(db.query, applications) } });
});

/** For those who may change an application: admins, and its developers within `ctx.scope`. Throws forbidden for support. */
export const ownerProcedure = scopedProcedure.meta({ for: "owners" }).use(({ ctx, next }) => {
  if (ctx.operator.role === "support") throw forbiddenRefusal();
  return next({ ctx });
});

/** For staff, who see every application: support reads and replays. Throws forbidden for developers. */
export const staffProcedure = signedInProcedure.meta({ for: "staff" }).use(({ ctx, next }) => {
  if (ctx.operator.applications !== null) throw new Refusal({ kind: "forbidden", text: "Only staff can do this." });
  return next({ ctx });
});

/** For admins: registering and changing. Throws forbidden. */
export const adminProcedure = signedInProcedure.meta({ for: "admins" }).use(({ ctx, next }) => {
  if (ctx.operator.role !== "admin") throw forbiddenRefusal();
  return next({ ctx });
});

function forbiddenRefusal(): Refusal {
  return new Refusal({ kind: "forbidden", text: "Only admins can do this." });
}
