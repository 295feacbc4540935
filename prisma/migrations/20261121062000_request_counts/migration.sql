-- AlterTable
ALTER TABLE "request_logs" ADD COLUMN     "endpoint" TEXT;

-- CreateTable
CREATE TABLE "request_counts" (
    "minute" TIMESTAMPTZ(6) NOT NULL,
    "application_id" TEXT NOT NULL DEFAULT '',
    "requests" INTEGER NOT NULL,
    "client_errors" INTEGER NOT NULL,
    "server_errors" INTEGER NOT NULL,
    "throttled" INTEGER NOT NULL,

    CONSTRAINT "request_counts_pkey" PRIMARY KEY ("minute","application_id")
) WITH (fillfactor = 70);

-- What follows has no words in schema.prisma.

-- What staff look for, as one set: so that one index finds every combination, and the rare ones soon. Method, route and class of the
-- status are one: what two of them have in common would be sought in half of all rows. Ids in paths begin with a slash and paths of no
-- route with an equals sign, so that no caller's text is taken for something else.
CREATE FUNCTION "request_facets"("method" TEXT, "endpoint" TEXT, "path" TEXT, "status" SMALLINT, "application_id" TEXT, "error_keys" TEXT[])
    RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_remove(ARRAY["method" || ' ' || coalesce("endpoint", '') || ' ' || ("status" / 100)::text, "application_id",
        CASE WHEN "status" >= 300 THEN "status"::text END, CASE WHEN "status" >= 300 THEN ("status" / 100)::text || 'xx' END,
        CASE WHEN "endpoint" IS NULL THEN '=' || "path" WHEN "endpoint" LIKE '%{%' THEN '/' || split_part("path", '/', 4) END], NULL)
        || "error_keys"
$$;

CREATE INDEX "request_logs_facets" ON "request_logs"
    USING gin ("request_facets"("method", "endpoint", "path", "status", "application_id", "error_keys")) WITH (gin_pending_list_limit = 512);

-- The list of all accounts, and searches by the beginning of an e-mail address or of an application's own name.
CREATE INDEX "accounts_newest" ON "accounts"("created_at", "id");
CREATE INDEX "accounts_email_prefix" ON "accounts"((lower("email")) text_pattern_ops);
CREATE INDEX "accounts_calendar_name" ON "accounts"("application_calendar_id" text_pattern_ops) WHERE "application_calendar_id" IS NOT NULL;

-- What staff have to look after.
CREATE INDEX "profiles_disconnected" ON "profiles"("account_id") WHERE NOT "connected";
CREATE INDEX "provider_writes_refused" ON "provider_writes"("account_id") WHERE "refused_at" IS NOT NULL;
