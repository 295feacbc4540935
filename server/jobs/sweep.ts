import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { alertIfLate } from "@/server/jobs/late-alerts";
import { doLateChores } from "@/server/jobs/late-chores";
import { endAccess } from "@/server/jobs/provider-work";
import { type OverdueWork, overdueWork } from "@/server/jobs/sweep.sql";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** Longer than a wake-up takes when nothing is wrong. */
const GRACE_S = 2;

/** Wakes who does what is overdue: the rows are the truth, whatever happened to the wake-ups. */
export async function sweep(): Promise<OverdueWork> {
  const overdue = await runOne(db().query, overdueWork, [databaseTime(), GRACE_S]);
  const due = new Set(works.filter((work) => overdue[work]).flatMap((work) => [work, workKinds[work].makes ?? work]));
  for (const work of due) wake(work);
  endAccess();
  alertIfLate();
  doLateChores();
  return overdue;
}
