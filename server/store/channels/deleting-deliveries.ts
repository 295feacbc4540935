/**
 * Returns SQL that deletes at most `$2` deliveries that meet a condition on `$1`, with their attempts, like
 * `deletingBatch`. A row's address is unique only together with its partition. Attempts are looked up by the ids of
 * their deliveries, which PostgreSQL would otherwise compare with all attempts; none of them is before `attemptedFrom`,
 * the name of a value.
 */
export const deletingDeliveries = (condition: string, attemptedFrom?: string) =>
  `WITH batch AS MATERIALIZED (SELECT tableoid, ctid, id FROM deliveries WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED),
attempted AS (DELETE FROM attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM batch))${attemptedFrom === undefined ? "" : ` AND started_at >= ${attemptedFrom}::timestamptz`}),
gone AS (DELETE FROM deliveries WHERE ${condition} AND ctid = ANY (ARRAY(SELECT ctid FROM batch))
  AND (tableoid, ctid) IN (SELECT tableoid, ctid FROM batch) RETURNING 1)
SELECT count(*)::int AS n FROM gone`;
