-- CreateEnum
CREATE TYPE "plan" AS ENUM ('developer', 'standard');

-- CreateEnum
CREATE TYPE "account_kind" AS ENUM ('account', 'application_calendar');

-- CreateEnum
CREATE TYPE "provider" AS ENUM ('prov_a', 'prov_b', 'prov_c', 'prov_d', 'hosted');

-- CreateEnum
CREATE TYPE "provider_service" AS ENUM ('svc_a1', 'svc_a2', 'svc_b1', 'svc_c1', 'svc_d1', 'hosted');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('pending', 'delivered', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "operator_role" AS ENUM ('admin', 'support');

-- CreateTable
CREATE TABLE "applications" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "plan" "plan" NOT NULL DEFAULT 'standard',
    "compatibility_mode" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "retired_at" TIMESTAMPTZ(6),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redirect_uris" (
    "application_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "redirect_uris_pkey" PRIMARY KEY ("application_id","uri")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "kind" "account_kind" NOT NULL,
    "application_calendar_id" TEXT,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "default_tzid" TEXT NOT NULL DEFAULT 'Etc/UTC',
    "calendar_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profiles" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "provider" "provider" NOT NULL,
    "service" "provider_service" NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "connected" BOOLEAN NOT NULL DEFAULT true,
    "initial_sync_required" BOOLEAN NOT NULL DEFAULT true,
    "credential" TEXT,
    "cursor" TEXT,
    "last_sync_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calendars" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "readonly" BOOLEAN NOT NULL DEFAULT false,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "integrated_conferencing" BOOLEAN NOT NULL DEFAULT false,
    "permission_level" TEXT NOT NULL DEFAULT 'unrestricted',
    "tzid" TEXT,
    "cursor" TEXT,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendars_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "event_id" TEXT,
    "external_id" TEXT,
    "etag" TEXT,
    "summary" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "location" TEXT,
    "url" TEXT,
    "all_day" BOOLEAN NOT NULL,
    "starts" TIMESTAMPTZ(6) NOT NULL,
    "ends" TIMESTAMPTZ(6) NOT NULL,
    "tzid" TEXT,
    "transparency" TEXT NOT NULL DEFAULT 'opaque',
    "private" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'confirmed',
    "participation_status" TEXT NOT NULL DEFAULT 'accepted',
    "organizer" JSONB,
    "attendees" JSONB NOT NULL DEFAULT '[]',
    "categories" JSONB NOT NULL DEFAULT '[]',
    "conferencing" JSONB,
    "recurrence" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occurrences" (
    "uid" TEXT NOT NULL,
    "master_id" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "event_id" TEXT,
    "day" DATE,
    "first" BOOLEAN NOT NULL DEFAULT true,
    "all_day" BOOLEAN NOT NULL,
    "is_long" BOOLEAN NOT NULL DEFAULT false,
    "managed" BOOLEAN NOT NULL,
    "state" SMALLINT NOT NULL DEFAULT 0,
    "starts" TIMESTAMPTZ(6) NOT NULL,
    "ends" TIMESTAMPTZ(6) NOT NULL,
    "free_busy" TEXT NOT NULL DEFAULT 'busy',
    "changes" JSONB,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "occurrences_pkey" PRIMARY KEY ("uid")
);

-- CreateTable
CREATE TABLE "calendar_days" (
    "calendar_id" TEXT NOT NULL,
    "all_day" BOOLEAN NOT NULL,
    "managed" BOOLEAN NOT NULL,
    "day" DATE NOT NULL,
    "live" INTEGER NOT NULL DEFAULT 0,
    "declined" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "calendar_days_pkey" PRIMARY KEY ("calendar_id","all_day","managed","day")
);

-- CreateTable
CREATE TABLE "grants" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "refresh_hash" BYTEA NOT NULL,
    "scope" TEXT NOT NULL DEFAULT 'read_write',
    "sealed_pair" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" BYTEA NOT NULL,
    "grant_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "codes" (
    "hash" BYTEA NOT NULL,
    "application_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "grant_id" TEXT,

    CONSTRAINT "codes_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "link_tokens" (
    "hash" BYTEA NOT NULL,
    "account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "calendar_ids" TEXT[],
    "all_calendars" BOOLEAN NOT NULL DEFAULT true,
    "only_managed" BOOLEAN,
    "sealed_secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(6),
    "closed_by" TEXT,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6),
    "lease" TEXT,
    "leased_until" TIMESTAMPTZ(6),
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "manual" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "duration_ms" INTEGER,
    "address" TEXT,
    "status" INTEGER,
    "error_class" TEXT,
    "response_headers" JSONB,
    "response_body" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT,
    "leased_until" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_logs" (
    "id" UUID NOT NULL,
    "expires_on" DATE NOT NULL,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT,
    "status" SMALLINT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "application_id" TEXT,
    "account_id" TEXT,
    "address" TEXT,
    "error_keys" TEXT[],
    "request_headers" JSONB NOT NULL,
    "request_body" JSONB,
    "response_headers" JSONB NOT NULL,
    "response_body" JSONB,

    CONSTRAINT "request_logs_pkey" PRIMARY KEY ("id","expires_on")
) PARTITION BY RANGE ("expires_on");

