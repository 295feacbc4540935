-- rolling: safe: the previous version reads neither table; until it is gone, it admits an operator with a second factor by the password alone
-- CreateTable
CREATE TABLE "operator_second_factors" (
    "operator_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "last_step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "operator_second_factors_pkey" PRIMARY KEY ("operator_id")
);

-- CreateTable
CREATE TABLE "operator_recovery_codes" (
    "operator_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,

    CONSTRAINT "operator_recovery_codes_pkey" PRIMARY KEY ("operator_id","digest")
);

-- AddForeignKey
ALTER TABLE "operator_second_factors" ADD CONSTRAINT "operator_second_factors_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operator_recovery_codes" ADD CONSTRAINT "operator_recovery_codes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator_second_factors"("operator_id") ON DELETE CASCADE ON UPDATE CASCADE;
