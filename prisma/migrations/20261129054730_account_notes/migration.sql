-- rolling: safe: a new table that the previous version neither reads nor writes; deleting accounts deletes their notes, in either version
-- CreateTable
CREATE TABLE "account_notes" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "operator_id" TEXT,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_notes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_notes_account_id_created_at_id_idx" ON "account_notes"("account_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "account_notes" ADD CONSTRAINT "account_notes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_notes" ADD CONSTRAINT "account_notes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE SET NULL ON UPDATE CASCADE;
