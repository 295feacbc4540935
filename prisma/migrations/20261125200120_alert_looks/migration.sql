-- rolling: safe: a table of its own, which the previous version neither reads nor writes
-- CreateTable
CREATE TABLE "alert_looks" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "looked_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "alert_looks_pkey" PRIMARY KEY ("one")
);
INSERT INTO "alert_looks" ("looked_at") VALUES (now());
