import { isAttemptOf } from "@/server/db/attempts-of";
import { int4, statement, timestamp } from "@/server/db/statement";

export interface HourOfAttempts {
  at: Date;
  succeeded: number;
  failed: number;
}

/** Of a channel's newest deliveries, $3 of them at most: the last attempt of the schedule is made 48 hours after a delivery's creation. */
export const attemptsByHour = statement<HourOfAttempts>(
  `WITH newest AS MATERIALIZED (SELECT id, created_at FROM deliveries WHERE channel_id = $1 AND created_at > $2::timestamptz - interval '72 hours'
  ORDER BY created_at DESC LIMIT $3)
SELECT date_bin('1 hour', a.started_at, '2000-01-01Z') AS at, (count(*) FILTER (WHERE a.status BETWEEN 200 AND 299))::int AS succeeded,
  (count(*) FILTER (WHERE (a.status BETWEEN 200 AND 299) IS NOT TRUE))::int AS failed
FROM newest n JOIN attempts a ON ${isAttemptOf("a", "n")} WHERE a.started_at >= $2 GROUP BY 1`,
  { at: timestamp, succeeded: int4, failed: int4 },
);
