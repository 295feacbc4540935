import type { Database } from "@/server/db/client";
import { seedAccount, seedApplication, seedChannels } from "@/tests/rig/seed";

/** An account with a calendar and one open channel. */
export interface Listener {
  accountId: string;
  calendarId: string;
  channelId: string;
}

/** So many listeners of one application, their callback URLs in turn at the given origins. */
export async function seedListeners(db: Database, count: number, origins: readonly string[]): Promise<Listener[]> {
  const clientId = await seedApplication(db, "Webhooks");
  const listeners: Listener[] = [];
  for (let i = 0; i < count; i++) {
    const { accountId, calendarId } = await seedAccount(db, clientId);
    const [channelId = ""] = await seedChannels(db, { accountId, urls: [`${origins[i % origins.length]}/hook`] });
    listeners.push({ accountId, calendarId, channelId });
  }
  return listeners;
}

export interface Due {
  channels: readonly string[];
  count: number;
  /** How long ago the first of them was due, in seconds; each of the others a millisecond later. */
  sinceS: number;
}

/** Due deliveries, each at another moment and of a channel that chance chose, the same at every run. */
export async function seedDue(db: Database, { channels, count, sinceS }: Due): Promise<void> {
  await db.query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at)
SELECT 'whd_' || replace(gen_random_uuid()::text, '-', ''), c.id, c.account_id, a.application_id, 'change',
  json_build_object('notification', json_build_object('type', 'change'), 'channel', json_build_object('channel_id', c.id,
    'callback_url', c.callback_url, 'filters', json_build_object())),
  split_part(c.callback_url, '/', 3), t.now, t.now - make_interval(secs => $3) + i * interval '1 millisecond'
FROM (SELECT clock_timestamp() AS now) t, generate_series(1, $2::int) i
JOIN channels c ON c.id = ($1::text[])[1 + abs(hashtext('delivery ' || i)) % array_length($1::text[], 1)]
JOIN accounts a ON a.id = c.account_id`,
    [channels, count, sinceS],
  );
}

/** Neither deliveries nor attempts, and tables as small as that. */
export async function dropDeliveries(db: Database): Promise<void> {
  await db.query("TRUNCATE deliveries, attempts");
}
