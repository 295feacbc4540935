import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { env } from "node:process";

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const fault = faultOf(body, req.headers["svc-signature"]);
  res.writeHead(fault ? 400 : 204).end();
  console.log(fault ? `rejected: ${fault}` : `verified ${body}`);
}).listen(9999, "127.0.0.1");

function faultOf(body, header = "") {
  const [, sentAt, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!signature) return "no signature";
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return "signed more than 5 minutes ago";
  const hmac = createHmac("sha256", env.SIGNING_SECRET).update(`${sentAt}.`).update(body);
  const isSame = timingSafeEqual(hmac.digest(), Buffer.from(signature, "hex"));
  return isSame ? null : "signed for another channel";
}
