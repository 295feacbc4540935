import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { type Page, type PageCursor, pageOf, paging, placeAt } from "@/server/services/staff/lists/paging";
import { adminProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";

export interface AuditRow {
  id: string;
  at: string;
  /** Null: an unknown person. */
  operatorId: string | null;
  /** The operator's identity at the time: `email (role)`. */
  actor: string;
  action: string;
  object: string;
  detail: Record<string, unknown>;
  address: string | null;
  requestId: string | null;
}

const input = z
  .object({ object: z.string().optional(), operatorId: z.string().optional(), ...paging("number") })
  .prefault({});

/** Lists the audit trail, the newest first. */
const listEntries = adminProcedure.input(staffInput(input)).query(async ({ ctx, input }): Promise<Page<AuditRow>> => {
  const { object, operatorId, after, limit } = input;
  const entries = await ctx.db.prisma.auditEntry.findMany({
    where: { ...(object && { object }), ...(operatorId && { operatorId }), ...(after && olderThan(after)) },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const rows = entries.map(
    ({ id, at, detail, ...entry }): AuditRow => ({
      ...entry,
      id: String(id),
      at: placeAt(at),
      detail: detail as Record<string, unknown>,
    }),
  );
  return pageOf(rows, { limit, place: ({ at, id }) => ({ at, id }), item: (row) => row });
});

/** Returns the condition for entries after a cursor. Its first part lets the index on `at` begin there. */
function olderThan({ at, id }: PageCursor) {
  const time = new Date(at);
  return { at: { lte: time }, OR: [{ at: { lt: time } }, { id: { lt: BigInt(id) } }] };
}

export const auditRouter = staffRouter({ list: listEntries });
