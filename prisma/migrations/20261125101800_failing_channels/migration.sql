-- rolling: safe: the previous version neither reads nor writes the columns. What it attempts in the meantime is not counted until the next attempts
-- How many attempts of a channel failed in a row, which was computed from its deliveries before: everybody's failing channels are found by an index.
ALTER TABLE "channels" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "failing_since" TIMESTAMPTZ(6),
    ADD COLUMN "failing" BOOLEAN NOT NULL DEFAULT false;

-- Who is failing has a delivery that is tried again or was given up.
UPDATE "channels" c SET "failures" = f.n, "failing_since" = f.since, "failing" = f.n >= 3
FROM (SELECT t."channel_id", count(*)::int AS n, min(a."started_at") AS since
    FROM (SELECT DISTINCT "channel_id" FROM "deliveries" WHERE "state" = 'failed' AND "created_at" > now() - interval '72 hours'
        OR "state" = 'pending' AND ("last_error" IS NOT NULL OR "last_status" NOT BETWEEN 200 AND 299)) t
    CROSS JOIN LATERAL (SELECT b."started_at", coalesce(b."status" BETWEEN 200 AND 299, false) AS arrived,
            max(b."started_at") FILTER (WHERE b."status" BETWEEN 200 AND 299) OVER () AS accepted_at
        FROM (SELECT d."id" FROM "deliveries" d WHERE d."channel_id" = t."channel_id" AND d."attempts" > 0 ORDER BY d."created_at" DESC LIMIT 50) d
        JOIN "attempts" b ON b."delivery_id" = d."id") a
    WHERE NOT a.arrived AND a."started_at" > coalesce(a.accepted_at, '-infinity') GROUP BY 1) f
WHERE c."id" = f."channel_id";

CREATE INDEX "channels_failing" ON "channels"("created_at", "id") WHERE "failing" AND "closed_at" IS NULL;
