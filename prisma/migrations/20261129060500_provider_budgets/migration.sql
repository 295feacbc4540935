-- rolling: safe: a new table, which the previous version does not read
-- CreateTable
CREATE TABLE "provider_budgets" (
    "quota" TEXT NOT NULL,
    "level" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "share" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "cut_at" TIMESTAMPTZ(6),
    "since" TIMESTAMPTZ(6),

    CONSTRAINT "provider_budgets_pkey" PRIMARY KEY ("quota")
);
