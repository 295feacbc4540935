import { z } from "zod";
import { Refusal } from "@/server/services/refusal";
import { isOpen } from "@/server/services/staff/sessions/session";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const MOST = 100;

export interface SessionRow {
  id: string;
  operatorId: string;
  way: "password" | "single_sign_on";
  /** Ended by somebody, over by itself, or still open. */
  state: "open" | "ended" | "expired";
  /** The one that asks. */
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  endedAt: string | null;
  /** The id of the operator who ended it. */
  endedBy: string | null;
  address: string | null;
  userAgent: string | null;
}

type Stored = Omit<SessionRow, "state" | "isCurrent" | "createdAt" | "lastSeenAt" | "expiresAt" | "endedAt"> & {
  isOpen: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
};

const LIST = `SELECT s.id, s.operator_id AS "operatorId", s.way, ${isOpen("$2::timestamptz")} AS "isOpen",
s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", s.ended_at AS "endedAt",
s.ended_by AS "endedBy", s.address, s.user_agent AS "userAgent"
FROM operator_sessions s WHERE s.operator_id = $1 ORDER BY s.created_at DESC LIMIT ${MOST}`;

/** An operator's sessions until 30 days after their end, the newest first: one's own, and for admins anybody's. */
export const listSessions = staffProcedure
  .input(staffInput(z.object({ operatorId: z.string().optional() }).prefault({})))
  .query(async ({ ctx, input }): Promise<SessionRow[]> => {
    const operatorId = input.operatorId ?? ctx.operator.id;
    if (operatorId !== ctx.operator.id && ctx.operator.role !== "admin") {
      throw new Refusal({ kind: "forbidden", text: "Only admins can see other operators’ sessions." });
    }
    const rows = await ctx.db.query<Stored>(LIST, [operatorId, new Date(ctx.now)]);
    return rows.map(({ isOpen, ...row }) => ({
      ...row,
      state: row.endedAt ? "ended" : isOpen ? "open" : "expired",
      isCurrent: row.id === ctx.operator.sessionId,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    }));
  });
