-- AlterTable
ALTER TABLE "request_counts" ADD COLUMN     "not_stored" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "request_counts_by_hour" ADD COLUMN     "not_stored" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "request_tallies" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "request_tallies_pkey" PRIMARY KEY ("id")
);
