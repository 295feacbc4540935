-- rolling: safe: a nullable column that the previous version neither reads nor writes; what it writes keeps the texts that were known before
ALTER TABLE "events" ADD COLUMN     "own_texts" TEXT[];
