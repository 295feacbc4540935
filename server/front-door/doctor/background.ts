import { env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { knownAges, type LateChore, readChoreAges } from "@/server/jobs/chore-state";
import { ROUND_TRIP } from "@/server/jobs/functions/round-trip";

/** As the alert AlmanacChoreLate. */
const LATE_INTERVALS = 3;
/** Workers ask for a run every ten minutes at least. */
const SILENT_S = 900;

/** Checks that background work is done, and that Inngest's runs come back. */
export async function background(): Promise<Finding[]> {
  const ages = await readChoreAges();
  return [scheduledJobs(ages), roundTrips(ages)];
}

function scheduledJobs(ages: readonly LateChore[]): Finding {
  const known = knownAges(ages);
  if (known.length === 0) return warn("scheduled jobs", "None has run yet: start a process that does background jobs.");
  const late = known.filter(({ age, everyS }) => age > LATE_INTERVALS * everyS);
  if (late.length === 0) return ok("scheduled jobs", `All ${known.length} ran in time.`);
  const list = late.map(({ id, age }) => `${id} (${duration(age)} ago)`).join(", ");
  return warn("scheduled jobs", `Late: ${list}. Check that a worker runs, and look for them in its log.`);
}

function roundTrips(ages: readonly LateChore[]): Finding {
  if (env().INNGEST_BASE_URL === undefined) return ok("inngest runs", "Not set up");
  const last = ages.find(({ id }) => id === ROUND_TRIP);
  if (!last) return warn("inngest runs", "No worker has asked for one yet: start a process that does background jobs.");
  const text = `The last one came back ${duration(last.age)} ago`;
  if (last.age < SILENT_S) return ok("inngest runs", text);
  return fail(
    "inngest runs",
    `${text}. Check that workers run, that INNGEST_SIGNING_KEY is the Inngest server's, and that it reaches them at INNGEST_SERVE_ORIGIN. Until then they run everything themselves.`,
  );
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
