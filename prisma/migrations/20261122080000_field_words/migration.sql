-- The words of the field: providers and their services by name, a three-way merge's base and changed fields, writes that are suspended or
-- reverted. Names only: no row is rewritten but those that hold the name of an error.
ALTER TYPE "provider" RENAME VALUE 'prov_a' TO 'google';
ALTER TYPE "provider" RENAME VALUE 'prov_b' TO 'microsoft';
ALTER TYPE "provider" RENAME VALUE 'prov_c' TO 'outlook';
ALTER TYPE "provider" RENAME VALUE 'prov_d' TO 'icloud';

ALTER TYPE "provider_service" RENAME VALUE 'svc_a1' TO 'google';
ALTER TYPE "provider_service" RENAME VALUE 'svc_a2' TO 'google_workspace';
ALTER TYPE "provider_service" RENAME VALUE 'svc_b1' TO 'microsoft_365';
ALTER TYPE "provider_service" RENAME VALUE 'svc_c1' TO 'outlook';
ALTER TYPE "provider_service" RENAME VALUE 'svc_d1' TO 'icloud';

ALTER TABLE "events" RENAME COLUMN "agreed_series" TO "base_recurrence";
ALTER TABLE "events" RENAME COLUMN "foreign_rule" TO "ical_recurrence";
ALTER TABLE "events" RENAME COLUMN "said_at" TO "content_changed_at";
ALTER INDEX "events_said" RENAME TO "events_content_changed";

ALTER TABLE "provider_writes" RENAME COLUMN "round" TO "revision";
ALTER TABLE "provider_writes" RENAME COLUMN "touched" TO "changed_fields";
ALTER TABLE "provider_writes" RENAME COLUMN "passed_over" TO "remote_change_deferred";
ALTER TABLE "provider_writes" RENAME COLUMN "parked" TO "suspended";
ALTER TABLE "provider_writes" RENAME COLUMN "undone_at" TO "reverted_at";
ALTER INDEX "provider_writes_parked" RENAME TO "provider_writes_suspended";

UPDATE "profiles" SET "sync_error" = 'credentials_rejected' WHERE "sync_error" = 'signed_out';
UPDATE "profiles" SET "sync_error" = 'sync_token_expired' WHERE "sync_error" = 'stale_cursor';
UPDATE "provider_writes" SET "last_error" = 'credentials_rejected' WHERE "last_error" = 'signed_out';
UPDATE "provider_writes" SET "last_error" = 'sync_token_expired' WHERE "last_error" = 'stale_cursor';
