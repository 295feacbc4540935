import { prepared } from "@/server/db/client";
import { command } from "@/server/db/statement";

export const insertSignal = command(
  prepared(
    "insert signal",
    `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
VALUES ($1, $2, $3, $4, coalesce($5::timestamptz, clock_timestamp()) + make_interval(secs => $6))`,
  ),
);
