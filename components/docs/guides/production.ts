import { type Guide, shell } from "@/components/docs/guide";
import { alerts } from "@/components/docs/guides/production-alerts";
import { traces } from "@/components/docs/guides/production-traces";
import { durationWords } from "@/server/domain/time/duration-words";
import { capacities } from "@/server/env/capacities";
import { count } from "@/server/http/limits";

const { DATABASE_POOL, DRAIN_GRACE_SECONDS, DRAIN_SECONDS, SWEEP_SECONDS } = capacities;

const does: Record<keyof typeof capacities, string> = {
  DATABASE_POOL: "Database connections of the process. A process that does background jobs opens one more.",
  DELIVERY_SLOTS: "Webhook deliveries attempted at once.",
  SYNC_SLOTS: "Calendar accounts read at once, at most half of them at one provider.",
  FIRST_SYNC_SLOTS: "Newly connected calendar accounts read at once beside them.",
  PUSH_SLOTS: "Writes to providers sent at once, at most half of them to one provider.",
  SWEEP_SECONDS: "Seconds between looks for jobs that no wake-up announced.",
  DRAIN_GRACE_SECONDS: "Seconds after SIGTERM during which the port stays open.",
  DRAIN_SECONDS: "Seconds for requests and jobs in progress after that.",
  SYNC_POLL_SECONDS: "Seconds between checks of an account whose provider sends no notifications.",
  SYNC_QUIET_POLL_SECONDS: "The same for an account in which nothing has changed for an hour or more.",
};

/** How to run Almanac on more than one machine, for whoever operates it. */
export function productionGuide(): Guide {
  return {
    name: "Run in production",
    path: "/docs/production",
    title: "Run in production",
    lead: "Run Almanac on a PostgreSQL server, with as many web and worker processes as you need.",
    sections: [roles, sizes, probes, containers, backups, upgrades, keys, alerts, traces],
  };
}

const roles = {
  id: "roles",
  title: "Roles",
  blocks: [
    "Set `ALMANAC_ROLE` for each process. Every role needs the same `DATABASE_URL` and `ENCRYPTION_KEYS`.",
    [
      "| Role | Serves | Background jobs |",
      "|---|---|---|",
      "| `all` (default) | everything | yes |",
      "| `web` | the API, the connect page, the dashboard, these docs and the notifications of providers | no |",
      "| `worker` | `/health` and `/api/inngest` only | yes |",
    ].join("\n"),
    "The embedded database is for one process with the role `all`. Use PostgreSQL 14 or newer for anything else, and set `REDIS_URL` so that all web processes share the rate limits.",
    `Jobs are rows in PostgreSQL, so no process and no queue can lose them. Web processes wake the workers through PostgreSQL. If a wake-up is lost, workers find the job within ${durationWords((SWEEP_SECONDS.byDefault + 1) * 1_000)} or so (\`SWEEP_SECONDS\`). Connect to PostgreSQL directly, or through a pooler in session mode that accepts the startup parameter \`options\`. PgBouncer refuses connections until \`ignore_startup_parameters\` has \`options\`. It then drops what is set there, so turn \`jit\` off for the role. A pooler in transaction mode passes no wake-ups on. If it isn't set up for prepared statements, Almanac notices at its start, sends unnamed ones, which PostgreSQL plans each time, and logs a warning.`,
    "An Inngest server is optional. It runs scheduled jobs and bulk retries, so webhooks, syncs and alerts go on while it is away, and scheduled jobs are done by the workers once they are late by twice their interval. Every ten minutes a run must come back from it. If none does, the log says what its last call was answered with. Set `INNGEST_*` for all processes, and `INNGEST_SERVE_ORIGIN` to the address at which it reaches the workers.",
    "An Inngest server's dashboard shows each bulk retry as a run of its own, with how far it has come. Cancelling the run stops the bulk retry. That dashboard and its API have no sign-in, so keep the port private. Workers report steps to `INNGEST_BASE_URL` while they run.",
  ],
};

