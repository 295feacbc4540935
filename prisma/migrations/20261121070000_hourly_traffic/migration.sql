-- CreateTable
CREATE TABLE "request_counts_by_hour" (
    "hour" TIMESTAMPTZ(6) NOT NULL,
    "application_id" TEXT NOT NULL DEFAULT '',
    "requests" INTEGER NOT NULL,
    "client_errors" INTEGER NOT NULL,
    "server_errors" INTEGER NOT NULL,
    "throttled" INTEGER NOT NULL,

    CONSTRAINT "request_counts_by_hour_pkey" PRIMARY KEY ("hour","application_id")
) WITH (fillfactor = 70);

-- The hours that were counted by the minute so far. A process that still counts minutes alone is waited for.
LOCK TABLE "request_counts" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "request_counts_by_hour" ("hour", "application_id", "requests", "client_errors", "server_errors", "throttled")
SELECT date_trunc('hour', "minute", 'UTC'), "application_id", sum("requests"), sum("client_errors"), sum("server_errors"), sum("throttled")
FROM "request_counts" GROUP BY 1, 2 ORDER BY 1, 2;

-- Why a replay left out what it did. Of those so far nobody wrote it down: the channel was closed, nearly always.
ALTER TABLE "replays" ADD COLUMN     "closed" INTEGER NOT NULL DEFAULT 0;
UPDATE "replays" SET "closed" = "skipped";

-- CreateTable
CREATE TABLE "replay_tallies" (
    "replay_id" TEXT NOT NULL,
    "begun" INTEGER NOT NULL DEFAULT 0,
    "taken_back" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "replay_tallies_pkey" PRIMARY KEY ("replay_id")
);

-- AddForeignKey
ALTER TABLE "replay_tallies" ADD CONSTRAINT "replay_tallies_replay_id_fkey" FOREIGN KEY ("replay_id") REFERENCES "replays"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "replay_tallies" ("replay_id", "begun")
SELECT r."id", r."taken" - r."skipped" - (SELECT count(*) FROM "deliveries" d WHERE d."replay_id" = r."id" AND d."state" = 'pending'
    AND d."replay_from" IS NOT NULL AND d."attempts" = d."replay_from")
FROM "replays" r;
