-- rolling: safe: the previous version does not read the columns. A failure that it stores later shows with the next one
-- Of each channel the last attempt that failed. Channels are locked in the order in which outcomes lock them.
WITH "failed" AS MATERIALIZED (
    SELECT DISTINCT ON (d."channel_id") d."channel_id", a."started_at", a."status", a."error_class"
    FROM "attempts" a JOIN "deliveries" d ON d."id" = a."delivery_id"
    WHERE (a."status" BETWEEN 200 AND 299) IS NOT TRUE ORDER BY d."channel_id", a."started_at" DESC),
"locked" AS MATERIALIZED (SELECT "id" FROM "channels" WHERE "id" IN (SELECT "channel_id" FROM "failed") ORDER BY "id" FOR UPDATE)
UPDATE "channels" c SET "failed_at" = f."started_at", "failed_status" = f."status", "failed_error" = f."error_class"
FROM "failed" f JOIN "locked" l ON l."id" = f."channel_id" WHERE c."id" = f."channel_id";
