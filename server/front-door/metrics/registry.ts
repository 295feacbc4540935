import { context } from "@/server/context";
import { type Unreadiness, unreadiness } from "@/server/http/health";
import type { AdmissionPlace, Meters } from "@/server/meters";
import { maintenanceState } from "@/server/store/maintenance/maintenance";

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ATTEMPT_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5];
const WAIT_SECONDS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
/** A second is what changes are collected for. The objective of server/observability/objectives.ts is among them. */
const ANNOUNCED_SECONDS = [1, 1.25, 1.5, 2, 3, 5, 10, 30, 60, 300, 900, 3_600];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Budget {
  quota: string;
  /** Of an application's own OAuth client. Null: of the installation. */
  applicationId: string | null;
  clientId: string | null;
  limit: number;
  allowed: number;
  remaining: number;
}

/** What is known at the moment of a scrape alone. */
export interface Observations {
  pool: { total: number; idle: number; waiting: number };
  /** Undefined: this process does no background work. Null: the database could not be asked. */
  queues?: { work: string; provider: string; depth: number | null; age: number | null }[] | null;
  /** Seconds since each chore was done. Null: the database could not be asked. */
  chores?: { id: string; age: number; everyS: number }[] | null;
  /** Of each quota that this service or an application has at a provider. Null: the database could not be asked. */
  budgets?: Budget[] | null;
  /** The last run that should have come back from the Inngest server. */
  roundTrip?: { isOk: boolean; ms: number };
  /** Whether Redis answers, by which processes count in common. Undefined: there is none, or it was not needed yet. */
  isRedisOk?: boolean;
  /** How many requests wait for their turn. */
  admission: Record<AdmissionPlace, number>;
  /** For how long the oldest holder of a slot has held it, in milliseconds. */
  longestHolds: Partial<Record<AdmissionPlace, number>>;
  /** Lines of the log that could not be written since the start. */
  logLinesLost: number;
  /** Why this process should get no requests. Null: it is ready. */
  notReady: Unreadiness | null;
}

export interface Metrics {
  meters: Meters;
  /** The text of a scrape. */
  text(observed: Observations): Promise<string>;
  contentType: string;
}

