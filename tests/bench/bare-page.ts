import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzip } from "node:zlib";
import pg from "pg";

/**
 * What there is to beat: a page of deliveries by node:http and pg with nothing else, and none of Almanac's code. Looks a session up, and writes the newest 50
 * rows of a flat table, their count to 10,000 and a chart of the last day as HTML, compressed. No roles, no filters, no scripts, nothing live.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, idleTimeoutMillis: 0 });

interface Sent {
  id: string;
  type: string;
  application: string;
  email: string;
  url: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
}

interface Bucket {
  hour: Date;
  state: string;
  n: number;
}

const session = { name: "session", text: "SELECT email FROM sessions WHERE digest = $1 AND expires_at > now()" };
const newest = { name: "newest", text: "SELECT * FROM sent ORDER BY created_at DESC, id DESC LIMIT 50" };
const count = { name: "count", text: "SELECT count(*)::int AS n FROM (SELECT FROM sent LIMIT 10000) s" };
const chart = {
  name: "chart",
  text: `SELECT date_trunc('hour', created_at) AS hour, state, count(*)::int AS n FROM sent WHERE created_at > now() - interval '1 day'
GROUP BY 1, 2 ORDER BY 1, 2`,
};

async function page(request: IncomingMessage): Promise<string | null> {
  const digest = createHash("sha256")
    .update(request.headers.cookie ?? "")
    .digest();
  const [operator] = (await pool.query<{ email: string }>({ ...session, values: [digest] })).rows;
  if (!operator) return null;
  const [rows, counted, buckets] = await Promise.all([
    pool.query<Sent>(newest),
    pool.query<{ n: number }>(count),
    pool.query<Bucket>(chart),
  ]);
  const most = Math.max(1, ...buckets.rows.map(({ n }) => n));
  const bars = buckets.rows.map(
    ({ hour, state, n }, i) =>
      `<rect class="${state}" x="${i * 4}" width="3" height="${(n * 100) / most}"><title>${hour.toISOString()} ${n}</title></rect>`,
  );
  return `<!doctype html><html lang="en"><head><title>Deliveries</title></head><body><header>${text(operator.email)}</header>
<h1>Deliveries ${counted.rows[0]?.n}</h1><svg>${bars.join("")}</svg>
<table><tr><th>Delivery</th><th>Type</th><th>Application</th><th>Account</th><th>Endpoint</th><th>State</th><th>Attempts</th><th>Created</th></tr>
${rows.rows.map(row).join("\n")}</table></body></html>`;
}

function row({
  id,
  type,
  application,
  email,
  url,
  state,
  attempts,
  last_status,
  last_error,
  created_at,
}: Sent): string {
  const cells = [
    type,
    application,
    email,
    url,
    `${state} ${last_status ?? last_error ?? ""}`,
    attempts,
    created_at.toISOString(),
  ];
  return `<tr><td><a href="/${id}">${id}</a></td>${cells.map((cell) => `<td>${text(cell)}</td>`).join("")}</tr>`;
}

function text(value: string | number): string {
  return String(value).replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
}

function respond(response: ServerResponse, html: string | null): void {
  const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" };
  gzip(html ?? "", (error, body) => response.writeHead(error ? 500 : html === null ? 401 : 200, headers).end(body));
}

const server = createServer((request, response) => {
  page(request).then(
    (html) => respond(response, html),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
