import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** Returns a channel's secret as the libraries of Standard Webhooks decode it: base64, without our prefix. */
export function plainBase64(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

/**
 * Builds the headers of Standard Webhooks for one attempt. The key is the decoded secret, and the signature covers id, time and body
 * (https://www.standardwebhooks.com, "Signature scheme").
 */
export function standardHeaders({
  id,
  secret,
  body,
  now,
}: {
  id: string;
  secret: string;
  body: string;
  /** In milliseconds. */
  now: number;
}): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(plainBase64(secret), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
