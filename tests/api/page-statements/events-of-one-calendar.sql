WITH src AS MATERIALIZED (
  SELECT c.id, c.number, c.deleted, EXISTS (SELECT FROM occurrences o WHERE o.calendar_id = c.id AND o.is_long) AS has_long
  FROM calendars c
  WHERE c.account_id = (SELECT 'acc_1'::text)::text AND NOT c.deleted
),
bound AS MATERIALIZED (
  SELECT *
  FROM (VALUES (301::int, false, '2026-10-17T00:00:00Z'::timestamptz, '2026-10-17T00:00:00.001Z'::timestamptz, '2027-06-17T00:00:00Z'::timestamptz, '2026-10-16T00:00:00Z'::timestamptz, '2026-10-16T00:00:00Z'::timestamptz, '', '-infinity'::timestamptz, '', '2026-10-17T00:00:00Z'::timestamptz, '2027-06-17T00:00:00Z'::timestamptz), (301::int, true, '2026-10-18T00:00:00Z'::timestamptz, '2026-10-18T00:00:00Z'::timestamptz, '2027-06-18T00:00:00Z'::timestamptz, '2026-10-17T00:00:00Z'::timestamptz, '2026-10-17T00:00:00Z'::timestamptz, '', '-infinity'::timestamptz, '', '2026-10-18T00:00:00Z'::timestamptz, '2027-06-18T00:00:00Z'::timestamptz)) v(size, all_day, begins, reaches, until, lookback, main_at, main_uid, long_at, long_uid, head_until, tail_from)
  CROSS JOIN (VALUES (false::boolean)) m(managed)
  WHERE NOT EXISTS (SELECT FROM src WHERE has_long)
),
k AS MATERIALIZED (
  SELECT k.*
  FROM src s
  CROSS JOIN bound b
  CROSS JOIN LATERAL ((
      SELECT o.uid, o.calendar_id, o.master_id, o.all_day, o.starts, o.ends, o.state, o.first, o.day, o.changes, o.updated_at, CASE WHEN o.all_day THEN o.starts - ('{7200,3600,7200,3600,7200}'::int[])[1 + width_bucket(o.starts, '{2025-10-27T00:00:00Z,2026-03-30T00:00:00Z,2026-10-26T00:00:00Z,2027-03-29T00:00:00Z}'::timestamptz[])] * interval '1 second' ELSE o.starts END AS at
      FROM occurrences o
      WHERE o.calendar_id = s.id AND o.all_day = b.all_day AND o.managed = b.managed AND o.state <> 2 AND o.starts < b.until AND (o.starts >= b.begins OR o.ends >= b.reaches) AND (o.starts, o.uid) > (coalesce(b.main_at, walk_from(b.main_at)), b.main_uid)
      ORDER BY o.starts, o.uid
      LIMIT b.size
    )
  ) k
  ORDER BY at, uid
  LIMIT (SELECT 301::int)
),
page AS MATERIALIZED (
  SELECT string_agg(k.uid || E'\t' || k.master_id || E'\t' || coalesce((k.changes)::text, ''), E'\n') AS rows, string_agg(timestamptz_send(k.starts) || timestamptz_send(k.ends) || timestamptz_send(k.updated_at) || date_send(coalesce(k.day, 'infinity')) || int2send((CASE WHEN k.state = 2 THEN 1 ELSE 0 END + CASE WHEN k.all_day THEN 2 ELSE 0 END + CASE WHEN k.first THEN 4 ELSE 0 END)::smallint), ''::bytea) AS records, count(*)::int AS found
  FROM k
)
SELECT CASE WHEN fits THEN page.rows END AS rows, page.records, CASE WHEN fits THEN texts.events_0 END AS events_0, CASE WHEN fits THEN texts.events_1 END AS events_1, CASE WHEN fits THEN texts.events_2 END AS events_2, CASE WHEN fits THEN texts.events_3 END AS events_3, page.found, fits, NOT EXISTS (SELECT FROM src WHERE has_long) AS short, CASE WHEN page.found < (SELECT 301::int) THEN page.found ELSE ((
    SELECT count(*)
    FROM src s
    CROSS JOIN bound b
    CROSS JOIN LATERAL (
      SELECT FROM occurrences o
      WHERE o.calendar_id = s.id AND o.all_day = b.all_day AND o.managed = b.managed AND o.state <> 2 AND o.starts >= b.lookback AND o.starts < b.head_until AND o.starts < b.until AND (o.starts >= b.begins OR o.ends >= b.reaches)
      OFFSET 0
    ) r
    WHERE b.lookback < b.head_until
  ) + (
    SELECT count(*)
    FROM src s
    CROSS JOIN bound b
    CROSS JOIN LATERAL (
      SELECT FROM occurrences o
      WHERE o.calendar_id = s.id AND o.all_day = b.all_day AND o.managed = b.managed AND o.state <> 2 AND o.starts >= b.tail_from AND o.starts < b.until AND o.starts < b.until AND (o.starts >= b.begins OR o.ends >= b.reaches)
      OFFSET 0
    ) r
    WHERE b.tail_from < b.until
  ) + coalesce((
      SELECT sum(n)
      FROM src s
      CROSS JOIN (VALUES ('2026-10-17'::date, '2026-11-01'::date, '2026-10-18'::date, '2026-11-01'::date), ('2027-06-01'::date, '2027-06-17'::date, '2027-06-01'::date, '2027-06-18'::date)) c(timed_from, timed_to, all_day_from, all_day_to)
      CROSS JOIN LATERAL (
        SELECT d.day, d.live + d.declined AS n
        FROM calendar_days d
        WHERE d.calendar_id = s.id AND d.day >= least(c.timed_from, c.all_day_from) AND d.day < greatest(c.timed_to, c.all_day_to) AND CASE WHEN d.all_day THEN d.day >= c.all_day_from AND d.day < c.all_day_to ELSE d.day >= c.timed_from AND d.day < c.timed_to END AND d.managed = false::boolean
        OFFSET 0
      ) r
    ), 0
  ) + coalesce((
      SELECT sum(n)
      FROM src s
      CROSS JOIN (VALUES ('2026-11-01'::date, '2027-06-01'::date, '2026-11-01'::date, '2027-06-01'::date)) c(timed_from, timed_to, all_day_from, all_day_to)
      CROSS JOIN LATERAL (
        SELECT d.month, d.live + d.declined AS n
        FROM calendar_months d
        WHERE d.calendar_id = s.id AND d.month >= least(c.timed_from, c.all_day_from) AND d.month < greatest(c.timed_to, c.all_day_to) AND CASE WHEN d.all_day THEN d.month >= c.all_day_from AND d.month < c.all_day_to ELSE d.month >= c.timed_from AND d.month < c.timed_to END AND d.managed = false::boolean
        OFFSET 0
      ) r
    ), 0
  )
) END::float8 AS total, EXISTS (SELECT FROM src) AS "hasCalendars"
FROM page
CROSS JOIN (
  SELECT string_agg(ev.id || E'\t' || coalesce((date_part('epoch', ev.content_changed_at))::text, '') || E'\t' || coalesce((ev.first_uid)::text, '') || E'\t' || coalesce((ev.conferencing)::text, '') || E'\t' || coalesce((ev.rules)::text, '') || E'\t' || ev.rendered, E'\n') FILTER (WHERE ev.part = 0) AS events_0, string_agg(ev.id || E'\t' || coalesce((date_part('epoch', ev.content_changed_at))::text, '') || E'\t' || coalesce((ev.first_uid)::text, '') || E'\t' || coalesce((ev.conferencing)::text, '') || E'\t' || coalesce((ev.rules)::text, '') || E'\t' || ev.rendered, E'\n') FILTER (WHERE ev.part = 1) AS events_1, string_agg(ev.id || E'\t' || coalesce((date_part('epoch', ev.content_changed_at))::text, '') || E'\t' || coalesce((ev.first_uid)::text, '') || E'\t' || coalesce((ev.conferencing)::text, '') || E'\t' || coalesce((ev.rules)::text, '') || E'\t' || ev.rendered, E'\n') FILTER (WHERE ev.part = 2) AS events_2, string_agg(ev.id || E'\t' || coalesce((date_part('epoch', ev.content_changed_at))::text, '') || E'\t' || coalesce((ev.first_uid)::text, '') || E'\t' || coalesce((ev.conferencing)::text, '') || E'\t' || coalesce((ev.rules)::text, '') || E'\t' || ev.rendered, E'\n') FILTER (WHERE ev.part = 3) AS events_3
  FROM (SELECT DISTINCT k.calendar_id, k.master_id FROM k) m
  CROSS JOIN LATERAL (
    SELECT e.id, ascii(right(e.id, 1)) % 4 AS part, e.content_changed_at, e.first_uid, e.conferencing, e.recurrence->'rules' AS rules, coalesce(e.rendered, rendered_event(e)) AS rendered
    FROM events e
    WHERE e.calendar_id = m.calendar_id AND e.id = m.master_id
    OFFSET 0
  ) ev
) texts
CROSS JOIN LATERAL (
  SELECT coalesce(octet_length(page.rows), 0) + coalesce(octet_length(texts.events_0), 0) + coalesce(octet_length(texts.events_1), 0) + coalesce(octet_length(texts.events_2), 0) + coalesce(octet_length(texts.events_3), 0) < 1000000 AS fits
) f;
