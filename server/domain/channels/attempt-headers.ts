import { differs } from "@/server/domain/compat";
export interface AttemptHeaders {
  deliveryId: string;
  /** 1 for the first. */
  attempt: number;
  /** Keyed with the client secrets, and with the channel's. */
  hmac: string;
  /** Null: it is no channel's. */
  signature: string | null;
  compatibilityMode: boolean;
}

/**
 * Builds the headers of one attempt ("Webhook receiver contract"). Compatibility mode has the other vendor's instead of
 * Svc-Signature.
 */
export function attemptHeaders({ deliveryId, attempt, hmac, signature, compatibilityMode }: AttemptHeaders) {
  const isOtherVendor = differs("hasNoChannelSignature", { compatibilityMode });
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Almanac-Webhooks/1",
    "svc-hmac-sha256": hmac,
    ...(isOtherVendor && { "cronofy-hmac-sha256": hmac }),
    ...(!isOtherVendor && signature !== null && { "svc-signature": signature }),
    "svc-delivery-id": deliveryId,
    "svc-delivery-attempt": String(attempt),
  };
}
