import { db } from "@/server/db/client";
import type { JobFunction } from "@/server/jobs/job-function";
import { lookForAlerts, sendDueAlerts } from "@/server/services/staff/alerts/look";

/** Checks for alerts to staff and developers every minute, and sends those that are due. If no run starts, the sweep sends them. */
export const alerts: JobFunction = {
  id: "alerts",
  name: "Send alerts",
  triggers: [{ cron: "* * * * *" }],
  retries: 0,
  async handler({ step }) {
    await step.run("watch", () => lookForAlerts(db()));
    await step.run("send", () => sendDueAlerts(db()));
  },
};
