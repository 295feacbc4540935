-- rolling: safe: the previous version knows no delegations and reads none of these tables; one that is added before every process is upgraded may have its profiles disconnected by the previous version
-- AlterTable
ALTER TABLE "profiles" ADD COLUMN     "delegation_id" TEXT;

-- CreateTable
CREATE TABLE "delegations" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "provider" "provider" NOT NULL,
    "sealed" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "tenant" TEXT,
    "administrator" TEXT,
    "domains" TEXT[],
    "addresses" TEXT[],
    "group_address" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(6),

    CONSTRAINT "delegations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_account_authorizations" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "state" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "outcome" TEXT,
    "account_id" TEXT,
    "profile_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6),
    "last_status" INTEGER,
    "last_error" TEXT,
    "told_at" TIMESTAMPTZ(6),

    CONSTRAINT "service_account_authorizations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "delegations_application_id_idx" ON "delegations"("application_id");

-- CreateIndex
CREATE INDEX "service_account_authorizations_application_id_created_at_idx" ON "service_account_authorizations"("application_id", "created_at");

-- CreateIndex
CREATE INDEX "service_account_authorizations_created_at_idx" ON "service_account_authorizations"("created_at");

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_account_authorizations" ADD CONSTRAINT "service_account_authorizations_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;


CREATE INDEX profiles_delegation ON profiles (delegation_id) WHERE delegation_id IS NOT NULL;
CREATE INDEX service_account_authorizations_due ON service_account_authorizations (due_at) WHERE due_at IS NOT NULL;
