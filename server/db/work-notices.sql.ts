import { int4, statement } from "@/server/db/statement";

/** PostgreSQL's channel for what processes tell one another. */
export const WORK_CHANNEL = "almanac_work";

/** Tells every process that listens. `pg_notify` itself gives nothing. */
export const tellOfWork = statement<{ told: number }>(
  `SELECT count(*)::int4 AS told FROM pg_notify('${WORK_CHANNEL}', $1)`,
  { told: int4 },
);
