import { createHmac } from "node:crypto";
import { attemptHeaders } from "@/server/domain/channels/attempt-headers";
import type { Signature } from "@/server/domain/channels/delivery-settings";
import { standardHeaders } from "@/server/domain/channels/standard-webhooks";

export interface Signing {
  deliveryId: string;
  /** 1 for the first. */
  attempt: number;
  body: string;
  /** Every active client secret of the application, the oldest first. */
  clientSecrets: readonly string[];
  /** The channel's `whsec_…`. Null: it is no channel's, and has no Svc-Signature. */
  channelSecret: string | null;
  compatibilityMode: boolean;
  signature?: Signature;
  /** The attempt's time, in milliseconds. */
  now: number;
}

/**
 * Builds the headers of one attempt with its webhook signature ("Webhook receiver contract"): base64 HMAC-SHA256 of the body, one for each active
 * client secret, and `t=…,v1=…` keyed with the channel's secret, which compatibility mode replaces with the other
 * vendor's header.
 */
export function signedHeaders({
  deliveryId,
  attempt,
  body,
  clientSecrets,
  channelSecret,
  compatibilityMode,
  signature = "default",
  now,
}: Signing) {
  const hmac = clientSecrets.map((secret) => createHmac("sha256", secret).update(body).digest("base64")).join(",");
  const t = Math.floor(now / 1000);
  const v1 = channelSecret && createHmac("sha256", channelSecret).update(`${t}.${body}`).digest("hex");
  const own = attemptHeaders({ deliveryId, attempt, hmac, signature: v1 && `t=${t},v1=${v1}`, compatibilityMode });
  if (signature === "default" || channelSecret === null) return own;
  return { ...own, ...standardHeaders({ id: deliveryId, secret: channelSecret, body, now }) };
}
