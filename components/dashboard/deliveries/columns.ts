import type { DeliveryRow } from "@/server/services/staff/deliveries/shapes";

/** The columns of the export. */
export const deliveryColumns: Record<string, (row: DeliveryRow) => string | number | boolean | null> = {
  delivery_id: ({ id }) => id,
  state: ({ state }) => state,
  type: ({ type }) => type,
  application_id: ({ applicationId }) => applicationId,
  application: ({ applicationName }) => applicationName,
  account_id: ({ accountId }) => accountId,
  channel_id: ({ channelId }) => channelId,
  host: ({ host }) => host,
  attempts: ({ attempts }) => attempts,
  last_status: ({ lastStatus }) => lastStatus,
  last_error: ({ lastError }) => lastError,
  created_at: ({ createdAt }) => createdAt,
  next_attempt_at: ({ nextAttemptAt }) => nextAttemptAt,
  finished_at: ({ finishedAt }) => finishedAt,
  asked_for_by_staff: ({ manual }) => manual,
};
