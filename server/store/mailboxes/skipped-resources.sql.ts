import { prepared } from "@/server/db/client";
import { command, statement, text } from "@/server/db/statement";

/** How many resources of one calendar are remembered. Further ones are requested again. */
const MOST_REMEMBERED = 10_000;

/** The names among $2 that could not be read in their current version. */
export const skippedEtags = statement<{ external_id: string; etag: string }>(
  prepared(
    "skipped etags",
    "SELECT external_id, coalesce(etag, '') AS etag FROM skipped_resources WHERE calendar_id = $1 AND external_id = ANY ($2::text[]) AND etag IS NOT NULL",
  ),
  { external_id: text, etag: text },
);

export const keepSkipped = command(
  `INSERT INTO skipped_resources (calendar_id, external_id, etag, reason, is_event, read_at)
SELECT $1, r.external_id, r.etag, r.reason, r.is_event, coalesce($3::timestamptz, statement_timestamp())
FROM json_to_recordset($2::json) AS r(external_id text, etag text, reason text, is_event boolean)
WHERE EXISTS (SELECT FROM calendars WHERE id = $1)
  AND (SELECT count(*) FROM (SELECT FROM skipped_resources WHERE calendar_id = $1 LIMIT ${MOST_REMEMBERED}) k) < ${MOST_REMEMBERED}
ON CONFLICT (calendar_id, external_id) DO UPDATE SET etag = excluded.etag, reason = excluded.reason, is_event = excluded.is_event, read_at = excluded.read_at`,
);

export const forgetSkipped = command(
  "DELETE FROM skipped_resources WHERE calendar_id = $1 AND external_id = ANY ($2::text[])",
);

/** Deletes those that are not among the names $2. */
export const sweepSkipped = command(
  "DELETE FROM skipped_resources WHERE calendar_id = $1 AND external_id <> ALL ($2::text[])",
);
