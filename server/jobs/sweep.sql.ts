import { bool, type Statement, statement } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** The kinds of work that were found overdue. */
export type OverdueWork = Record<Work, boolean>;

const columns = Object.fromEntries(works.map((work) => [work, bool])) as Statement<OverdueWork>["columns"];
const kinds = works.map((work) => `EXISTS (${workKinds[work].overdue}) AS ${work}`);

export const overdueWork = statement<OverdueWork>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT ${kinds.join(", ")} FROM t`,
  columns,
);
