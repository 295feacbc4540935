import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { audit, type Doer } from "@/server/services/staff/audit/audit";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { countUntouched, stopReplay, takeBackDeliveries } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";

/** Stops a running replay and audits it: attempts under way go on, the others are not begun. Null: it runs no more, or there is none. */
export async function stopWithin(query: Query, ctx: Doer, id: string): Promise<ReplayRow | null> {
  const stopped = await run(query, stopReplay, [id, databaseTime()]);
  if (stopped.length === 0) return null;
  const back = await run(query, takeBackDeliveries, [id, databaseTime()]);
  const untouched = back.filter(({ isBegun }) => !isBegun).length;
  await run(query, countUntouched, [id, untouched]);
  const replay = await readReplay(query, id);
  const { total, retried } = replay;
  await audit(query, ctx, { action: "replay.cancelled", object: id, detail: { total, retried } });
  return replay;
}

/** The same for somebody who cancelled the run at the Inngest server, which does not say who it was. */
export async function stopFromInngest(db: Database, id: string, now: number): Promise<void> {
  const doer: Doer = { now, operator: null, stranger: "Inngest dashboard", address: null, requestId: null };
  await db.transaction((query) => stopWithin(query, doer, id));
}
