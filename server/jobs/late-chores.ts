import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { doPiece } from "@/server/jobs/chore-pieces";
import { choreDone, claimLate, type LateChore } from "@/server/jobs/chore-state";
import { chores } from "@/server/jobs/chores";
import { log } from "@/server/log";

let working: Promise<void> | undefined;

/** Does late chores, if this process is not doing so already: whatever should have called for them did not (ADR 91). */
export function doLateChores(): void {
  working ??= doAllLate()
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "late chores could not be looked for"))
    .finally(() => {
      working = undefined;
    });
}

/** Resolves when this process does no late chores, or has finished. */
export async function lateChoresDone(): Promise<void> {
  await working;
}

async function doAllLate(): Promise<void> {
  for (;;) {
    const late = context.isDraining ? undefined : await claimLate(db());
    if (!late) return;
    await finish(late);
  }
}

/** Does the rest of a chore. One that fails stays claimed for a while, and is then begun again. */
async function finish({ id, age }: LateChore): Promise<void> {
  const chore = chores[id];
  if (!chore) return await choreDone(db(), id);
  log({ module: "jobs" }).info({ chore: id, lastDoneS: Math.round(age) }, "a chore is late, so this process does it");
  try {
    while ((await doPiece(id, chore)) && !context.isDraining);
  } catch (error) {
    log({ module: "jobs" }).error({ chore: id, err: error }, "a late chore failed");
  }
}
