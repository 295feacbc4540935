-- rolling: safe: the previous version neither reads the column nor writes it, and the next migration marks what it has claimed
-- A delivery that waits for its next attempt is in no claim's way. Alone, because it locks all partitions, if only for a moment.
ALTER TABLE "deliveries" ADD COLUMN "waits" BOOLEAN NOT NULL DEFAULT false;