/** Every metric of this process, with Node's own. Names and units are Prometheus's: seconds, bytes, totals. */
// The package is imported here and not above: the bundle of the front door would load it at every start.
export async function openMetrics(): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    ...{
      name: "almanac_http_request_duration_seconds",
      help: "HTTP requests by route, method and status code.",
      registers,
    },
    ...{ labelNames: ["endpoint", "method", "status"] as const, buckets: REQUEST_SECONDS },
  });
  const attempts = new Histogram({
    ...{
      name: "almanac_delivery_attempt_duration_seconds",
      help: "Attempts to deliver a webhook, by outcome and reason.",
      registers,
    },
    ...{ labelNames: ["outcome", "reason"] as const, buckets: ATTEMPT_SECONDS },
  });
  const waits = new Histogram({
    ...{
      name: "almanac_queue_wait_seconds",
      help: "From when a job was due until this process took it, by kind.",
      registers,
    },
    ...{ labelNames: ["work"] as const, buckets: WAIT_SECONDS },
  });
  const announcements = new Histogram({
    ...{ name: "almanac_change_to_webhook_seconds", registers, buckets: ANNOUNCED_SECONDS },
    help: "From when something changed until its webhook was first sent.",
  });
  const admissions = new Histogram({
    ...{
      name: "almanac_admission_wait_seconds",
      help: "How long requests waited for their turn, by place.",
      registers,
    },
    ...{ labelNames: ["place"] as const, buckets: REQUEST_SECONDS },
  });
  const counter = (name: string, help: string) =>
    new Counter({ name, help, registers, labelNames: ["provider", "result"] as const });
  const syncs = counter("almanac_syncs_total", "Syncs of calendar accounts, by provider and result.");
  const pushes = counter("almanac_provider_writes_total", "Attempts to write to a provider, by provider and result.");
  const asked = new Counter({
    ...{
      name: "almanac_provider_requests_total",
      help: "Requests to providers of calendars, by provider, kind and outcome.",
      registers,
    },
    labelNames: ["provider", "kind", "outcome"] as const,
  });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, registers, labelNames });
  const build = gauge("almanac_build_info", "1, with what is running.", "version", "commit");
  const connections = gauge("almanac_database_connections", "Connections of this process's pool, by state.", "state");
  const waiting = gauge("almanac_database_pool_waiting", "Requests and jobs that wait for a connection.");
  const depth = gauge(
    "almanac_queue_depth",
    "Jobs that are due, by kind, 10000 at most. The same in every process.",
    "work",
  );
  const age = gauge(
    "almanac_queue_age_seconds",
    "For how long the oldest due job has been due at least, by kind.",
    "work",
  );
  const lag = gauge("almanac_sync_lag_seconds", "For how long the oldest due sync has been due at least.", "provider");
  const isRead = gauge(
    "almanac_queue_scrape_ok",
    "1 if the depths and ages of queues could be read, 0 if not. Absent in processes without background jobs.",
  );
  const hold = gauge(
    "almanac_admission_longest_hold_seconds",
    "For how long the request that has held a slot longest has held it, by place.",
    "place",
  );
  const lostLines = new Counter({
    ...{ name: "almanac_log_lines_lost_total", help: "Lines of the log that could not be written.", registers },
  });
  let lostBefore = 0;
  const choreAge = gauge("almanac_chore_age_seconds", "Time since a scheduled job last succeeded.", "chore");
  const choreInterval = gauge("almanac_chore_interval_seconds", "How often a chore is to be done.", "chore");
  const tripOk = gauge(
    "almanac_inngest_round_trip_ok",
    "1 if the last run that Inngest was asked for came back in time, 0 if not. Absent without an Inngest server.",
  );
  const trip = gauge("almanac_inngest_run_age_seconds", "How long ago the last of these runs came back.");
  const ofBudget = ["provider", "application", "client"] as const;
  const budgetLimit = gauge(
    "almanac_provider_budget_limit",
    "Requests a minute to a provider, as configured. The same in every process.",
    ...ofBudget,
  );
  const budgetAllowed = gauge(
    "almanac_provider_budget_allowed",
    "The most requests a minute that are sent now: below the limit after the provider has refused the whole client.",
    ...ofBudget,
  );
  const budgetLeft = gauge(
    "almanac_provider_budget_remaining",
    "Requests that may be sent to a provider at once. 0: work waits for the budget.",
    ...ofBudget,
  );
  const redis = gauge(
    "almanac_redis_ok",
    "1 if Redis answers, 0 if this process counts requests alone. Absent without Redis.",
  );
  const messages = new Counter({
    ...{ name: "almanac_alert_messages_total", help: "Attempts to send an alert, by way and result.", registers },
    labelNames: ["way", "result"] as const,
  });
  const readOnly = gauge("almanac_maintenance_read_only", "1 while the service only reads for maintenance, else 0.");
  const shed = gauge("almanac_maintenance_applications", "Applications whose requests are refused for maintenance.");
  const refusals = new Counter({
    ...{ name: "almanac_maintenance_refusals_total", help: "Requests that maintenance refused.", registers },
    labelNames: ["scope", "api"] as const,
  });
  for (const scope of ["service", "application"]) for (const api of ["v1", "other"]) refusals.labels(scope, api).inc(0);
  // A counter that begins with its first failure would not be seen to grow.
  for (const way of ["email", "webhook"]) for (const result of ["sent", "failed"]) messages.labels(way, result).inc(0);
  const inLine = gauge("almanac_admission_waiting", "Requests that wait for their turn, by place.", "place");
  const ready = gauge("almanac_ready", "1 if this process is ready for requests, as GET /health/ready says.");
  const unready = gauge("almanac_not_ready", "1 for the reason why this process is not ready for requests.", "reason");
  return {
    meters: {
      request({ endpoint, method, status, ms }) {
        requests.labels(endpoint, METHODS.has(method) ? method : "other", String(status)).observe(ms / 1_000);
      },
      wait: ({ work, ms }) => waits.labels(work).observe(ms / 1_000),
      announcement: (ms) => announcements.observe(ms / 1_000),
      admission: ({ place, ms }) => admissions.labels(place).observe(ms / 1_000),
      attempt: ({ outcome, reason, ms }) => attempts.labels(outcome, reason).observe(ms / 1_000),
      sync: ({ provider, result }) => syncs.labels(provider, result).inc(),
      refusedForMaintenance: ({ scope, api }) => refusals.labels(scope, api).inc(),
      alertMessage: ({ way, result }) => messages.labels(way, result).inc(),
      push: ({ provider, result }) => pushes.labels(provider, result).inc(),
      providerRequest: ({ provider, kind, outcome }) => asked.labels(provider, kind, outcome).inc(),
    },
    async text({
      pool,
      queues,
      chores,
      budgets,
      roundTrip,
      isRedisOk,
      admission,
      longestHolds,
      logLinesLost,
      notReady,
    }) {
      build.set({ ...context.build }, 1);
      connections.set({ state: "idle" }, pool.idle);
      connections.set({ state: "busy" }, pool.total - pool.idle);
      waiting.set(pool.waiting);
      const maintenance = maintenanceState();
      readOnly.set(maintenance.isReadOnly ? 1 : 0);
      shed.set(maintenance.applications);
      ready.set(notReady === null ? 1 : 0);
      for (const reason of Object.keys(unreadiness)) unready.set({ reason }, reason === notReady ? 1 : 0);
      for (const [place, waiting] of Object.entries(admission)) inLine.set({ place }, waiting);
      for (const [place, ms] of Object.entries(longestHolds)) hold.set({ place }, ms / 1_000);
      lostLines.inc(logLinesLost - lostBefore);
      lostBefore = logLinesLost;
      const known = [depth, age, lag, choreAge, choreInterval, budgetLimit, budgetAllowed, budgetLeft];
      for (const one of known) one.reset();
      for (const { quota: provider, applicationId, clientId, limit, allowed, remaining } of budgets ?? []) {
        const labels = { provider, ...(applicationId && clientId && { application: applicationId, client: clientId }) };
        budgetLimit.set(labels, limit);
        budgetAllowed.set(labels, allowed);
        budgetLeft.set(labels, remaining);
      }
      for (const { id, age: seconds, everyS } of chores ?? []) {
        choreAge.set({ chore: id }, seconds);
        choreInterval.set({ chore: id }, everyS);
      }
      for (const one of [tripOk, trip, redis]) one.remove();
      if (isRedisOk !== undefined) redis.set(isRedisOk ? 1 : 0);
      if (roundTrip) {
        tripOk.set(roundTrip.isOk ? 1 : 0);
        trip.set(roundTrip.ms / 1_000);
      }
      if (queues === undefined) isRead.remove();
      else isRead.set(queues ? 1 : 0);
      for (const queue of queues ?? []) {
        if (queue.depth !== null) depth.set({ work: queue.work }, queue.depth);
        if (queue.provider === "") age.set({ work: queue.work }, queue.age ?? 0);
        else lag.set({ provider: queue.provider }, queue.age ?? 0);
      }
      return await registry.metrics();
    },
    contentType: registry.contentType,
  };
}
