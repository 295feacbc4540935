import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

/**
 * What there is to beat: node:http and pg with nothing else, and none of Almanac's code. A request looks a token up, runs one named statement on a
 * flat table, and serializes the rows as they are. No limits, no log, no totals, no series.
 */
const PAST_MS = 42 * 86_400_000;
const AHEAD_MS = 201 * 86_400_000;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, idleTimeoutMillis: 0 });

interface Bearer {
  account_id: string;
  calendar_id: string;
  email: string;
}

const bearer = {
  name: "bearer",
  text: "SELECT account_id, calendar_id, email, name, tzid FROM tokens WHERE digest = $1",
};
const between = "FROM flat_events WHERE calendar_id = $1 AND starts >= $2 AND starts < $3 ORDER BY starts, uid";
const page = {
  name: "page",
  text: `SELECT uid, calendar_id, event_id, summary, description, location, starts, ends, created, updated, status, transparency,
  private, participation_status, organizer, attendees ${between} LIMIT 300`,
};
const busy = { name: "busy", text: `SELECT uid, calendar_id, starts, ends, transparency ${between} LIMIT 1000` };
const write = {
  name: "write",
  text: `INSERT INTO flat_events (uid, calendar_id, event_id, summary, description, location, starts, ends, created, updated, status,
    transparency, private, participation_status, organizer, attendees)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now(), now(), 'confirmed', 'opaque', false, 'accepted', $9, '[]')
  ON CONFLICT (calendar_id, event_id) DO UPDATE SET summary = excluded.summary`,
};

async function respond(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const token = (request.headers.authorization ?? "").slice("Bearer ".length);
  const digest = createHash("sha256").update(token).digest();
  const [account] = (await pool.query<Bearer>({ ...bearer, values: [digest] })).rows;
  if (!account) return { status: 401, body: "" };
  switch (new URL(request.url ?? "/", "http://bare").pathname) {
    case "/account":
      return { status: 200, body: JSON.stringify({ account }) };
    case "/events":
      return { status: 200, body: JSON.stringify({ events: await rowsOf(page, account) }) };
    case "/free_busy":
      return { status: 200, body: JSON.stringify({ free_busy: await rowsOf(busy, account) }) };
    default: {
      let text = "";
      for await (const chunk of request) text += chunk;
      await insert(JSON.parse(text), account);
      return { status: 202, body: "" };
    }
  }
}

async function rowsOf(statement: { name: string; text: string }, { calendar_id }: Bearer): Promise<unknown[]> {
  const now = Date.now();
  const values = [calendar_id, new Date(now - PAST_MS), new Date(now + AHEAD_MS)];
  return (await pool.query({ ...statement, values })).rows;
}

interface NewEvent {
  event_id: string;
  summary: string;
  description: string;
  start: string;
  end: string;
}

async function insert({ event_id, summary, description, start, end }: NewEvent, { calendar_id, email }: Bearer) {
  const place = { description: "Room 12" };
  await pool.query({
    ...write,
    values: [randomUUID(), calendar_id, event_id, summary, description, place, start, end, { email }],
  });
}

const server = createServer((request, response) => {
  respond(request).then(
    ({ status, body }) => response.writeHead(status, { "content-type": "application/json" }).end(body),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
