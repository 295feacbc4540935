-- A user who is at a provider's page to sign in, until they come back to /oauth/callback. Only the digest of the state is stored.
CREATE TABLE "provider_sign_ins" (
    "state_hash" BYTEA NOT NULL,
    "provider" "provider" NOT NULL,
    "sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "provider_sign_ins_pkey" PRIMARY KEY ("state_hash")
);
CREATE INDEX "provider_sign_ins_expires_at_idx" ON "provider_sign_ins"("expires_at");
