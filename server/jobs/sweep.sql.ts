import { bool, float8, type Statement, statement } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** The kinds of work that were found overdue. */
export type Swept = Record<Work, boolean>;

const columns = Object.fromEntries(works.map((work) => [work, bool])) as Statement<Swept>["columns"];
const kinds = works.map((work) => `EXISTS (${workKinds[work].overdue}) AS ${work}`);

/** `now`: the database's time, in milliseconds since 1970. */
export const overdueWork = statement<Swept & { now: number }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT date_part('epoch', t.since) * 1000 + $2 * 1000 AS now, ${kinds.join(", ")} FROM t`,
  { now: float8, ...columns },
);
