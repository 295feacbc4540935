import type { Columns } from "@/server/http/csv";
import type { RequestRow } from "@/server/services/staff/requests/shapes";

/** The columns of the export. */
export const requestColumns: Columns<RequestRow> = {
  request_id: ({ requestId }) => requestId,
  at: ({ at }, time) => time(at),
  method: ({ method }) => method,
  path: ({ path }) => path,
  endpoint: ({ endpoint }) => endpoint,
  status: ({ status }) => status,
  duration_ms: ({ durationMs }) => durationMs.toFixed(1),
  application_id: ({ applicationId }) => applicationId,
  application: ({ applicationName }) => applicationName,
  account_id: ({ accountId }) => accountId,
  error_keys: ({ errorKeys }) => errorKeys.join(" "),
  log_id: ({ id }) => id,
};
