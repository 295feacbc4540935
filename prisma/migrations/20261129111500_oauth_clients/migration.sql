-- rolling: stop-first: the previous version would renew the tokens of an own client by that of the installation, and disconnect their profiles
-- AlterTable
ALTER TABLE "profiles" ADD COLUMN     "oauth_client_id" TEXT;

-- AlterTable
ALTER TABLE "provider_revocations" ADD COLUMN     "oauth_client_id" TEXT;

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "provider" "provider" NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "replaced_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "oauth_clients_application_id_idx" ON "oauth_clients"("application_id");

-- One client for a provider at a time.
CREATE UNIQUE INDEX "oauth_clients_current_key" ON "oauth_clients"("application_id", "provider") WHERE "replaced_at" IS NULL;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
