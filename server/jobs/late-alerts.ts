import { db } from "@/server/db/client";
import { log } from "@/server/log";
import { lookIfLate } from "@/server/services/staff/alerts/look";

let looking: Promise<void> | undefined;

/** Alerts staff and developers if nobody has looked for too long, and this process is not doing so already. */
export function alertIfLate(): void {
  looking ??= lookIfLate(db())
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "alerts could not be looked for"))
    .finally(() => {
      looking = undefined;
    });
}

/** Resolves when this process does not look for alerts, or no longer does. */
export async function lookedForAlerts(): Promise<void> {
  await looking;
}
