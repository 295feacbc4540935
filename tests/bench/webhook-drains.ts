import { createHmac, randomBytes } from "node:crypto";
import pg from "pg";
import { Agent, request } from "undici";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

const PATIENCE_MS = 120_000;
const CLAIM_BATCH = 10;

/** What the dispatcher allows a host over all processes, and the hosts of the bench. */
const PER_HOST = 5;
const IN_FLIGHT = 100;

/** Attempts everything that is due as the service does it. Gives how long it took, in milliseconds. */
export function oursDrain(): () => Promise<number> {
  const { drain } = dispatcher({ db, allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS });
  return () => timing(() => drain(PATIENCE_MS));
}

/** Turns due signals into deliveries until none is due, or others have the rest. Gives how long it took, in milliseconds. */
export function oursFanOut(): () => Promise<number> {
  return () => timing(async () => void (await fanOut(db())));
}

/**
 * What there is to beat: claims, posts and marks the same rows with as many under way. No limit over all processes, no lock,
 * no record of attempts, no sealed secret, no judgement of the URL.
 */
export function bareDrain(): () => Promise<number> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const agent = new Agent({ connections: PER_HOST, pipelining: 1 });
  const secret = randomBytes(32).toString("base64url");
  const post = async ({ id, body, url }: BareRow) => {
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "svc-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
    };
    const answer = await request(url, { method: "POST", headers, body, dispatcher: agent });
    await answer.body.dump();
    await pool.query("UPDATE deliveries SET state = 'delivered', last_status = $2, finished_at = now() WHERE id = $1", [
      id,
      answer.statusCode,
    ]);
  };
  return () =>
    timing(async () => {
      const underWay = new Set<Promise<void>>();
      for (;;) {
        const { rows } = await pool.query<BareRow>(bareClaim, [CLAIM_BATCH]);
        if (rows.length === 0 && underWay.size === 0) return;
        for (const row of rows) {
          const run = post(row).finally(() => underWay.delete(run));
          underWay.add(run);
        }
        while (underWay.size > (rows.length === 0 ? 0 : IN_FLIGHT - CLAIM_BATCH)) await Promise.race(underWay);
      }
    });
}

interface BareRow {
  id: string;
  body: string;
  url: string;
}

const bareClaim = `UPDATE deliveries d SET attempts = attempts + 1, next_attempt_at = now() + interval '15 seconds'
FROM channels c WHERE c.id = d.channel_id AND d.id IN (SELECT id FROM deliveries WHERE state = 'pending' AND next_attempt_at <= now()
  ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING d.id, d.body, c.callback_url AS url`;

async function timing(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
