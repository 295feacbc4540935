-- rolling: safe: the previous version does not read the column, and its default is what that version does
-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "connect_success_page" BOOLEAN NOT NULL DEFAULT false;
