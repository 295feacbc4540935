import { createHmac, randomBytes } from "node:crypto";
import pg from "pg";
import { Agent, request } from "undici";

/**
 * What there is to beat: undici and pg with nothing else, and none of Almanac's code. Claims due rows of a flat table, signs, posts and marks them, with as
 * many under way. No turns of applications and hosts, no limit over all processes, no record of attempts, no sealed secret, no judgement of the URL. It
 * sends all that is due each time it is asked, and answers with the milliseconds that this took.
 */
const PER_HOST = 5;
const IN_FLIGHT = 100;
const CLAIM_BATCH = 10;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, idleTimeoutMillis: 0 });
const agent = new Agent({ connections: PER_HOST, pipelining: 1 });
const secret = randomBytes(32).toString("base64url");

interface Due {
  id: string;
  url: string;
  body: string;
}

const claim = {
  name: "claim",
  text: `UPDATE due SET attempts = attempts + 1, next_attempt_at = now() + interval '15 seconds'
WHERE id IN (SELECT id FROM due WHERE state = 'pending' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING id, url, body`,
};
const mark = {
  name: "mark",
  text: "UPDATE due SET state = 'delivered', last_status = $2, finished_at = now() WHERE id = $1",
};

async function send({ id, url, body }: Due): Promise<void> {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "svc-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
  };
  const answer = await request(url, { method: "POST", headers, body, dispatcher: agent });
  await answer.body.dump();
  await pool.query({ ...mark, values: [id, answer.statusCode] });
}

async function drain(): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (;;) {
    const { rows } = await pool.query<Due>({ ...claim, values: [CLAIM_BATCH] });
    if (rows.length === 0 && underWay.size === 0) return;
    for (const row of rows) {
      const run = send(row).finally(() => underWay.delete(run));
      underWay.add(run);
    }
    while (underWay.size > (rows.length === 0 ? 0 : IN_FLIGHT - CLAIM_BATCH)) await Promise.race(underWay);
  }
}

process.on("message", async () => {
  const began = performance.now();
  await drain();
  process.send?.(performance.now() - began);
});
process.on("disconnect", () => process.exit());
