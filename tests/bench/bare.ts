import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { connect } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import type { Instant } from "@/server/domain/time/instant";
import { lockCalendar } from "@/server/services/events/on-calendar";
import type { EventRow } from "@/server/services/reads/events/row";
import { shapeEvent } from "@/server/services/reads/events/shape";
import { livingEvent } from "@/server/store/events/event-record";
import { insertEvent } from "@/server/store/events/event-rows";
import { bearerOfToken } from "@/server/store/grants/bearer.sql";

/**
 * What there is to beat: node:http and pg with nothing else. No credential, no limits, no total, no log: one query (for a
 * write, the same statements in one transaction), and the same JSON.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const db = connect(process.env.DATABASE_URL);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

const events = `SELECT o.uid, o.calendar_id, o.event_id, o.all_day, date_part('epoch', o.starts) AS starts, date_part('epoch', o.ends) AS ends,
o.state = 2 AS deleted, date_part('epoch', e.created_at) AS created, date_part('epoch', o.updated_at) AS updated, e.summary, e.description,
e.location, e.url, e.participation_status, e.attendees, e.transparency, e.private, e.organizer, e.status, e.categories, e.conferencing,
CASE WHEN o.first THEN e.recurrence->'rules' END AS rules, e.first_uid, o.master_id, o.day::text AS day, o.changes
FROM (SELECT * FROM occurrences WHERE calendar_id = $1 AND NOT all_day AND NOT managed AND state < 2
  AND starts >= now() - interval '42 days' AND starts < now() + interval '201 days' ORDER BY starts, uid LIMIT 300) o
JOIN events e ON e.id = o.master_id ORDER BY o.starts, o.uid`;

const freeBusy = `SELECT calendar_id, uid AS event_uid, date_part('epoch', starts) AS starts, date_part('epoch', ends) AS ends, free_busy AS free_busy_status
FROM occurrences o WHERE calendar_id = $1 AND NOT all_day AND NOT managed AND state = 0 AND starts >= now() - interval '42 days'
AND starts < now() + interval '201 days' ORDER BY o.starts, o.uid LIMIT 1000`;

async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const url = new URL(request.url ?? "/", "http://bare");
  const calendar = url.searchParams.get("calendar");
  switch (url.pathname) {
    case "/events": {
      const { rows } = await pool.query<EventRow>(events, [calendar]);
      return { status: 200, body: JSON.stringify({ events: rows.map((row) => shapeEvent(row, iso, "product")) }) };
    }
    case "/free_busy": {
      const { rows } = await pool.query(freeBusy, [calendar]);
      const periods = rows.map(({ starts, ends, ...row }) => ({ ...row, start: iso(starts), end: iso(ends) }));
      return { status: 200, body: JSON.stringify({ free_busy: periods }) };
    }
    case "/account": {
      const token = (request.headers.authorization ?? "").slice("Bearer ".length);
      const { rows } = await pool.query(bearerOfToken.text, [digest(token), new Date()]);
      return { status: 200, body: JSON.stringify({ account: rows[0] }) };
    }
    default: {
      let text = "";
      for await (const chunk of request) text += chunk;
      await write(calendar ?? "", url.searchParams.get("account") ?? "", JSON.parse(text));
      return { status: 202, body: "" };
    }
  }
}

async function write(
  calendarId: string,
  accountId: string,
  body: { event_id: string; summary: string; start: string; end: string },
) {
  const span = { starts: Date.parse(body.start) as Instant, ends: Date.parse(body.end) as Instant, allDay: false };
  const said = { summary: body.summary, description: "", location: null, url: null, span, tzid: null, private: false };
  const people = {
    organizer: { email: "bench@acme.io", display_name: "Bench" },
    attendees: [],
    participationStatus: "accepted",
  };
  const rest = {
    transparency: "opaque" as const,
    status: "confirmed",
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
  };
  await db.transaction(async (query) => {
    await lockCalendar(query, { calendarId, accountId });
    const living = await livingEvent(query, calendarId, body.event_id);
    const target = { calendarId, eventId: body.event_id, externalId: null, now: Date.now() as Instant };
    if (!living) await insertEvent(query, target, { ...said, ...people, ...rest });
  });
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => response.writeHead(status, { "content-type": "application/json" }).end(body),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`));
