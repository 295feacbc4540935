-- rolling: safe: a new table, which the version before does not know
-- CreateTable
CREATE TABLE "chores" (
    "id" TEXT NOT NULL,
    "done_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(6),

    CONSTRAINT "chores_pkey" PRIMARY KEY ("id")
);
