-- rolling: safe: a nullable column that the previous version neither reads nor writes; its holds are confirmed as it would have
ALTER TABLE "bookings" ADD COLUMN     "conditions" JSONB;
