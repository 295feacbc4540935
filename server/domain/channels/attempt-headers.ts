import { differs } from "@/server/domain/compat";
export interface AttemptHeaders {
  deliveryId: string;
  /** 1 for the first. */
  attempt: number;
  /** Keyed with the client secrets, and with the channel's. */
  hmac: string;
  signature: string;
  compatibilityMode: boolean;
}

/**
 * Builds the headers of one attempt ("Webhook receiver contract"). Compatibility mode has the other vendor's instead of
 * Svc-Signature.
 */
export function attemptHeaders({ deliveryId, attempt, hmac, signature, compatibilityMode }: AttemptHeaders) {
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Almanac-Webhooks/1",
    "svc-hmac-sha256": hmac,
    ...(differs("hasNoChannelSignature", { compatibilityMode })
      ? { "cronofy-hmac-sha256": hmac }
      : { "svc-signature": signature }),
    "svc-delivery-id": deliveryId,
    "svc-delivery-attempt": String(attempt),
  };
}
