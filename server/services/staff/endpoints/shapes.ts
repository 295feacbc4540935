import type { OfTrigger } from "@/server/services/staff/channels/shapes";
import type { DeliveryPulse } from "@/server/services/staff/deliveries/shapes";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";
import type { EndpointRow } from "@/server/services/staff/lists/endpoints";
import type { Count } from "@/server/services/staff/lists/paging";

export interface EndpointDetail extends EndpointRow, OfTrigger {
  /** Complete, with its query. */
  callbackUrl: string;
  /** In the API's format. */
  filters: { calendar_ids?: readonly string[]; only_managed?: boolean };
  /** Null: there was none in the last 7 days. */
  lastAttemptAt: string | null;
  /** The oldest of its pending deliveries. */
  oldestPendingAt: string | null;
  /** Deliveries that wait for their next attempt. */
  waiting: Count;
}

/** An endpoint with its attempts and deliveries, as of one moment. */
export interface EndpointPage extends EndpointDetail {
  /** By the beginning of the attempts, without a gap, the oldest first. */
  bars: { at: string; succeeded: number; failed: number }[];
  /** The newest ones. */
  deliveries: DeliveryRow[];
  /** Of its deliveries. */
  pulse: DeliveryPulse;
}
