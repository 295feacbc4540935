-- rolling: safe: a nullable column that the previous version neither reads nor writes; its null says that nobody traced the delivery
-- The spans of a delivery's causes as W3C traceparents, apart by spaces.
ALTER TABLE "deliveries" ADD COLUMN "trace" TEXT;
