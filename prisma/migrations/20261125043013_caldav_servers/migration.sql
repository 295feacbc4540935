-- rolling: stop-first: the previous release does not know the provider of an account that a process of this one may connect
-- CalDAV servers that an application offers to its users beside iCloud.
-- AlterEnum
ALTER TYPE "provider" ADD VALUE 'caldav';

-- AlterEnum
ALTER TYPE "provider_service" ADD VALUE 'caldav';

-- CreateTable
CREATE TABLE "caldav_servers" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "help" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "caldav_servers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "caldav_servers_application_id_url_key" ON "caldav_servers"("application_id", "url");

-- AddForeignKey
ALTER TABLE "caldav_servers" ADD CONSTRAINT "caldav_servers_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
