import { z } from "zod";
import { binding } from "@/server/db/composed";
import { type Page, pageOf, paging, placeTime } from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { adminProcedure, staffRouter } from "@/server/services/staff/trpc";

export interface AuditRow {
  id: string;
  at: string;
  /** Null: somebody whom we don't know. */
  operatorId: string | null;
  /** Who it was then: `email (role)`. */
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

/** Who did what, the newest first. */
const listEntries = adminProcedure.input(staffInput(input)).query(async ({ ctx, input }): Promise<Page<AuditRow>> => {
  const { object, operatorId, after, limit } = input;
  const { values, put } = binding();
  const rowsWanted = put(limit + 1);
  const conditions = [
    ...(object ? [`object = ${put(object)}`] : []),
    ...(operatorId ? [`operator_id = ${put(operatorId)}`] : []),
    ...(after ? [`(at, id) < (${put(after.at)}::timestamptz, ${put(after.id)}::bigint)`] : []),
  ];
  const rows = await ctx.db.query<AuditRow>(
    `SELECT id::text, ${placeTime("at")} AS at, operator_id AS "operatorId", actor, action, object, detail, address,
request_id AS "requestId" FROM audit_entries a ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""}
ORDER BY a.at DESC, a.id DESC LIMIT ${rowsWanted}`,
    values,
  );
  return pageOf(rows, { limit, place: ({ at, id }) => ({ at, id }), item: (row) => row });
});

export const auditRouter = staffRouter({ list: listEntries });
