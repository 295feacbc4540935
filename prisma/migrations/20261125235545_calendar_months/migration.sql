-- rolling: safe: the previous version does not know the table, and its writes are counted by the same triggers
-- Writes wait until the triggers count months too: one that had begun would count with the functions of before.
LOCK TABLE "occurrences" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "calendar_months" (
    "calendar_id" TEXT NOT NULL,
    "all_day" BOOLEAN NOT NULL,
    "managed" BOOLEAN NOT NULL,
    "month" DATE NOT NULL,
    "live" INTEGER NOT NULL DEFAULT 0,
    "declined" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "calendar_months_pkey" PRIMARY KEY ("calendar_id","all_day","managed","month")
);

-- AddForeignKey
ALTER TABLE "calendar_months" ADD CONSTRAINT "calendar_months_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "calendar_months"
    ADD CONSTRAINT "calendar_months_counts" CHECK ("live" >= 0 AND "declined" >= 0 AND "deleted" >= 0);

INSERT INTO "calendar_months" ("calendar_id", "all_day", "managed", "month", "live", "declined", "deleted")
SELECT "calendar_id", "all_day", "managed", date_trunc('month', "day"::timestamp)::date, sum("live"), sum("declined"), sum("deleted")
FROM "calendar_days" GROUP BY 1, 2, 3, 4;

CREATE OR REPLACE FUNCTION "count_inserted_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" AS d ("calendar_id", "all_day", "managed", "day", "live", "declined", "deleted")
    SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date,
           count(*) FILTER (WHERE "state" = 0), count(*) FILTER (WHERE "state" = 1), count(*) FILTER (WHERE "state" = 2)
    FROM "inserted" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("calendar_id", "all_day", "managed", "day") DO UPDATE
    SET "live" = d."live" + excluded."live", "declined" = d."declined" + excluded."declined", "deleted" = d."deleted" + excluded."deleted";

    INSERT INTO "calendar_months" AS m ("calendar_id", "all_day", "managed", "month", "live", "declined", "deleted")
    SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date,
           count(*) FILTER (WHERE "state" = 0), count(*) FILTER (WHERE "state" = 1), count(*) FILTER (WHERE "state" = 2)
    FROM "inserted" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("calendar_id", "all_day", "managed", "month") DO UPDATE
    SET "live" = m."live" + excluded."live", "declined" = m."declined" + excluded."declined", "deleted" = m."deleted" + excluded."deleted";
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_deleted_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "calendar_days" d
    SET "live" = d."live" - x.live, "declined" = d."declined" - x.declined, "deleted" = d."deleted" - x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 count(*) FILTER (WHERE "state" = 0) AS live, count(*) FILTER (WHERE "state" = 1) AS declined,
                 count(*) FILTER (WHERE "state" = 2) AS deleted
          FROM "removed" GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day);

    UPDATE "calendar_months" m
    SET "live" = m."live" - x.live, "declined" = m."declined" - x.declined, "deleted" = m."deleted" - x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date AS month,
                 count(*) FILTER (WHERE "state" = 0) AS live, count(*) FILTER (WHERE "state" = 1) AS declined,
                 count(*) FILTER (WHERE "state" = 2) AS deleted
          FROM "removed" GROUP BY 1, 2, 3, 4) x
    WHERE (m."calendar_id", m."all_day", m."managed", m."month") = (x."calendar_id", x."all_day", x."managed", x.month);
    RETURN NULL;
END $$;

-- Most updates change no count: then no month is looked at.
CREATE OR REPLACE FUNCTION "count_updated_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" ("calendar_id", "all_day", "managed", "day")
    SELECT DISTINCT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date FROM "inserted" ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

    UPDATE "calendar_days" d
    SET "live" = d."live" + x.live, "declined" = d."declined" + x.declined, "deleted" = d."deleted" + x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 coalesce(sum(n) FILTER (WHERE "state" = 0), 0) AS live, coalesce(sum(n) FILTER (WHERE "state" = 1), 0) AS declined,
                 coalesce(sum(n) FILTER (WHERE "state" = 2), 0) AS deleted
          FROM (SELECT "calendar_id", "all_day", "managed", "starts", "state", 1 AS n FROM "inserted"
                UNION ALL
                SELECT "calendar_id", "all_day", "managed", "starts", "state", -1 FROM "removed") moves
          GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day)
      AND (x.live <> 0 OR x.declined <> 0 OR x.deleted <> 0);
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;

    INSERT INTO "calendar_months" ("calendar_id", "all_day", "managed", "month")
    SELECT DISTINCT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date FROM "inserted" ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

    UPDATE "calendar_months" m
    SET "live" = m."live" + x.live, "declined" = m."declined" + x.declined, "deleted" = m."deleted" + x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date AS month,
                 coalesce(sum(n) FILTER (WHERE "state" = 0), 0) AS live, coalesce(sum(n) FILTER (WHERE "state" = 1), 0) AS declined,
                 coalesce(sum(n) FILTER (WHERE "state" = 2), 0) AS deleted
          FROM (SELECT "calendar_id", "all_day", "managed", "starts", "state", 1 AS n FROM "inserted"
                UNION ALL
                SELECT "calendar_id", "all_day", "managed", "starts", "state", -1 FROM "removed") moves
          GROUP BY 1, 2, 3, 4) x
    WHERE (m."calendar_id", m."all_day", m."managed", m."month") = (x."calendar_id", x."all_day", x."managed", x.month)
      AND (x.live <> 0 OR x.declined <> 0 OR x.deleted <> 0);
    RETURN NULL;
END $$;