const sizes = {
  id: "sizes",
  title: "Sizes",
  blocks: [
    "A process uses one core. Add processes rather than cores: `web` when `/v1` gets slow, `worker` when queues grow. Start with one web process, two workers, and 1 GiB of memory for each.",
    [
      "| One core, at most | Requests or jobs a second |",
      "|---|---:|",
      "| `GET /v1/account` | 4,500 |",
      "| `GET /v1/events`, 300 on a page | 700 |",
      "| `GET /v1/free_busy`, 480 on a page | 1,100 |",
      "| `POST` an event | 1,500 |",
      "| Webhook deliveries | 1,700 |",
      "| Checks of a calendar account in which nothing has changed | 125 |",
    ].join("\n"),
    "Almanac alone, measured on one machine. Plan for 60% of these at your busiest hour, and count PostgreSQL apart: it takes a third as much processor time for small requests, and about as much for pages, writes and checks.",
    "For example, a million connected calendars and ten million accounts that make ten requests a day each: 8 web processes and 16 workers, PostgreSQL with 16 to 24 cores and 256 GB of memory, and 4.3 TB of disk. Four fifths of the disk is the request log of 30 days.",
    [
      "| Variable | Default | Limits | What it sets |",
      "|---|---|---|---|",
      ...Object.entries(capacities).map(
        ([name, { least, most, byDefault }]) =>
          `| \`${name}\` | ${count(byDefault)} | ${count(least)} to ${count(most)} | ${does[name as keyof typeof capacities]} |`,
      ),
    ].join("\n"),
    `PostgreSQL must accept the connections of all processes: \`max_connections\` should be at least (\`DATABASE_POOL\` + 2) for each process, plus 10. Five processes with the default of ${DATABASE_POOL.byDefault} need ${5 * (DATABASE_POOL.byDefault + 2) + 10}.`,
  ],
};

const probes = {
  id: "probes",
  title: "Health checks and shutdown",
  blocks: [
    [
      "| Path | 200 means | Use it for |",
      "|---|---|---|",
      "| `/health/ready` | ready for requests: not shutting down, the database responds and has every migration, the process keeps up | load balancers, readiness probes |",
      "| `/health/live` | the process responds | liveness probes |",
    ].join("\n"),
    "Both have the `version` and the `commit` that is running, as the first line of the log and the metric `almanac_build_info` do. Log lines are JSON on stderr, each with its `level`, the `role` and `instance` of its process, and the `traceId` if there is a trace.",
    "Never restart a process because `/health/ready` fails: it also fails while the database is away, and a restart doesn't help. `/health` is the same as `/health/ready`.",
    `On SIGTERM, \`/health/ready\` returns 503 at once, and the process claims no more jobs. The port stays open for \`DRAIN_GRACE_SECONDS\` (${DRAIN_GRACE_SECONDS.byDefault} by default). Set it to the time your load balancer takes to notice. Then requests and jobs in progress have \`DRAIN_SECONDS\` (${DRAIN_SECONDS.byDefault} by default) to finish, and the process exits with 0. Jobs that take longer are retried by another process within a minute. Allow the sum of both, plus ten seconds, before SIGKILL.`,
  ],
};

const containers = {
  id: "containers",
  title: "Containers",
  blocks: [
    "The repository has a `Dockerfile` and a `compose.yaml` with PostgreSQL, Redis, Inngest, one web process and two workers. The image runs as a user without privileges on a read-only root file system. It writes to `/tmp`, and to `/data` if keys are generated or the database is embedded.",
    shell(
      "Start",
      'echo "POSTGRES_PASSWORD=$(openssl rand -hex 16)" >> .env',
      'echo "ENCRYPTION_KEYS=k1:$(openssl rand -base64 32)" >> .env',
      'echo "INNGEST_EVENT_KEY=$(openssl rand -hex 16)" >> .env',
      'echo "INNGEST_SIGNING_KEY=$(openssl rand -hex 32)" >> .env',
      'echo "ADMIN_EMAIL=you@example.com" >> .env',
      'echo "ADMIN_PASSWORD=$(openssl rand -hex 12)" >> .env',
      "export ALMANAC_COMMIT=$(git rev-parse HEAD)",
      "docker compose up --build --wait",
      "docker compose up --scale worker=4 --no-recreate --wait",
    ),
    "`ADMIN_EMAIL` and `ADMIN_PASSWORD` add the first operator of the dashboard, who adds the others. On a PostgreSQL server, Almanac generates neither a login nor a demo application.",
    "Put a reverse proxy with TLS in front of the web process, set `BASE_URL`, `APP_URL` and `TRUSTED_PROXIES`, and keep the ports of PostgreSQL, Redis, Inngest, the workers and the metrics private.",
    "`compose.yaml` takes these and the variables under [Sizes](/docs/production#sizes) from `.env`. If you raise `DRAIN_GRACE_SECONDS` or `DRAIN_SECONDS`, set `stop_grace_period` to 10 seconds more than their sum.",
  ],
};

