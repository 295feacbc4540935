-- rolling: safe: a nullable column; the previous version extends pauses without it
-- AlterTable
ALTER TABLE "provider_pauses" ADD COLUMN     "since" TIMESTAMPTZ(6);
