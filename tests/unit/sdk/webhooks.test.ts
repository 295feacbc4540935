import { describe, expect, it } from "vitest";
import {
  Almanac,
  type VerifyInput,
  verifyAuthorization,
  verifyWebhook,
  type WebhookFailure,
  WebhookVerificationError,
} from "@/sdk/src/index";
import { signedHeaders } from "@/server/webhooks/sign";

const now = Date.parse("2026-11-24T10:00:00Z");
const body = JSON.stringify({
  notification: { type: "change", changes_since: "2026-11-24T09:59:00Z" },
  channel: { channel_id: "chn_1", callback_url: "https://app.acme.io/jours-fériés", filters: {} },
});
const signing = {
  deliveryId: "whd_1",
  attempt: 2,
  body,
  clientSecrets: ["the-client-secret"],
  channelSecret: "whsec_the-channel",
  compatibilityMode: false,
};
const delivery = {
  id: "whd_1",
  attempt: 2,
  notification: { type: "change", changes_since: "2026-11-24T09:59:00Z" },
  channel: { channel_id: "chn_1" },
};

/** Headers as the service signs them. */
function headersOf(change: Partial<typeof signing> = {}, ageSeconds = 0): Record<string, string> {
  return { ...signedHeaders({ ...signing, ...change, now: now - ageSeconds * 1_000 }) };
}

function input(change: Partial<VerifyInput> = {}): VerifyInput {
  const secrets = { clientSecret: "the-client-secret", signingSecret: "whsec_the-channel" };
  return { body, headers: headersOf(), ...secrets, now: () => now, ...change };
}

describe("a delivery is accepted", () => {
  it.each<[string, Partial<VerifyInput>]>([
    ["as it was sent", {}],
    ["as bytes", { body: new TextEncoder().encode(body) }],
    ["as part of a larger buffer", { body: Buffer.from(`..${body}..`).subarray(2, -2) }],
    ["as an ArrayBuffer", { body: new TextEncoder().encode(body).buffer }],
    ["with the headers of fetch", { headers: new Headers(headersOf()) }],
    ["after four minutes", { headers: headersOf({}, 240) }],
    [
      "with the older of two client secrets of the service",
      { headers: headersOf({ clientSecrets: ["new", "the-client-secret"] }) },
    ],
    ["with one of several client secrets of the receiver", { clientSecret: ["new", "the-client-secret"] }],
    ["with one of several signing secrets", { signingSecret: ["whsec_other", "whsec_the-channel"] }],
    [
      "with the signing secret of its channel",
      { signingSecret: async (id) => (id === "chn_1" ? "whsec_the-channel" : undefined) },
    ],
    [
      "without a signing secret, as in compatibility mode",
      { headers: headersOf({ compatibilityMode: true }), signingSecret: undefined },
    ],
  ])("%s", async (_, change) => {
    expect(await verifyWebhook(input(change))).toMatchObject(delivery);
  });

  it("by a client with the secrets that it has, the time included", async () => {
    const almanac = new Almanac({
      baseUrl: "https://api.acme.io",
      clientId: "client",
      clientSecret: "new",
      otherClientSecrets: ["the-client-secret"],
      now: () => now,
    });
    const given = { body, headers: headersOf(), signingSecret: "whsec_the-channel" };
    expect(await almanac.webhooks.verify(given)).toMatchObject(delivery);
  });
});

const TRIGGER_WITHOUT_ID = JSON.stringify({ notification: { type: "trigger" } });
const trigger = JSON.stringify({
  notification: { type: "trigger", trigger_id: "trg_1", event_uid: "evt_1", late: true },
});

describe("a trigger's delivery", () => {
  it("has no channel, and the signing secret of the trigger", async () => {
    const asked: string[] = [];
    const signingSecret = (id: string) => {
      asked.push(id);
      return "whsec_the-channel";
    };
    expect(await verifyWebhook(input({ body: trigger, headers: headersOf({ body: trigger }), signingSecret }))).toEqual(
      {
        id: "whd_1",
        attempt: 2,
        notification: { type: "trigger", trigger_id: "trg_1", event_uid: "evt_1", late: true },
      },
    );
    expect(asked).toEqual(["trg_1"]);
  });
});

