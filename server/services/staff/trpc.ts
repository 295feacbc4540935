import { initTRPC } from "@trpc/server";
import type { Database } from "@/server/db/client";
import { Refusal } from "@/server/services/refusal";
import { errorShape } from "@/server/services/staff/error-shape";

export type Role = "admin" | "support";

/** A member of staff with a session that has not ended. */
export interface SignedIn {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
}

/** What a caller of the dashboard's procedures brings: pages, GraphQL resolvers and the tRPC door make one for each request. */
export interface StaffContext {
  db: Database;
  /** Milliseconds since 1970. */
  now: number;
  /** Null: nobody is signed in, and every procedure refuses. */
  operator: SignedIn | null;
  /** The socket's address, for the audit trail. */
  address: string | null;
  requestId: string;
}

const t = initTRPC.context<StaffContext>().create({ errorFormatter: errorShape });

export const staffRouter = t.router;
export const createStaffCaller = t.createCallerFactory;

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

export type OperatorContext = StaffContext & { operator: SignedIn };
