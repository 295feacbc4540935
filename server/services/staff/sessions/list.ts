import { z } from "zod";
import { deviceOf } from "@/server/domain/device";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { isUsable } from "@/server/services/staff/sessions/session";

const MOST = 100;

export interface SessionRow {
  id: string;
  operatorId: string;
  way: "password" | "single_sign_on";
  /** Ended by somebody, expired, or still open. */
  state: "open" | "ended" | "expired";
  /** Whether it is the caller's session. */
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  endedAt: string | null;
  /** The id of the operator who ended it. */
  endedBy: string | null;
  address: string | null;
  userAgent: string | null;
  /** As "Firefox on Windows". Null: the user agent does not tell. */
  device: string | null;
}

/** Lists an operator's sessions until 30 days after their end, the newest first: one's own, or for admins anybody's. */
export const listSessions = ownProcedure
  .input(staffInput(z.object({ operatorId: z.string().optional() }).prefault({})))
  .query(async ({ ctx, input }): Promise<SessionRow[]> => {
    const operatorId = input.operatorId ?? ctx.operator.id;
    if (operatorId !== ctx.operator.id && ctx.operator.role !== "admin") {
      throw new Refusal({ kind: "forbidden", text: "Only admins can see other operators’ sessions." });
    }
    const orderBy = { createdAt: "desc" } as const;
    const rows = await ctx.db.prisma.operatorSession.findMany({ where: { operatorId }, orderBy, take: MOST });
    return rows.map((row) => ({
      ...row,
      state: row.endedAt ? "ended" : isUsable(row, ctx.now) ? "open" : "expired",
      isCurrent: row.id === ctx.operator.sessionId,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      device: row.userAgent && deviceOf(row.userAgent),
    }));
  });
