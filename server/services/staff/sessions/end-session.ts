import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { runAudited } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { endOthers } from "@/server/services/staff/sessions/sessions.sql";

interface Ended {
  id: string;
  action: "signed_out" | "session.ended";
}

/** Ends a session, which counts no more from then on. False when it had ended. */
export function endSession(ctx: OperatorContext, { id, action }: Ended): Promise<boolean> {
  const ended = { endedAt: new Date(ctx.now), endedBy: ctx.operator.id };
  const end = ctx.db.prisma.operatorSession.update({ select: { id: true }, where: { id, endedAt: null }, data: ended });
  return runAudited(ctx, end, { action, object: id });
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
