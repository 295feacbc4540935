-- rolling: safe: an index that the previous version neither needs nor minds
-- CreateIndex
CREATE INDEX "channels_newest" ON "channels"("created_at", "id");
