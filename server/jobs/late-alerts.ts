import { db } from "@/server/db/client";
import { log } from "@/server/log";
import { lookIfLate } from "@/server/services/staff/alerts/look";

let isLooking = false;

/** Alerts staff and developers if nobody has looked for too long, and this process is not doing so already. */
export function alertIfLate(): void {
  if (isLooking) return;
  isLooking = true;
  void lookIfLate(db())
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "alerts could not be looked for"))
    .finally(() => {
      isLooking = false;
    });
}
