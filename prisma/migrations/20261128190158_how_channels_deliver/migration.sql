-- rolling: safe: columns with defaults that the previous version does not know; it sends such channels what it sends all
ALTER TABLE "channels" ADD COLUMN     "payload" TEXT NOT NULL DEFAULT 'thin',
ADD COLUMN     "signature" TEXT NOT NULL DEFAULT 'default',
ADD COLUMN     "write_refused" BOOLEAN NOT NULL DEFAULT false;