const backups = {
  id: "backups",
  title: "Backups and restore",
  blocks: [
    "Back up two things: the database, and `ENCRYPTION_KEYS` (or `secrets.json` in `DATA_DIR`, if Almanac generated them). Without the keys, no calendar account, webhook secret or client secret in a backup can be read. Store them apart from the backups. Redis and Inngest hold nothing that must be backed up.",
    shell(
      "Back up and restore PostgreSQL",
      'pg_dump --format=custom --file=almanac.dump "$DATABASE_URL"',
      "createdb almanac_restored",
      "pg_restore --no-owner --exit-on-error --dbname=almanac_restored almanac.dump",
    ),
    shell(
      "The same with compose.yaml",
      "docker compose exec -T postgres pg_dump --username=almanac --format=custom almanac > almanac.dump",
      "docker compose exec -T postgres createdb --username=almanac almanac_restored",
      "docker compose exec -T postgres pg_restore --username=almanac --no-owner --exit-on-error --dbname=almanac_restored < almanac.dump",
      "docker compose stop web worker",
      "docker compose exec -T postgres dropdb --username=almanac --force almanac",
      "docker compose exec -T postgres psql --username=almanac --dbname=postgres --command='ALTER DATABASE almanac_restored RENAME TO almanac'",
      "docker compose start web worker",
    ),
    "The old database is dropped only after the dump has been restored. If a command fails, stop there, and drop the new database before you try again. On a new machine, copy `.env` first, run `docker compose up --wait postgres`, restore straight into `almanac`, and then start everything.",
    "The first set of commands is tested with every version: a dump is made while Almanac runs, Almanac is killed, and on the restored database all events and channels are there and a pending webhook arrives. Try it with your own backups too.",
    "A dump is consistent while Almanac runs. Stop all processes before you switch to a restored database: webhooks that were pending at the time of the backup are sent again, and receivers recognize them by `Svc-Delivery-Id`.",
    "A dump of terabytes takes too long. At that size, use a standby and base backups with archived WAL, with a tool such as pgBackRest, and restore one to be sure. Most of the size is the request log, which `--exclude-table-data='request_logs*'` leaves out of a dump.",
    "Stop Almanac before you back up the embedded database, then copy the whole `DATA_DIR`. To restore it, start Almanac with the copy as its `DATA_DIR`.",
  ],
};

const upgrades = {
  id: "upgrades",
  title: "Upgrades",
  blocks: [
    "The first process of a new version applies its migrations, one transaction each, while others wait. Each migration says in its first line whether the previous version can keep running:",
    [
      "| First line | What to do |",
      "|---|---|",
      "| `-- rolling: safe: …` | Replace one process after the other. The previous version keeps working, and can be started again. |",
      "| `-- rolling: stop-first: …` | Stop all processes of the previous version, then start the new one. It refuses to start while it sees one of them. |",
    ].join("\n"),
    shell(
      "What an upgrade asks for",
      "git diff --name-only --diff-filter=A v1 v2 -- prisma/migrations | xargs head -qn 1",
    ),
    "A new version recognizes running processes by their connections, which `pg_stat_activity` lists as `almanac` with the newest migration that they know. It can't see them if `DATABASE_URL` sets another `application_name`.",
    "A migration waits two seconds for a lock, then lets others pass and tries again, for five minutes. Don't upgrade while a dump is running. A migration that adds an index or rewrites a table keeps its lock until it is done, and requests that need the table wait: with millions of rows, try the upgrade on a restored backup to see how long that takes.",
    "Migrations are never undone. To go back past a migration that isn't `safe`, restore a backup.",
  ],
};

const keys = {
  id: "keys",
  title: "Rotate encryption keys",
  blocks: [
    "The first of `ENCRYPTION_KEYS` encrypts, all of them decrypt. Replace a key in three steps, and restart all processes at each. You don't lose any data, and clients notice nothing.",
    [
      "1. Add the new key at the end: `ENCRYPTION_KEYS=k1:…,k2:…`. Now every process can read what the new key encrypts.",
      "2. Put it first: `ENCRYPTION_KEYS=k2:…,k1:…`. Workers encrypt all stored secrets again, and look every 15 minutes for what a process that wasn't restarted yet has encrypted since. They log `every stored secret is encrypted with the first of ENCRYPTION_KEYS` when they have.",
      "3. Once all processes have been restarted, wait a week, because subscriptions at providers and sign-in sessions still use the old key until they are renewed. Then remove it: `ENCRYPTION_KEYS=k2:…`.",
    ].join("\n"),
    "A process refuses to start if a key is missing that stored client secrets need. Keep old keys as long as you keep backups that were encrypted with them.",
    "Replace Inngest's signing key in three steps:",
    [
      "1. Set the new key as `INNGEST_SIGNING_KEY` and the old one as `INNGEST_SIGNING_KEY_FALLBACK`, and restart all processes.",
      "2. Restart the Inngest server with the new key.",
      "3. Remove `INNGEST_SIGNING_KEY_FALLBACK`, and restart all processes.",
    ].join("\n"),
    "`INNGEST_EVENT_KEY` and the keys of providers are replaced by setting the new value and restarting.",
  ],
};
