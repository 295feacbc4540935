import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "@/server/db/client";
import { testBody } from "@/server/services/staff/alerts/message";
import { issueGrant } from "@/server/store/grants/tokens";
import { cutLine } from "@/tests/fakes/cut-line";
import { freePort } from "@/tests/fakes/free-port";
import { connectGoogleAccount, googleEnv } from "@/tests/fakes/google-connection";
import { startInngest } from "@/tests/fakes/inngest-server";
import { startSmtpServer } from "@/tests/fakes/smtp-server";
import { startCluster } from "@/tests/faults/cluster";
import { amountOf, missing, openCalendar, outage, startPair } from "@/tests/faults/outages/stage";
import { type Field, inField } from "@/tests/rig/field";
import { newGoogle, OWNER } from "@/tests/rig/google/stage";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";

interface Ground {
  field: Field;
  receivers: Receivers;
}

/** Lays out a field with a receiver, on a PostgreSQL server of its own if one is given. */
async function withReceiver(work: (ground: Ground) => Promise<Row>, address?: string): Promise<Row[]> {
  const receivers = await startReceivers(1);
  try {
    return [await inField({ origins: receivers.origins, address }, (field) => work({ field, receivers }))];
  } finally {
    await receivers.close();
  }
}

const urlOf = ({ urls: [url = ""] }: Receivers) => url;

/** PostgreSQL is ended as by a crash, and stays away. */
export async function postgresAway(): Promise<Row[]> {
  const cluster = await startCluster();
  try {
    return await withReceiver(async ({ field, receivers }) => {
      const pair = await startPair(field, {});
      const after = connect(field.url);
      try {
        return await outage(pair, await openCalendar(pair.origin, urlOf(receivers)), {
          ...{ what: "PostgreSQL", how: "pg_ctl stop -m immediate" },
          expected: ["AlmanacNotReady", "AlmanacNoneReady", "AlmanacQueuesUnread"],
          ...{ begin: cluster.stop, end: cluster.start, mayFail: true, amount: amountOf },
          lost: (seen) => missing({ ...field, db: after }, receivers, seen).catch(() => ["unknown yet"]),
        });
      } finally {
        await after.close();
        await pair.close();
      }
    }, cluster.address);
  } finally {
    await cluster.close();
  }
}

/** Redis is ended by kill -9, and later started again, empty. */
export async function redisAway(): Promise<Row[]> {
  const port = await freePort();
  let redis = await startRedis(port);
  try {
    return await withReceiver(async ({ field, receivers }) => {
      const pair = await startPair(field, { REDIS_URL: `redis://127.0.0.1:${port}` });
      try {
        return await outage(pair, await openCalendar(pair.origin, urlOf(receivers)), {
          ...{ what: "Redis", how: "kill -9", expected: ["AlmanacRedisAway"], mayFail: false, amount: amountOf },
          begin: async () => redis.kill("SIGKILL"),
          end: async () => {
            redis = await startRedis(port);
          },
          lost: (seen) => missing(field, receivers, seen),
        });
      } finally {
        await pair.close();
      }
    });
  } finally {
    redis.kill("SIGKILL");
  }
}

async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  for await (const [line] of on(child)) if (line.includes("Ready to accept")) return child;
  throw new Error("Redis did not start");
}

async function* on({ stdout }: ChildProcess): AsyncGenerator<[string]> {
  while (stdout) yield [String((await once(stdout, "data"))[0])];
}

/** Nobody listens any more where Inngest's server was. */
export async function inngestAway(): Promise<Row[]> {
  const signingKey = `signkey-test-${randomBytes(32).toString("hex")}`;
  const inngest = await startInngest(signingKey);
  const line = await cutLine(inngest.origin);
  try {
    return await withReceiver(async ({ field, receivers }) => {
      const env = {
        INNGEST_EVENT_KEY: "test",
        INNGEST_SIGNING_KEY: signingKey,
        INNGEST_BASE_URL: withoutSlash(line.url),
      };
      const pair = await startPair(field, env);
      try {
        return await outage(pair, await openCalendar(pair.origin, urlOf(receivers)), {
          ...{ what: "Inngest", how: "its port is closed", expected: ["AlmanacInngestSilent"], mayFail: false },
          ...{ begin: () => line.cut(), end: () => line.restore(), amount: amountOf },
          lost: (seen) => missing(field, receivers, seen),
        });
      } finally {
        await pair.close();
      }
    });
  } finally {
    await line.close();
    inngest.close();
  }
}

