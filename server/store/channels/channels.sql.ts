import { cancelled } from "@/server/db/cancelled";
import { command, int4, statement, text } from "@/server/db/statement";

export const countOpenChannelsStatement = statement<{ open: number }>(
  "SELECT count(*)::int AS open FROM channels WHERE account_id = $1 AND closed_at IS NULL AND NOT of_trigger",
  { open: int4 },
);

/** `created_at` is set under the account's lock, so that channels keep the order in which they were opened. */
export const insertChannelStatement = command(
  `INSERT INTO channels (id, account_id, callback_url, calendar_ids, all_calendars, only_managed, sealed_secret, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())`,
);

export const findChannel = command("SELECT FROM channels WHERE id = $1 AND account_id = $2");

export const lockPendingDeliveries = command(
  "SELECT FROM deliveries WHERE channel_id = $1 AND state = 'pending' ORDER BY id FOR UPDATE",
);

export const markChannelClosed = statement<{ id: string }>(
  "UPDATE channels SET closed_at = clock_timestamp(), closed_by = $2 WHERE id = $1 AND closed_at IS NULL RETURNING id",
  { id: text },
);

export const cancelDeliveriesOfChannel = command(
  `UPDATE deliveries SET ${cancelled("clock_timestamp()")} WHERE channel_id = $1 AND state = 'pending'`,
);
