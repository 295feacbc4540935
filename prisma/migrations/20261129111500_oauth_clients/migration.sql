-- rolling: safe: a new table; the previous version lets users sign in by the client of the installation
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
