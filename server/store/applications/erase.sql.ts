import { deletingBatch } from "@/server/db/batches";
import { int4, statement } from "@/server/db/statement";

/** With their attempts. */
export const dropDeliveriesOf = statement<{ n: number }>(deletingBatch("deliveries", "application_id = $1"), {
  n: int4,
});

/** With what a revocation leaves of them: their channels. */
export const dropAccountsOf = statement<{ n: number }>(deletingBatch("accounts", "application_id = $1"), { n: int4 });
