import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Returns true if Almanac sent this body. `body` is the raw bytes, before any JSON parsing;
 * `signature` and `hmacs` are the headers Svc-Signature and Svc-HMAC-SHA256.
 */
export function verify({ body, signature = "", hmacs = "", signingSecret, clientSecret }) {
  const [, sentAt, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const age = Date.now() / 1000 - Number(sentAt ?? 0);
  if (Math.abs(age) > TOLERANCE_SECONDS) return false;

  const signed = Buffer.concat([Buffer.from(`${sentAt}.`), body]);
  const expected = createHmac("sha256", signingSecret).update(signed).digest("hex");
  if (!isEqual(expected, v1)) return false;

  const own = createHmac("sha256", clientSecret).update(body).digest("base64");
  return hmacs.split(",").some((hmac) => isEqual(own, hmac.trim()));
}

function isEqual(expected, given) {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
