import { db } from "@/server/db/client";
import { log } from "@/server/log";
import { lookIfLate } from "@/server/services/staff/alerts/look";

let looking: Promise<void> | undefined;

/** Alerts staff and developers if no process has checked for too long and this one is not doing so already. */
export function alertIfLate(): void {
  looking ??= lookIfLate(db())
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "alerts could not be looked for"))
    .finally(() => {
      looking = undefined;
    });
}

/** Resolves when this process is not checking for alerts, or has finished. */
export async function lateAlertsDone(): Promise<void> {
  await looking;
}
