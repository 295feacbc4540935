-- rolling: safe: a table of its own, which the previous version neither reads nor writes
-- CreateTable
CREATE TABLE "deleted_client_ids" (
    "client_id" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "deleted_client_ids_pkey" PRIMARY KEY ("client_id")
);
