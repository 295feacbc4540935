/** Writes SQL for the providers in a JSON value, one row each, without those that want no requests. `t` has the time as `now`. */
export const slotRows = (
  json: string,
) => `SELECT provider::provider, most, share, plenty, slow, "slowEach" AS slow_each, "mailboxWrites" AS mailbox_writes
  FROM t, jsonb_to_recordset(${json}::jsonb) AS l(provider text, most int, share int, plenty int, slow int, "slowEach" int, "mailboxWrites" int)
  WHERE NOT EXISTS (SELECT FROM provider_pauses q WHERE q.provider = l.provider::provider AND q.until > t.now)`;

/** Writes SQL for the times at which these providers, and throttled profiles, accept requests again. `t` has the time as `now`. */
export const throttleEnds = (providers: string) => `SELECT until AS at FROM provider_pauses, t
    WHERE until > t.now AND provider::text = ANY (${providers}::text[])
  UNION ALL (SELECT throttled_until FROM profile_syncs, t WHERE throttled_until > t.now AND readable ORDER BY throttled_until LIMIT 1)`;

/** Writes SQL for the work that applications already have in progress at these providers. */
export const heldRows = (
  json: string,
) => `SELECT l.provider::provider, h.application, h."all", h.slow, coalesce(h.used, 0) AS used
  FROM jsonb_to_recordset(${json}::jsonb) AS l(provider text, held jsonb),
    jsonb_to_recordset(l.held) AS h(application text, "all" int, slow int, used float8)`;

/**
 * Writes CTEs that end in `fitting`: the rows of `source` (provider, application_id, id, due_at, is_slow) that fit the free slots in
 * the CTEs `slots` and `held_slots`. `round` counts an application's slots, including those it holds: the application with the fewest
 * comes first. While the provider's budget is short, what it has had lately counts as well (`turn`).
 */
export const bySlots = (source: string) => `slow_ranked AS (SELECT d.*,
    coalesce(h.slow, 0) + row_number() OVER (PARTITION BY d.provider, d.application_id, d.is_slow ORDER BY d.due_at, d.id) AS slow_round
  FROM ${source} d LEFT JOIN held_slots h ON h.provider = d.provider AND h.application = d.application_id),
slow_allowed AS (SELECT s.*, row_number() OVER (PARTITION BY s.provider, s.is_slow ORDER BY s.slow_round, s.due_at, s.id) AS slow_rank
  FROM slow_ranked s JOIN slots ON slots.provider = s.provider WHERE NOT s.is_slow OR s.slow_round <= slots.slow_each),
rounds AS (SELECT s.provider, s.id, s.due_at, coalesce(h."all", 0)
    + row_number() OVER (PARTITION BY s.provider, s.application_id ORDER BY s.due_at, s.id) AS round, coalesce(h.used, 0) AS used
  FROM slow_allowed s JOIN slots ON slots.provider = s.provider
  LEFT JOIN held_slots h ON h.provider = s.provider AND h.application = s.application_id
  WHERE NOT s.is_slow OR s.slow_rank <= slots.slow),
ranked AS (SELECT r.*, r.used + r.round AS turn, row_number() OVER (PARTITION BY r.provider ORDER BY r.used + r.round, r.due_at, r.id) AS rank FROM rounds r),
fitting AS (SELECT p.* FROM ranked p JOIN slots ON slots.provider = p.provider
  WHERE p.rank <= slots.most AND (p.round <= slots.share OR p.rank <= slots.plenty))`;
