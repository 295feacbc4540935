-- rolling: safe: new tables, which the previous version does not know

-- Links by which people become developers of applications.
CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "invitation_applications" (
    "invitation_id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,

    CONSTRAINT "invitation_applications_pkey" PRIMARY KEY ("invitation_id","application_id")
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_email_idx" ON "invitations"("email");
CREATE INDEX "invitation_applications_application_id_idx" ON "invitation_applications"("application_id");
ALTER TABLE "invitation_applications" ADD CONSTRAINT "invitation_applications_invitation_id_fkey" FOREIGN KEY ("invitation_id") REFERENCES "invitations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invitation_applications" ADD CONSTRAINT "invitation_applications_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
