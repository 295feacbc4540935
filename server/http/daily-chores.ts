import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { dropExpiredRequests } from "@/server/db/request-logs";
import { type Day, dayOf, utcMidnight } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { errorCode, type Log } from "@/server/http/outage-log";
import { continueAll } from "@/server/services/events/series/continue";
import { dropExpiredTokens } from "@/server/services/grants/drop-expired";

const RETRY_MS = 10 * 60_000;

/**
 * What a service has to do once a day, done behind the first batch of requests of that day: dropping what has expired and
 * continuing series. Everything here can be late: reads continue series themselves, and what has expired is no longer valid.
 * A chore that fails is tried again ten minutes later.
 */
export function dailyChores(db: () => Database, log: Log): () => Promise<void> {
  const dueAt = new Map<string, number>();
  return async () => {
    const now = clock().now() as Instant;
    const tomorrow = utcMidnight((dayOf(now) + 1) as Day);
    for (const [name, chore] of Object.entries(chores)) {
      if (now < (dueAt.get(name) ?? 0)) continue;
      dueAt.set(name, tomorrow);
      await databaseTime(db())
        .then((time) => chore(db(), time))
        .catch((error) => {
          dueAt.set(name, now + RETRY_MS);
          log("warn", "a chore of the day failed and will be tried again", { chore: name, error: errorCode(error) });
        });
    }
  };
}

/** What is dropped is judged by the database's clock: one process whose own is wrong must not drop what others still use. */
async function databaseTime(db: Database): Promise<Instant> {
  const [row] = await db.query<{ now: number }>("SELECT floor(date_part('epoch', clock_timestamp()) * 1000) AS now");
  if (!row) throw new Error("the database does not know the time");
  return row.now as Instant;
}

const chores: Record<string, (db: Database, now: Instant) => Promise<unknown>> = {
  "drop expired request logs": (db, now) => dropExpiredRequests(db, dayOf(now)),
  "drop expired tokens": dropExpiredTokens,
  "continue series": continueAll,
};
