import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { closeVisits } from "@/server/store/accounts/close-visits";
import { revokeUnexchanged } from "@/server/store/grants/revoke-unexchanged";

/** What must not wait for the night: credentials that nobody came for are forgotten. */
export function hourly(client: Inngest) {
  return client.createFunction(
    { id: "hourly", name: "The hour's chores", triggers: [{ cron: "41 * * * *" }], retries: 5 },
    async ({ step }) => {
      await step.run("revoke-unexchanged", () => revokeUnexchanged(db()));
      await step.run("close-visits", () => closeVisits(db()));
    },
  );
}