describe("a delivery is rejected", () => {
  const good = headersOf();
  const signature = good["svc-signature"] ?? "";
  it.each<[string, Partial<VerifyInput>, WebhookFailure]>([
    ["without headers", { headers: {} }, "missing_header"],
    ["without the signature", { headers: headersOf({ compatibilityMode: true }) }, "missing_header"],
    ["with another body", { body: body.replace("09:59", "09:58") }, "wrong_hmac"],
    ["with a body laid out again", { body: JSON.stringify(JSON.parse(body), null, 2) }, "wrong_hmac"],
    ["with another client secret", { clientSecret: "another" }, "wrong_hmac"],
    ["with no client secret", { clientSecret: "" }, "wrong_hmac"],
    ["with no client secrets at all", { clientSecret: [] }, "wrong_hmac"],
    [
      "with an HMAC in another case",
      { headers: { ...good, "svc-hmac-sha256": good["svc-hmac-sha256"]?.toLowerCase() } },
      "wrong_hmac",
    ],
    ["with an HMAC that is none", { headers: { ...good, "svc-hmac-sha256": "é,=," } }, "wrong_hmac"],
    [
      "with an HMAC cut short",
      { headers: { ...good, "svc-hmac-sha256": good["svc-hmac-sha256"]?.slice(0, -4) } },
      "wrong_hmac",
    ],
    ["with another signing secret", { signingSecret: "whsec_other" }, "wrong_signature"],
    ["with no signing secrets at all", { signingSecret: [] }, "wrong_signature"],
    [
      "with a time that was not signed",
      { headers: { ...good, "svc-signature": signature.replace(/t=\d+/, `t=${now / 1_000 + 1}`) } },
      "wrong_signature",
    ],
    [
      "with a signature cut short",
      { headers: { ...good, "svc-signature": signature.slice(0, -2) } },
      "wrong_signature",
    ],
    ["with a signature that is none", { headers: { ...good, "svc-signature": "t=é,v1=é" } }, "wrong_signature"],
    ["of a channel that is not known", { signingSecret: () => undefined }, "unknown_channel"],
    ["after six minutes", { headers: headersOf({}, 360) }, "too_old"],
    ["six minutes ahead of time", { headers: headersOf({}, -360) }, "too_old"],
    ["after the tolerance of the receiver", { headers: headersOf({}, 61), toleranceSeconds: 60 }, "too_old"],
    ["whose body is no JSON", { body: "no", headers: headersOf({ body: "no" }) }, "invalid_body"],
    ["whose body is no notification", { body: "[1]", headers: headersOf({ body: "[1]" }) }, "invalid_body"],
    [
      "of a trigger without its id",
      { body: TRIGGER_WITHOUT_ID, headers: headersOf({ body: TRIGGER_WITHOUT_ID }) },
      "invalid_body",
    ],
    ["whose body is null", { body: "null", headers: headersOf({ body: "null" }) }, "invalid_body"],
  ])("%s", async (_, change, reason) => {
    const error = await verifyWebhook(input(change)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ reason });
    expect(error.message).not.toMatch(/secret|whsec/);
  });
});

describe("the result of a mailbox that was authorized", () => {
  const result = JSON.stringify({ authorization: { code: "c", state: "s" } });
  const signed = (text: string) => ({
    body: text,
    headers: headersOf({ body: text }),
    clientSecret: "the-client-secret",
  });

  it("is given if it was signed with a client secret", async () => {
    expect(await verifyAuthorization(signed(result))).toEqual({ code: "c", state: "s" });
    const refused = { error: "suspended", error_description: "The organization has suspended the user" };
    expect(await verifyAuthorization(signed(JSON.stringify({ authorization: refused })))).toEqual(refused);
    expect(await client().webhooks.verifyAuthorization(signed(result))).toEqual({ code: "c", state: "s" });
  });

  it.each<[string, string, WebhookFailure]>([
    ["another body", result.replace("s", "t"), "wrong_hmac"],
    ["a notification", body, "invalid_body"],
  ])("is refused with %s", async (_, text, reason) => {
    const sent = reason === "wrong_hmac" ? { ...signed(result), body: text } : signed(text);
    await expect(verifyAuthorization(sent)).rejects.toMatchObject({ reason });
  });
});

const client = () =>
  new Almanac({ baseUrl: "https://api.acme.io", clientId: "acme", clientSecret: "the-client-secret" });
