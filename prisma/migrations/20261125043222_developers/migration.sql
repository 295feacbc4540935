-- rolling: stop-first: the previous release shows every application to whoever is signed in, so it must not meet a developer's session
ALTER TYPE "operator_role" ADD VALUE 'developer';

-- Which applications a developer sees.
CREATE TABLE "application_members" (
    "operator_id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "application_members_pkey" PRIMARY KEY ("operator_id","application_id")
);
CREATE INDEX "application_members_application_id_idx" ON "application_members"("application_id");
ALTER TABLE "application_members" ADD CONSTRAINT "application_members_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "application_members" ADD CONSTRAINT "application_members_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
