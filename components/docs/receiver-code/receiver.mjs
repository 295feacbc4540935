import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { env } from "node:process";

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isValid = isFromAlmanac(body, req.headers["svc-signature"]);
  res.writeHead(isValid ? 204 : 400).end();
  console.log(isValid ? `verified ${body}` : "rejected");
}).listen(9999, "127.0.0.1");

function isFromAlmanac(body, header = "") {
  const [, sentAt, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!signature || Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false;
  const hmac = createHmac("sha256", env.SIGNING_SECRET).update(`${sentAt}.`).update(body);
  return timingSafeEqual(hmac.digest(), Buffer.from(signature, "hex"));
}