-- CreateTable
CREATE TABLE "operators" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "operator_role" NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(6),

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operator_id" TEXT,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "address" TEXT,
    "request_id" TEXT,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "applications_client_id_key" ON "applications"("client_id");

-- CreateIndex
CREATE INDEX "client_secrets_application_id_idx" ON "client_secrets"("application_id");

-- CreateIndex
CREATE INDEX "accounts_application_id_created_at_idx" ON "accounts"("application_id", "created_at");

-- CreateIndex
CREATE INDEX "accounts_email_idx" ON "accounts"("email");

-- CreateIndex
CREATE INDEX "profiles_account_id_idx" ON "profiles"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "profiles_application_id_provider_subject_key" ON "profiles"("application_id", "provider", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "calendars_account_id_number_key" ON "calendars"("account_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "calendars_profile_id_external_id_key" ON "calendars"("profile_id", "external_id");

-- CreateIndex
CREATE INDEX "events_calendar_id_external_id_idx" ON "events"("calendar_id", "external_id");

-- CreateIndex
CREATE INDEX "occurrences_master_id_day_idx" ON "occurrences"("master_id", "day");

-- CreateIndex
CREATE INDEX "occurrences_calendar_id_updated_at_idx" ON "occurrences"("calendar_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "grants_refresh_hash_key" ON "grants"("refresh_hash");

-- CreateIndex
CREATE INDEX "grants_account_id_idx" ON "grants"("account_id");

-- CreateIndex
CREATE INDEX "access_tokens_grant_id_idx" ON "access_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "codes_account_id_idx" ON "codes"("account_id");

-- CreateIndex
CREATE INDEX "codes_expires_at_idx" ON "codes"("expires_at");

-- CreateIndex
CREATE INDEX "link_tokens_account_id_idx" ON "link_tokens"("account_id");

-- CreateIndex
CREATE INDEX "link_tokens_expires_at_idx" ON "link_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "channels_account_id_created_at_idx" ON "channels"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "deliveries_channel_id_created_at_idx" ON "deliveries"("channel_id", "created_at");

-- CreateIndex
CREATE INDEX "deliveries_application_id_created_at_idx" ON "deliveries"("application_id", "created_at");

-- CreateIndex
CREATE INDEX "deliveries_created_at_idx" ON "deliveries"("created_at");

-- CreateIndex
CREATE INDEX "outbox_kind_due_at_idx" ON "outbox"("kind", "due_at");

-- CreateIndex
CREATE INDEX "outbox_account_id_idx" ON "outbox"("account_id");

-- CreateIndex
CREATE INDEX "request_logs_request_id_idx" ON "request_logs"("request_id");

-- CreateIndex
CREATE INDEX "request_logs_at_idx" ON "request_logs"("at");

-- CreateIndex
CREATE INDEX "request_logs_application_id_at_idx" ON "request_logs"("application_id", "at");

-- CreateIndex
CREATE INDEX "request_logs_account_id_at_idx" ON "request_logs"("account_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "operators_email_key" ON "operators"("email");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

-- CreateIndex
CREATE INDEX "audit_entries_object_at_idx" ON "audit_entries"("object", "at");

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redirect_uris" ADD CONSTRAINT "redirect_uris_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occurrences" ADD CONSTRAINT "occurrences_master_id_fkey" FOREIGN KEY ("master_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_days" ADD CONSTRAINT "calendar_days_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "codes" ADD CONSTRAINT "codes_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "codes" ADD CONSTRAINT "codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "codes" ADD CONSTRAINT "codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows has no words in schema.prisma: partial indexes, checks and triggers. tests/unit/db/ground.test.ts holds them.

CREATE UNIQUE INDEX "accounts_open_application_calendar" ON "accounts"("application_id", "application_calendar_id")
    WHERE "revoked_at" IS NULL AND "application_calendar_id" IS NOT NULL;

CREATE UNIQUE INDEX "events_living_event_id" ON "events"("calendar_id", "event_id")
    WHERE "deleted_at" IS NULL AND "event_id" IS NOT NULL;

-- The window of a read: one scan for each calendar, kind and authorship, in the order of the page. Deleted ones stand apart,
-- so that a calendar whose events are written anew every night is read as fast as any other.
CREATE INDEX "occurrences_window" ON "occurrences"("calendar_id", "all_day", "managed", "starts", "uid") INCLUDE ("ends", "state") WHERE "state" <> 2;
CREATE INDEX "occurrences_window_deleted" ON "occurrences"("calendar_id", "all_day", "managed", "starts", "uid") INCLUDE ("ends", "state") WHERE "state" <> 0 AND "state" <> 1;

-- Where a walk along the window index begins. The cost is for the planner to see (ADR 0004): it falls due once for a walk in
-- order, and for each row of any other way to the same rows.
CREATE FUNCTION "walk_from"("at" TIMESTAMPTZ) RETURNS TIMESTAMPTZ LANGUAGE plpgsql IMMUTABLE STRICT COST 4000 AS $$
BEGIN
    RETURN "at";
END $$;

-- Spans over 24 hours by the class of their length (server/db/pages/scans.ts): of each class only those that began at most its
-- length ago can reach into a window, however many lie further back or ahead.
CREATE INDEX "occurrences_long" ON "occurrences"("calendar_id", "all_day", "managed",
    (width_bucket("ends" - "starts", '{96:00,384:00,1536:00,6144:00}'::interval[])), "starts", "uid") INCLUDE ("ends", "state") WHERE "is_long";

CREATE INDEX "channels_open" ON "channels"("account_id") WHERE "closed_at" IS NULL;

CREATE INDEX "deliveries_due" ON "deliveries"("next_attempt_at") WHERE "state" = 'pending';

ALTER TABLE "events"
    ADD CONSTRAINT "events_span" CHECK ("ends" >= "starts"),
    ADD CONSTRAINT "events_transparency" CHECK ("transparency" IN ('opaque', 'transparent'));

ALTER TABLE "occurrences"
    ADD CONSTRAINT "occurrences_span" CHECK ("ends" >= "starts"),
    ADD CONSTRAINT "occurrences_state" CHECK ("state" IN (0, 1, 2)),
    ADD CONSTRAINT "occurrences_free_busy" CHECK ("free_busy" IN ('busy', 'tentative', 'free')),
    ADD CONSTRAINT "occurrences_long_means_long" CHECK ("is_long" = ("ends" - "starts" > INTERVAL '24 hours'));

ALTER TABLE "calendar_days"
    ADD CONSTRAINT "calendar_days_counts" CHECK ("live" >= 0 AND "declined" >= 0 AND "deleted" >= 0);

CREATE FUNCTION "count_inserted_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" AS d ("calendar_id", "all_day", "managed", "day", "live", "declined", "deleted")
    SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date,
           count(*) FILTER (WHERE "state" = 0), count(*) FILTER (WHERE "state" = 1), count(*) FILTER (WHERE "state" = 2)
    FROM "inserted" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("calendar_id", "all_day", "managed", "day") DO UPDATE
    SET "live" = d."live" + excluded."live", "declined" = d."declined" + excluded."declined", "deleted" = d."deleted" + excluded."deleted";
    RETURN NULL;
END $$;

CREATE FUNCTION "count_deleted_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "calendar_days" d
    SET "live" = d."live" - x.live, "declined" = d."declined" - x.declined, "deleted" = d."deleted" - x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 count(*) FILTER (WHERE "state" = 0) AS live, count(*) FILTER (WHERE "state" = 1) AS declined,
                 count(*) FILTER (WHERE "state" = 2) AS deleted
          FROM "removed" GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day);
    RETURN NULL;
END $$;

CREATE FUNCTION "count_updated_occurrences"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" ("calendar_id", "all_day", "managed", "day")
    SELECT DISTINCT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date FROM "inserted" ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

    UPDATE "calendar_days" d
    SET "live" = d."live" + x.live, "declined" = d."declined" + x.declined, "deleted" = d."deleted" + x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 coalesce(sum(n) FILTER (WHERE "state" = 0), 0) AS live, coalesce(sum(n) FILTER (WHERE "state" = 1), 0) AS declined,
                 coalesce(sum(n) FILTER (WHERE "state" = 2), 0) AS deleted
          FROM (SELECT "calendar_id", "all_day", "managed", "starts", "state", 1 AS n FROM "inserted"
                UNION ALL
                SELECT "calendar_id", "all_day", "managed", "starts", "state", -1 FROM "removed") moves
          GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day)
      AND (x.live <> 0 OR x.declined <> 0 OR x.deleted <> 0);
    RETURN NULL;
END $$;

CREATE TRIGGER "occurrences_inserted" AFTER INSERT ON "occurrences"
    REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_inserted_occurrences"();
CREATE TRIGGER "occurrences_updated" AFTER UPDATE ON "occurrences"
    REFERENCING OLD TABLE AS "removed" NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_updated_occurrences"();
CREATE TRIGGER "occurrences_deleted" AFTER DELETE ON "occurrences"
    REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_occurrences"();

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are only ever added';
END $$;

CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
