-- Raised each time the user connects the profile, so that work begun before can be recognised. A credential changes by itself, too.
ALTER TABLE "profiles" ADD COLUMN "connection" INTEGER NOT NULL DEFAULT 0;

-- Access tokens of providers that issue them, sealed. Whoever refreshes one holds its row.
CREATE TABLE "provider_tokens" (
    "profile_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "provider_tokens_pkey" PRIMARY KEY ("profile_id")
);

ALTER TABLE "provider_tokens" ADD CONSTRAINT "provider_tokens_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;
