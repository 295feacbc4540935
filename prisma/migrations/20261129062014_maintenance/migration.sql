-- rolling: safe: a new table; the previous version accepts requests that this one refuses
-- CreateTable
CREATE TABLE "maintenance_switches" (
    "id" TEXT NOT NULL,
    "application_id" TEXT,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "ends_at" TIMESTAMPTZ(6),
    "note" TEXT NOT NULL,
    "actor" TEXT NOT NULL,

    CONSTRAINT "maintenance_switches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "maintenance_switches_application_id_key" ON "maintenance_switches"("application_id");

-- AddForeignKey
ALTER TABLE "maintenance_switches" ADD CONSTRAINT "maintenance_switches_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
