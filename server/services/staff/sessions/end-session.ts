import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { endOne, endOthers } from "@/server/services/staff/sessions/sessions.sql";

interface Ended {
  id: string;
  action: "signed_out" | "session.ended";
}

/** Ends a session, which counts no more from then on. False when it had ended. */
export async function endSession(query: Query, ctx: OperatorContext, { id, action }: Ended): Promise<boolean> {
  const [ended] = await run(query, endOne, [id, new Date(ctx.now), ctx.operator.id]);
  if (ended) await audit(query, ctx, { action, object: id });
  return ended !== undefined;
}

interface Whose {
  operatorId: string;
  /** The session that goes on. */
  but: string | null;
}

/** Ends the sessions of an operator and gives how many there were. What they end for is audited as such. */
export async function endSessionsOf(query: Query, ctx: OperatorContext, { operatorId, but }: Whose): Promise<number> {
  const ended = await run(query, endOthers, [operatorId, new Date(ctx.now), ctx.operator.id, but]);
  return ended.length;
}