const withoutSlash = (url: string) => url.replace(/\/$/, "");

/** Google can't be reached, while users write to a calendar there and others change it. */
export async function providerAway(): Promise<Row[]> {
  const google = await newGoogle();
  const line = await cutLine(google.origin);
  const { primary } = google.account(OWNER);
  try {
    return await withReceiver(async ({ field }) => {
      const [application] = await field.db.query<{ id: string }>("SELECT id FROM applications LIMIT 1");
      const { accountId, profileId } = await connectGoogleAccount(field.db, google, application?.id ?? "");
      const [calendar] = await field.db.query<{ id: string }>("SELECT id FROM calendars WHERE profile_id = $1", [
        profileId,
      ]);
      const { access: token } = await issueGrant(field.db.query, { accountId, now: Date.now() });
      const pair = await startPair(field, { ...googleEnv(google), GOOGLE_BASE_URL: withoutSlash(line.url) });
      let theirs = 0;
      const others = setInterval(() => {
        theirs += 1;
        primary.putEvent({
          id: `theirs${theirs}`,
          status: "confirmed",
          summary: `Theirs ${theirs}`,
          ...timesOf(theirs),
        });
      }, 2_000);
      try {
        const whom = { origin: pair.origin, token, calendarId: calendar?.id ?? "", hasSandbox: false };
        return await outage(pair, whom, {
          ...{ what: "Google", how: "its host refuses connections", expected: ["AlmanacSyncsFail"], mayFail: false },
          ...{ begin: () => line.cut(), end: () => line.restore() },
          lost: async (seen) => {
            clearInterval(others);
            const written = seen.filter(({ what, status }) => what === "write" && status === 202);
            const waiting = await field.db.query("SELECT FROM provider_writes");
            const read = await field.db.query<{ summary: string }>(
              "SELECT summary FROM events WHERE summary LIKE 'Theirs %'",
            );
            const there = new Set(primary.events().map(({ summary }) => summary));
            const missed = written.filter(({ eventId }) => !there.has(`Still there ${eventId?.slice(1)}`));
            return [
              ...waiting.map(() => "a write that waits"),
              ...missed.map(({ eventId }) => `event ${eventId} at Google`),
              ...Array.from(
                { length: theirs - new Set(read.map(({ summary }) => summary)).size },
                () => "a change at Google",
              ),
            ];
          },
          amount: (seen) =>
            `of ${seen.filter(({ what, status }) => what === "write" && status === 202).length} accepted events and ${theirs} changes at Google`,
        });
      } finally {
        clearInterval(others);
        await pair.close();
      }
    });
  } finally {
    await line.close();
    await google.close();
  }
}

function timesOf(i: number) {
  const day = new Date(Date.now() + (1 + (i % 60)) * 86_400_000).toISOString().slice(0, 10);
  return { start: { dateTime: `${day}T12:00:00Z` }, end: { dateTime: `${day}T13:00:00Z` } };
}

const MESSAGES = 5;

/** The SMTP server refuses connections, while there are emails to send. */
export async function smtpAway(): Promise<Row[]> {
  const smtp = await startSmtpServer();
  const line = await cutLine(smtp.url);
  try {
    return await withReceiver(async ({ field, receivers }) => {
      const { db } = field;
      await db.query("INSERT INTO alert_targets (scope, emails) VALUES ('staff', '{ops@acme.io}')");
      const pair = await startPair(field, { SMTP_URL: withoutSlash(line.url), SMTP_FROM: "almanac@acme.io" });
      try {
        return await outage(pair, await openCalendar(pair.origin, urlOf(receivers)), {
          ...{ what: "SMTP", how: "its host refuses connections", expected: ["AlmanacAlertsUnsent"], mayFail: false },
          begin: async () => {
            await line.cut();
            await db.query(
              `INSERT INTO alert_messages (id, scope, way, body, created_at, due_at)
SELECT 'alm_' || n, 'staff', 'email', $1, now(), now() FROM generate_series(1, ${MESSAGES}) n`,
              [JSON.stringify(testBody)],
            );
          },
          end: () => line.restore(),
          lost: async (seen) => [
            ...(await missing(field, receivers, seen)),
            ...Array.from({ length: MESSAGES - smtp.got.length }, () => "an email"),
          ],
          amount: (seen) => `${amountOf(seen)}, and ${MESSAGES} emails`,
        });
      } finally {
        await pair.close();
      }
    });
  } finally {
    await line.close();
    await smtp.close();
  }
}
