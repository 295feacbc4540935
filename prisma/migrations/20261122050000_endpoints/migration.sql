-- Endpoints (host and path of a callback URL) by how they begin, and by the end of their host: acme.io finds hooks.acme.io.
-- What stands after ? is in no index: it may hold a secret.
CREATE INDEX "channels_of_endpoint" ON "channels"
    ((lower(regexp_replace(substring("callback_url" from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', ''))
      || coalesce(substring("callback_url" from '^[^:]*://[^/?#]*(/[^?#]*)'), '')) text_pattern_ops);
CREATE INDEX "channels_of_domain" ON "channels"
    (reverse(lower(regexp_replace(substring("callback_url" from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', ''))) text_pattern_ops);

-- Pending after a failed attempt: what the overview calls retrying. What waits for its first attempt, or arrives at once, is never in it.
CREATE INDEX "deliveries_retrying" ON "deliveries"("created_at")
    INCLUDE ("id", "channel_id", "application_id", "attempts", "last_status", "last_error")
    WHERE "state" = 'pending' AND ("last_error" IS NOT NULL OR "last_status" NOT BETWEEN 200 AND 299);
