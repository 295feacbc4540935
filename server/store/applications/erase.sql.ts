import { deletingBatch } from "@/server/db/batches";
import { int4, statement } from "@/server/db/statement";
import { deletingDeliveries } from "@/server/store/channels/deleting-deliveries";
import { isOfDays } from "@/server/store/deliveries/days";

/** In the days from $3 on and before $4, attempted from $5 on. */
export const dropDeliveriesOf = statement<{ n: number }>(
  deletingDeliveries(`application_id = $1 AND ${isOfDays("deliveries", "$3", "$4")}`, "$5"),
  { n: int4 },
);

/** Deletes accounts with what a revocation leaves of them: their channels. */
export const dropAccountsOf = statement<{ n: number }>(deletingBatch("accounts", "application_id = $1"), { n: int4 });

export const dropAlertTargetOf = statement<{ n: number }>(deletingBatch("alert_targets", "scope = $1"), { n: int4 });
export const dropAlertRulesOf = statement<{ n: number }>(deletingBatch("alert_rules", "scope = $1"), { n: int4 });
export const dropAlertsOf = statement<{ n: number }>(deletingBatch("alerts", "scope = $1"), { n: int4 });
export const dropAlertMessagesOf = statement<{ n: number }>(deletingBatch("alert_messages", "scope = $1"), { n: int4 });
