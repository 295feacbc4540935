import type { Columns } from "@/server/http/csv";
import type { DeliveryRow } from "@/server/services/staff/deliveries/shapes";

/** The columns of the export. */
export const deliveryColumns: Columns<DeliveryRow> = {
  delivery_id: ({ id }) => id,
  state: ({ state }) => state,
  type: ({ type }) => type,
  application_id: ({ applicationId }) => applicationId,
  application: ({ applicationName }) => applicationName,
  account_id: ({ accountId }) => accountId,
  channel_id: ({ channelId }) => channelId,
  host: ({ host }) => host,
  endpoint: ({ endpoint }) => endpoint,
  attempts: ({ attempts }) => attempts,
  last_status: ({ lastStatus }) => lastStatus,
  last_error: ({ lastError }) => lastError,
  created_at: ({ createdAt }, time) => time(createdAt),
  next_attempt_at: ({ nextAttemptAt }, time) => nextAttemptAt && time(nextAttemptAt),
  finished_at: ({ finishedAt }, time) => finishedAt && time(finishedAt),
  manual: ({ manual }) => manual,
  test: ({ test }) => test,
};
