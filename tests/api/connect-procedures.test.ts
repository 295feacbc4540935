import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { provideEnv } from "@/server/env";
import { connectCaller } from "@/server/services/connect/api";
import { type Front, plain, startFront } from "../fakes/forward";
import { connectedWithTokens, REDIRECT_URI, withToken } from "./grants";
import { type Application, newApplication } from "./service";

const PAGE_LIFE_MS = 1_800_000;
const person = { provider: "icloud" as const, username: "anna@example.com", password: "kqzt-wbnh-rmfx-dvpc" };

let provider: Front;
let asked = 0;

beforeAll(async () => {
  provider = await startFront(
    () => 0,
    async () => {
      asked += 1;
      return { ...plain(401, {}), body: Buffer.alloc(0) };
    },
  );
  provideEnv({ ICLOUD_CALDAV_URL: `http://127.0.0.1:${provider.port}` });
});
afterAll(() => provider.close());
beforeEach(() => {
  asked = 0;
});

const api = (browser = "anna's", now = clock().now()) => connectCaller({ db: db(), now, browser });

async function signedFor(application: Application, more: Record<string, string> = {}): Promise<string> {
  const query = { response_type: "code", client_id: application.clientId, redirect_uri: REDIRECT_URI, ...more };
  const opened = await api().open(new URLSearchParams(query));
  if (opened.kind !== "valid") throw new Error(`the page was not opened: ${opened.kind}`);
  return opened.signed;
}

describe("signing in at a provider", () => {
  it("asks the provider for a request that was signed for this browser", async () => {
    const signed = await signedFor(await newApplication());
    expect(await api().signIn({ signed, ...person })).toEqual({ kind: "wrong_password" });
    expect(asked).toBeGreaterThan(0);
  });

  it("asks no provider for a request that nobody signed", async () => {
    const signed = await signedFor(await newApplication());
    const [body = "", signature = ""] = signed.split(".");
    const content = JSON.parse(Buffer.from(body, "base64url").toString());
    const other = { ...content, redirectUri: "https://evil.example/callback" };
    const forged = `${Buffer.from(JSON.stringify(other)).toString("base64url")}.${signature}`;
    for (const text of [forged, body, ""]) {
      expect(await api().signIn({ signed: text, ...person })).toMatchObject({ kind: "unusable", reason: "form" });
    }
    expect(asked).toBe(0);
  });

  it("asks no provider for another browser, nor after 30 minutes", async () => {
    const signed = await signedFor(await newApplication());
    for (const caller of [api("eve's"), api("anna's", clock().now() + PAGE_LIFE_MS)]) {
      expect(await caller.signIn({ signed, ...person })).toMatchObject({ kind: "stale" });
    }
    expect(asked).toBe(0);
  });

  it("asks no provider once the link token was used", async () => {
    const application = await newApplication();
    const { accessToken } = await connectedWithTokens(application);
    const { link_token } = (await withToken("POST", "/v1/link_tokens", accessToken)).json;
    const signed = await signedFor(application, { link_token });
    await db().prisma.linkToken.update({ where: { hash: digest(link_token) }, data: { usedAt: new Date() } });
    expect(await api().signIn({ signed, ...person })).toMatchObject({ kind: "link_ended" });
    expect(asked).toBe(0);
  });
});
