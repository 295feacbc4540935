import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { signedHeaders } from "@/server/webhooks/sign";

it("the time of a signature is the second that has begun, never one to come", () => {
  const signing = { deliveryId: "whd_1", attempt: 1, body: "{}", clientSecrets: ["s"], channelSecret: "whsec_1" };
  const headers = signedHeaders({ ...signing, compatibilityMode: false, now: 1_700_000_000_999 });
  const v1 = createHmac("sha256", "whsec_1").update("1700000000.{}").digest("hex");
  expect(Object.values(headers)).toContain(`t=1700000000,v1=${v1}`);
});
