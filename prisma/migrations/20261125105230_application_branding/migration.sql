-- rolling: safe: a table of its own, without which the previous version shows the connect page as before
-- CreateTable
CREATE TABLE "application_brandings" (
    "application_id" TEXT NOT NULL,
    "logo" BYTEA,
    "logo_hash" TEXT,
    "accent" TEXT,
    "support_url" TEXT,
    "privacy_url" TEXT,

    CONSTRAINT "application_brandings_pkey" PRIMARY KEY ("application_id")
);

-- CreateIndex
CREATE INDEX "application_brandings_logo_hash_idx" ON "application_brandings"("logo_hash");

-- AddForeignKey
ALTER TABLE "application_brandings" ADD CONSTRAINT "application_brandings_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
