-- rolling: safe: the previous version adds secrets that never expire, and goes on accepting one whose end has come
-- AlterTable
ALTER TABLE "client_secrets" ADD COLUMN     "expires_at" TIMESTAMPTZ(6);
