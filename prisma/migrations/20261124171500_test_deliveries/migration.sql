-- rolling: safe: the previous version neither reads the column nor writes it, and sends such a delivery as any other
-- A delivery that somebody asked for to try an endpoint: a change in every respect that the receiver sees, caused by no change.
ALTER TABLE "deliveries" ADD COLUMN "test" BOOLEAN NOT NULL DEFAULT false;
