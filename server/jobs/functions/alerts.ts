import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { lookForAlerts, sendDueAlerts } from "@/server/services/staff/alerts/look";

/** Looks every minute at what staff and developers want to be alerted to, and alerts them. The sweep does it where no run comes. */
export function alerting(client: Inngest) {
  return client.createFunction(
    { id: "alerts", name: "Send alerts", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async ({ step }) => {
      await step.run("watch", async () => await lookForAlerts(db()));
      await step.run("send", async () => await sendDueAlerts(db()));
    },
  );
}
