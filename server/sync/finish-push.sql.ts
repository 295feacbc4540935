import { command } from "@/server/db/statement";
import { becomes } from "@/server/store/events/write-states";

const released = `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now)
UPDATE provider_writes SET ${becomes.released}`;
const claimed = "FROM t WHERE id = $1::bigint AND lease = $2";
const orNow = (same: string, newer = "t.now") => `CASE WHEN revision = $4 THEN ${same} ELSE ${newer} END`;

/** It is retrying, or queued if the application has written the event again: due after some milliseconds. */
export const postponeWrite = command(
  `${released}, last_error = $5, due_at = ${orNow("t.now + make_interval(secs => $6::float8 / 1000)")} ${claimed}`,
);

/** It is due as if it had not been begun: the provider wants fewer requests of everybody, which is no attempt. */
export const returnWrite = command(
  `${released}, attempts = CASE WHEN revision = $4 THEN greatest(attempts - 1, 0) ELSE attempts END, due_at = t.now ${claimed}`,
);

/** It is refused or given up, or queued if the application has written the event again. */
export const closeWrite = command(
  `${released}, last_error = $5, refused_at = ${orNow("t.now", "NULL")}, due_at = t.now ${claimed}`,
);
