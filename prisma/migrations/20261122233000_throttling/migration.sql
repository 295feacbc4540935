-- Until when a provider wants no requests: for one profile, or for all of them.
ALTER TABLE "profiles" ADD COLUMN "throttled_until" TIMESTAMPTZ(6);
CREATE INDEX "profiles_throttled" ON "profiles" ("throttled_until") WHERE "throttled_until" IS NOT NULL;

CREATE TABLE "provider_pauses" (
    "provider" "provider" NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "provider_pauses_pkey" PRIMARY KEY ("provider")
);
