import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Returns true if Almanac sent this body. `body` is the raw bytes, before any JSON parsing;
 * `signature` is the header Svc-Signature.
 */
export function verify({ body, signature = "", signingSecret }) {
  const [, sentAt, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const age = Date.now() / 1000 - Number(sentAt ?? 0);
  if (Math.abs(age) > TOLERANCE_SECONDS) return false;

  const signed = Buffer.concat([Buffer.from(`${sentAt}.`), body]);
  const expected = createHmac("sha256", signingSecret).update(signed).digest("hex");
  return timingSafeEqual(Buffer.from(expected), Buffer.from(v1));
}
