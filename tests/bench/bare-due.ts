import pg from "pg";

/** What bare-sender.ts sends, and how to fill it. */
export interface BareDue {
  empty(): Promise<void>;
  /** So many due rows more, at each of the addresses in turn. */
  add(count: number, urls: readonly string[]): Promise<void>;
  analyze(): Promise<void>;
  /** How many were sent. */
  delivered(): Promise<number>;
  close(): Promise<void>;
}

const table = `CREATE TABLE due (id text PRIMARY KEY, url text NOT NULL, body text NOT NULL, state text NOT NULL DEFAULT 'pending',
  attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz NOT NULL, last_status int, finished_at timestamptz);
CREATE INDEX ON due (next_attempt_at) WHERE state = 'pending'`;

/** Bodies as long as those of webhook-seed.ts. */
const rows = `INSERT INTO due (id, url, body, next_attempt_at)
SELECT 'whd_' || replace(gen_random_uuid()::text, '-', ''), u.url, json_build_object('notification', json_build_object('type', 'change'),
  'channel', json_build_object('channel_id', 'chn_' || substr(md5(u.url), 1, 24), 'callback_url', u.url, 'filters', json_build_object())),
  now() - interval '1 minute' + i * interval '1 millisecond'
FROM generate_series(1, $1::int) i JOIN unnest($2::text[]) WITH ORDINALITY AS u(url, n) ON u.n = 1 + i % array_length($2::text[], 1)`;

/** Creates the table in an empty database. */
export async function bareDue(url: string): Promise<BareDue> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(table);
  return {
    empty: async () => void (await client.query("TRUNCATE due")),
    add: async (count, urls) => void (await client.query(rows, [count, urls])),
    analyze: async () => void (await client.query("VACUUM ANALYZE due")),
    delivered: async () => {
      const counted = await client.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM due WHERE state = 'delivered' AND last_status = 200",
      );
      return counted.rows[0]?.n ?? 0;
    },
    close: () => client.end(),
  };
}
