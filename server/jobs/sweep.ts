import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { runOne } from "@/server/db/statement";
import { pushing, syncing } from "@/server/jobs/provider-work";
import { overdueWork, type Swept } from "@/server/jobs/sweep.sql";
import { noteDatabaseTime } from "@/server/jobs/wake-events";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";
import { deliveries } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

/** Longer than a wake-up takes when nothing is wrong. */
const GRACE_S = 2;

/** Does what is overdue, here and now: the rows are the truth, whatever became of the events that should have woken somebody. */
export async function sweep(): Promise<Swept> {
  const found = await runOne(db().query, overdueWork, [databaseTime(), GRACE_S]);
  noteDatabaseTime(found.now);
  const { notify, deliver, sync, push, replay } = found;
  if (notify) await fanOut(db());
  if (replay) await workReplays(db());
  // Not waited for: a backlog at a slow receiver or provider must not put off the next look.
  if (notify || deliver || replay) await deliveries().nudge(0);
  if (sync) await syncing().nudge(0);
  if (push) await pushing().nudge(0);
  return { notify, deliver, sync, push, replay };
}
