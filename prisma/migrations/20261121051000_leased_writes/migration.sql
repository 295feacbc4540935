-- What is being pushed just now: few rows, however many wait.
CREATE INDEX "provider_writes_leased" ON "provider_writes"("leased_until") WHERE "leased_until" IS NOT NULL;
