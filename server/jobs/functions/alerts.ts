import type { Inngest } from "inngest";
import { type Database, db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { sendAlerts } from "@/server/services/staff/alerts/send";
import { watchAlerts } from "@/server/services/staff/alerts/watch";

/** Looks every minute at what staff and developers want to be alerted to, and alerts them. */
export function alerting(client: Inngest) {
  return client.createFunction(
    { id: "alerts", name: "Send alerts", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async ({ step }) => {
      await step.run("watch", async () => await watchAlerts(db(), await timeOf(db())));
      await step.run("send", async () => (await sendAlerts(db(), await timeOf(db()))).length);
    },
  );
}

async function timeOf(db: Database): Promise<Instant> {
  return (await runOne(db.query, databaseNow)).now as Instant;
}
