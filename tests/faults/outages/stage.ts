import { freePort } from "@/tests/fakes/free-port";
import { type Firing, type Prometheus, startPrometheus } from "@/tests/faults/outages/prometheus";
import { type SeenResponse, sentenceOf, startUsers, type Users, type Whom } from "@/tests/faults/outages/users";
import { seconds } from "@/tests/rig/durations";
import type { Field } from "@/tests/rig/field";
import type { Receivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import type { Service } from "@/tests/rig/service";
import { passed, until } from "@/tests/rig/until";

/** So long all is well at first, so that rates have something to begin with. */
const WELL_MS = 75_000;
/** By when an alert has to fire. */
const ALERT_MS = 180_000;
/** How long an outage lasts at least. */
const LEAST_MS = 60_000;
const PATIENCE_MS = 900_000;
const client = { client_id: "outage", client_secret: "a secret of the outages" };

/** A web process and a worker, whose metrics Prometheus reads. */
export interface Pair {
  origin: string;
  services: Service[];
  prometheus: Prometheus;
  close(): Promise<void>;
}

export async function startPair(field: Field, env: Record<string, string>): Promise<Pair> {
  const bootstrap = JSON.stringify([{ name: "Outage", ...client }]);
  const launched: Service[] = [];
  const webPort = String(await freePort());
  const ports: Record<string, number> = {};
  for (const role of ["web", "worker"]) {
    const METRICS_PORT = await freePort();
    ports[role] = METRICS_PORT;
    const PORT = role === "web" ? webPort : String(await freePort());
    const serve = env.INNGEST_BASE_URL && { INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${PORT}` };
    const BASE_URL = `http://127.0.0.1:${webPort}`; // where a provider sends its notices
    const own = {
      BASE_URL,
      PORT,
      ...serve,
      ALMANAC_ROLE: role,
      METRICS_PORT: String(METRICS_PORT),
      BOOTSTRAP_APPLICATIONS: bootstrap,
    };
    const service = await field.launch({ ...own, ...env });
    await service.ready();
    launched.push(service);
  }
  const origin = (await launched[0]?.ready()) ?? "";
  const prometheus = await startPrometheus(ports);
  const close = async () => {
    await prometheus.close();
    await Promise.all(launched.map((service) => service.end("SIGKILL")));
  };
  return { origin, services: launched, prometheus, close };
}

/** Opens an application calendar, and a channel of it at a receiver. */
export async function openCalendar(origin: string, callback_url: string): Promise<Whom> {
  const post = async (path: string, body: object, token = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const { access_token: token } = await post("/v1/application_calendars", {
    ...client,
    application_calendar_id: "one",
  });
  await post("/v1/channels", { callback_url }, token);
  const read = await fetch(`${origin}/v1/calendars`, { headers: { authorization: `Bearer ${token}` } });
  const { calendars } = await read.json();
  return { origin, token, calendarId: calendars[0].calendar_id, hasSandbox: true };
}

export interface Outage {
  /** Such as "PostgreSQL". */
  what: string;
  /** How it was made. */
  how: string;
  /** The alerts that have to fire. */
  expected: readonly string[];
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** Whether responses may be other than 200 and 202 meanwhile. */
  mayFail: boolean;
  /** Names what was lost, once all that was accepted has had its time. Asked until it names nothing. */
  lost(seen: readonly SeenResponse[]): Promise<string[]>;
  /** Says how much there was to lose. */
  amount(seen: readonly SeenResponse[]): string;
}

/** Has users at work while something is away until its alerts fire, and after it is back until nothing is missing. */
export async function outage(pair: Pair, whom: Whom, about: Outage): Promise<Row> {
  const { prometheus, services } = pair;
  const users = startUsers(whom);
  try {
    await passed(WELL_MS);
    const quiet = prometheus.fired().map(({ name }) => name);
    prometheus.forget();
    await about.begin();
    const began = Date.now();
    const has = (name: string) => prometheus.fired().some((one) => one.name === name);
    const isOver = () => about.expected.every(has) || Date.now() - began > ALERT_MS;
    await until(() => isOver() && Date.now() - began > LEAST_MS, { within: PATIENCE_MS, what: "the alerts" });
    const fired = [...prometheus.fired()];
    const ended = Date.now();
    await about.end();
    const back = Date.now();
    const isWell = () => users.seen.some(({ what, status, at }) => what === "write" && status === 202 && at > back);
    await until(isWell, { within: PATIENCE_MS, what: "a write after the outage" });
    const first = users.seen.find(({ what, status, at }) => what === "write" && status === 202 && at > back);
    await passed(5_000);
    await users.end();
    const left = await nothingLost(about, users);
    const complete = Date.now();
    const during = users.seen.filter(({ at }) => at >= began && at < ended);
    const failed = during.filter(({ status }) => status !== 200 && status !== 202);
    const hasFired = about.expected.every((name) => fired.some((one) => one.name === name));
    const areSame = services.every((service) => service.isAlive());
    return {
      what: `${about.what} away for ${seconds(ended - began)}: ${about.how}`,
      measured: [
        `alerts: ${fired.map((one) => sinceOf(one, began)).join(", ") || "none"}${quiet.length > 0 ? ` (before: ${quiet.join(", ")})` : ""}`,
        `users saw: ${sentenceOf(during)}, slowest ${seconds(Math.max(...during.map(({ ms }) => ms)))}`,
        `lost: ${left.length === 0 ? "nothing" : left.slice(0, 3).join(", ")} (${about.amount(users.seen)})`,
        `first write ${seconds((first?.at ?? 0) + (first?.ms ?? 0) - back)} after it was back, all done after ${seconds(complete - back)}`,
        areSame ? "no process was restarted" : "a process ended",
      ].join("; "),
      limit: `${about.expected.join(", ")} within ${ALERT_MS / 60_000} minutes, nothing lost`,
      ok: hasFired && left.length === 0 && areSame && quiet.length === 0 && (about.mayFail || failed.length === 0),
    };
  } finally {
    await users.end();
  }
}

const sinceOf = ({ name, at }: Firing, began: number) => `${name} after ${Math.round((at - began) / 1_000)} s`;

async function nothingLost(about: Outage, users: Users): Promise<string[]> {
  let left: string[] = [];
  const isComplete = async () => {
    left = await about.lost(users.seen);
    return left.length === 0;
  };
  await until(isComplete, { within: PATIENCE_MS, what: "all that was accepted" }).catch(() => undefined);
  return left;
}

/** Names the accepted events that are not stored, and the changes that no webhook followed. */
export async function missing(field: Field, receivers: Receivers, seen: readonly SeenResponse[]): Promise<string[]> {
  const rows = await field.db.query<{ event_id: string }>("SELECT event_id FROM events WHERE event_id IS NOT NULL");
  const stored = new Set(rows.map(({ event_id }) => event_id));
  const events = seen.filter(
    ({ what, status, eventId }) => what === "write" && status === 202 && !stored.has(eventId ?? ""),
  );
  const last = Math.max(
    0,
    ...receivers.posts.filter(({ type, status }) => type === "change" && status === 200).map(({ at }) => at),
  );
  const changes = seen.filter(({ what, status, at }) => what === "change" && status === 202 && at > last);
  return [
    ...events.map(({ eventId }) => `event ${eventId}`),
    ...changes.map(({ at }) => `webhook of ${new Date(at).toISOString()}`),
  ];
}

export function amountOf(seen: readonly SeenResponse[]): string {
  const accepted = (kind: SeenResponse["what"]) =>
    seen.filter(({ what, status }) => what === kind && status === 202).length;
  return `of ${accepted("write")} accepted events and ${accepted("change")} changes with webhooks`;
}
