import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { actionsIn } from "@/server/domain/audit/actions";
import { staffInput } from "@/server/services/input";
import { auditEntries } from "@/server/services/staff/audit-trail/audit-trail.sql";
import { type AuditRow, auditList } from "@/server/services/staff/lists/audit";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { adminProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";

const input = z.object({ ...filterInput(auditList.filters), ...paging("number") }).prefault({});

/** Lists the audit trail, the newest first: all of it, or what is in some of its views. */
const listEntries = adminProcedure.input(staffInput(input)).query(async ({ ctx, input }): Promise<Page<AuditRow>> => {
  const { view = [], action = [], application, object, from, to, limit, ...narrowing } = input;
  const inView = actionsIn(view);
  const rows = await runComposed(ctx.db.query, auditEntries, {
    ...narrowing,
    actions: action.length > 0 ? inView.filter((name) => action.includes(name)) : inView,
    objects: [application, object].filter((one) => one !== undefined),
    from: from?.micros,
    to: to?.micros,
    limit: limit + 1,
  });
  return pageOf(rows, { limit, place: ({ at, id }) => ({ at, id }), item: (row) => row });
});

export const auditRouter = staffRouter({ list: listEntries });
