-- rolling: safe: the previous version never looks at the table, and its claims hold a lock that the claims of this one share
-- A row for each host that deliveries go to: who claims there locks it, so that the limits hold over all processes, and counts the
-- claim, so that another one notices it. A claim inserts the row that is missing. A process of the version before claims without
-- these rows while it holds the advisory lock of all claims, which the others share.
CREATE TABLE "delivery_hosts" (
    "host" TEXT NOT NULL,
    "claims" BIGINT NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_hosts_pkey" PRIMARY KEY ("host")
);

-- Each claim changes some: they stay within their pages.
ALTER TABLE "delivery_hosts" SET (fillfactor = 50, autovacuum_vacuum_threshold = 1000);

INSERT INTO "delivery_hosts" ("host") SELECT DISTINCT "host" FROM "deliveries" WHERE "state" = 'pending';
