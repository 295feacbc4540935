import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, it } from "vitest";
import { openCalendar } from "../service";

const KEY_BYTES = 32;

/** Among 20 hardly any lacks the two letters of base64 that its other alphabet spells otherwise. */
async function signingSecrets(): Promise<string[]> {
  const { post } = await openCalendar();
  const channel = { callback_url: "https://hooks.acme.io/almanac" };
  const opened = await Promise.all(Array.from({ length: 20 }, () => post("/v1/channels", channel)));
  return opened.map(({ json }) => json.channel.signing_secret);
}

const libraries = {
  svix: { Webhook: SvixWebhook, header: "svix" },
  standardwebhooks: { Webhook: StandardWebhook, header: "webhook" },
};

it.each(Object.entries(libraries))("%s takes a channel's signing secret as its key", async (_, { Webhook, header }) => {
  for (const secret of await signingSecrets()) {
    const webhook = new Webhook(secret);
    const [id, at, body] = [`msg_${randomBytes(4).toString("hex")}`, new Date(), '{"type":"change"}'];
    const headers = {
      [`${header}-id`]: id,
      [`${header}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
      [`${header}-signature`]: webhook.sign(id, at, body),
    };
    expect(webhook.verify(body, headers)).toEqual({ type: "change" });
    // The very bytes, whichever library reads them.
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(key).toHaveLength(KEY_BYTES);
    expect(new StandardWebhook(key, { format: "raw" }).sign(id, at, body)).toBe(webhook.sign(id, at, body));
  }
});
