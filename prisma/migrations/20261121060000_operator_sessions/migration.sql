-- CreateEnum
CREATE TYPE "sign_in_way" AS ENUM ('password', 'single_sign_on');

-- CreateTable
CREATE TABLE "operator_sessions" (
    "id" TEXT NOT NULL,
    "operator_id" TEXT NOT NULL,
    "way" "sign_in_way" NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "ended_by" TEXT,
    "address" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "operator_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "operator_sessions_operator_id_created_at_idx" ON "operator_sessions"("operator_id", "created_at");

-- AddForeignKey
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "audit_entries_operator_id_at_idx" ON "audit_entries"("operator_id", "at");
