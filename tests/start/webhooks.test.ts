import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Cronofy from "cronofy";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { theyWrite } from "../api/webhooks/world";
import { type Got, type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "./service";

const folder = mkdtempSync(join(tmpdir(), "almanac-webhooks-"));
const SECOND = 1_000;
/** How late a busy machine may be; the exact waits are tested with a clock that stands still. */
const LATE = 10 * SECOND;

let receiver: Receiver;
let service: Service;
let client: { client_id: string; client_secret: string };
let account: { access_token: string; sub: string };

beforeAll(async () => {
  receiver = await startReceiver();
  service = await start({ DATA_DIR: folder, CALLBACK_ALLOWED_ORIGINS: receiver.origin });
  const [, clientId = "", clientSecret = ""] = /client id\s+(\S+)\s+client secret\s+(\S+)/.exec(service.stdout()) ?? [];
  client = { client_id: clientId, client_secret: clientSecret };
  account = await post("/v1/application_calendars", { ...client, application_calendar_id: "one" });
  // The database of the service, as a process beside it reaches it.
  const host = encodeURIComponent(join(folder, "socket"));
  const url = `postgresql://almanac@localhost:5432/postgres?host=${host}&sslmode=disable`;
  provideEnv({ DATABASE_URL: url, BASE_URL: service.origin });
});

afterAll(async () => {
  await db().close();
  killAll();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("npm start", () => {
  it("keeps the route of its background work closed", async () => {
    for (const method of ["GET", "POST", "PUT"]) {
      const answer = await fetch(`${service.origin}/api/inngest?fnId=almanac-deliver&stepId=step`, { method });
      expect(answer.status).toBe(404);
      expect(answer.headers.get("svc-request-id")).toMatch(/^req_/);
      expect(await answer.text()).toBe("");
    }
    expect(service.stdout()).toContain("Background jobs run inside this process");
  });

  it("sends a verification at once and a change after it, with signatures that two other libraries accept", async () => {
    const { channel } = await post("/v1/channels", { callback_url: receiver.url("/sound") }, account.access_token);
    const verification = await receiver.next(of(channel.channel_id, "verification"), 30 * SECOND);
    const { calendars } = await get("/v1/calendars", account.access_token);
    await theyWrite({ calendarId: calendars[0].calendar_id }, "one"); // nobody is woken: the service has to find it
    const change = await receiver.next(of(channel.channel_id, "change"), 40 * SECOND);
    const since = change.json.notification.changes_since;
    const { events } = await get(`/v1/events?tzid=Etc/UTC&last_modified=${since}`, account.access_token);
    expect(events.map(({ summary }: { summary: string }) => summary)).toEqual(["Theirs one"]);
    for (const { headers, body } of [verification, change]) {
      const signature = String(headers["svc-signature"]);
      expect(new Stripe("none").webhooks.constructEvent(body, signature, channel.signing_secret)).toBeTruthy();
      const hmac = String(headers["svc-hmac-sha256"]);
      expect(new Cronofy(client).hmacValid({ hmac, body })).toBe(true);
    }
  });

  it("waits 15 seconds, then a minute, and at most 10% longer", async () => {
    receiver.answer(({ json }) => (json.channel.callback_url.endsWith("/failing") ? 500 : 200));
    const { channel } = await post("/v1/channels", { callback_url: receiver.url("/failing") }, account.access_token);
    const attempt = (number: number, within: number) =>
      receiver.next(
        (got) => of(channel.channel_id)(got) && got.headers["svc-delivery-attempt"] === `${number}`,
        within,
      );
    const first = await attempt(1, 30 * SECOND);
    const second = await attempt(2, 40 * SECOND);
    const third = await attempt(3, 100 * SECOND);
    for (const [wait, took] of [
      [15 * SECOND, second.at - first.at],
      [60 * SECOND, third.at - second.at],
    ] as const) {
      expect(took).toBeGreaterThanOrEqual(wait);
      expect(took).toBeLessThanOrEqual(wait * 1.1 + LATE);
    }
    expect(third.headers["svc-delivery-id"]).toBe(first.headers["svc-delivery-id"]);
    expect(third.body).toBe(first.body);
  });
});

function of(channelId: string, type?: string) {
  return ({ json }: Got) => json.channel.channel_id === channelId && (!type || json.notification.type === type);
}

async function get(path: string, token: string) {
  const response = await fetch(service.origin + path, { headers: { authorization: `Bearer ${token}` } });
  return await response.json();
}

async function post(path: string, json: object, token?: string) {
  const response = await fetch(service.origin + path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  });
  return await response.json();
}
