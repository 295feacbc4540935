import { isUnsent } from "@/server/store/events/write-states";

/**
 * SQL that resumes suspended writes in the order in which they were written, with their waits and two days starting again. Throttled
 * writes keep their time. `held` names rows of provider_writes by their id and created_at, `t` has the time as `now`.
 */
export const resumeStatement = (held: string) => `UPDATE provider_writes w SET suspended = false,
  due_at = CASE WHEN w.last_error = 'throttled' THEN greatest(w.due_at, t.now) ELSE t.now + make_interval(secs => placed.place / 1e6) END,
  created_at = CASE WHEN ${isUnsent("w")} THEN t.now ELSE w.created_at END,
  attempts = CASE WHEN ${isUnsent("w")} THEN 0 ELSE w.attempts END
FROM ${placed(held)}, t WHERE w.id = placed.id`;

/** Microseconds keep the order: claims sort by time only. */
const placed = (held: string) =>
  `(SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM ${held}) placed`;
