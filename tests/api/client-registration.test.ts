import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { provideEnv } from "@/server/env";
import { REGISTRATION } from "@/server/http/rate-limit/buckets";
import { chores } from "@/server/jobs/chores";
import { authorize, cookieOf, links, openForm, returnedTo } from "./connect-page";
import { connectAccount, issueCode } from "./grants";
import { newVerifier, publicRefresh, publicToken } from "./public-clients";
import { expectEmpty } from "./responses";
import { type ApiResponse, call, newApplication, newProcessServices } from "./service";
import { newOperator } from "./staff/staff-caller";

const URI = "https://assistant.example/callback";
const DAY_MS = 86_400_000;

const register = (json: unknown) => call("POST", "/oauth/register", { json });

function expectRefused(answer: ApiResponse, error: string): void {
  expect(answer).toMatchObject({ status: 400, json: { error, error_description: expect.stringMatching(/\S/) } });
}

async function registered(more: Record<string, unknown> = {}) {
  const { json } = await register({ redirect_uris: [URI], client_name: "Assistant", ...more });
  return { clientId: json.client_id as string, clientSecret: "" };
}

beforeEach(async () => {
  provideEnv({ CLIENT_REGISTRATION: "on" });
  await newProcessServices();
});

describe("a client that registered itself", () => {
  it("asks its users to let it read, until an administrator lets assistants write", async () => {
    const application = await registered();
    const page = async () =>
      (
        await authorize(application, {
          redirect_uri: URI,
          code_challenge: newVerifier().challenge,
          code_challenge_method: "S256",
        })
      ).text;
    expect(await page()).toContain("can see your events but can’t");
    await db().prisma.application.update({ where: { clientId: application.clientId }, data: { mcpWrites: true } });
    expect(await page()).not.toContain("can see your events but can’t");
  });
});

describe("POST /oauth/register", () => {
  it("registers a public client and returns its metadata", async () => {
    const answer = await register({
      ...{
        redirect_uris: [URI, "http://127.0.0.1/cb", URI],
        client_name: " Assistant ",
        logo_uri: "https://x.example",
      },
      ...{ token_endpoint_auth_method: "none", scope: "read_write", application_type: "native", contacts: null },
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toEqual({
      client_id: expect.stringMatching(/^client_[0-9a-f]{24}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Assistant",
      redirect_uris: [URI, "http://127.0.0.1/cb"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(Math.abs(answer.json.client_id_issued_at * 1_000 - Date.now())).toBeLessThan(60_000);
    const where = { clientId: answer.json.client_id };
    expect(await db().prisma.application.findUniqueOrThrow({ where, include: { secrets: true } })).toMatchObject({
      ...{ publicClient: true, selfRegistered: true, secrets: [] },
      ...{ mcpWrites: false, editForeignEvents: false, compatibilityMode: false },
    });
  });

  it("gives a client that can connect an account and refresh its tokens", async () => {
    const application = await registered();
    const { verifier, challenge } = newVerifier();
    const s256 = { code_challenge: challenge, code_challenge_method: "S256" };
    expect((await authorize(application, { redirect_uri: URI, ...s256 })).status).toBe(200);
    const code = await issueCode(application, await connectAccount(application), { challenge });
    await db().prisma.code.updateMany({
      where: { application: { clientId: application.clientId } },
      data: { redirectUri: URI },
    });
    const fields = { grant_type: "authorization_code", code, redirect_uri: URI, code_verifier: verifier };
    const { json } = await publicToken(application, fields);
    expect((await publicRefresh(application, json.refresh_token)).status).toBe(200);
  });

  it("names a client without a name by where it returns to", async () => {
    expect((await register({ redirect_uris: ["http://localhost:8080/cb"] })).json.client_name).toBe("localhost:8080");
  });

  it.each([
    [undefined],
    [[]],
    [URI],
    [[URI, 5]],
    [["http://assistant.example/cb"]],
    [["assistant:/callback"]],
    [["javascript:alert(1)"]],
    [[`${URI}#x`]],
    [["https://user:pass@assistant.example/"]],
    [Array.from({ length: 6 }, (_, n) => `${URI}/${n}`)],
  ])("refuses redirect_uris %j", async (redirect_uris) => {
    expectRefused(await register({ redirect_uris }), "invalid_redirect_uri");
  });

  it.each([
    { token_endpoint_auth_method: "client_secret_basic" },
    { token_endpoint_auth_method: 5 },
    { grant_types: ["implicit"] },
    { grant_types: "authorization_code" },
    { response_types: ["token"] },
    { client_name: "x".repeat(101) },
    { client_name: "Assist\u202eant" },
    { client_name: " " },
  ])("refuses %j", async (metadata) => {
    expectRefused(await register({ redirect_uris: [URI], ...metadata }), "invalid_client_metadata");
  });

  it("refuses what is not a JSON object", async () => {
    expectRefused(await call("POST", "/oauth/register", { body: "{", headers: {} }), "invalid_request");
    expectRefused(await call("POST", "/oauth/register", { form: { redirect_uris: URI } }), "invalid_request");
  });

  it("registers ten an hour from one address, and counts no refused one", async () => {
    for (let n = 0; n < 3; n++) await register({ redirect_uris: [] });
    const answers = [];
    for (let n = 0; n < REGISTRATION.burst; n++) answers.push(await register({ redirect_uris: [URI] }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await register({ redirect_uris: [URI] });
    expectEmpty(refused, 429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(360);
  });

  it("is not there unless an administrator turned it on", async () => {
    provideEnv({ CLIENT_REGISTRATION: "" });
    expectEmpty(await register({ redirect_uris: [URI] }), 404);
    expectEmpty(await register({ redirect_uris: [] }), 404);
  });
});

describe("the connect page of a client that registered itself", () => {
  const words = {
    en: "registered itself. Almanac doesn’t know who runs it",
    de: "hat sich selbst bei Almanac registriert",
    fr: "s’est enregistrée elle-même",
    es: "se registró automáticamente",
    ja: "自動登録された",
  };

  it.each(Object.entries(words))("says so in %s, and where the user returns to", async (locale, text) => {
    const application = await registered();
    const { challenge } = newVerifier();
    const request = { redirect_uri: URI, code_challenge: challenge, code_challenge_method: "S256", locale };
    const page = await authorize(application, request);
    expect(page.text).toContain(text);
    expect(page.text).toContain("assistant.example");
    expect((await openForm(application, { ...request })).html).toContain(text);
  });

  it("is shown before anybody leaves for a provider, and then lets them go", async () => {
    provideEnv({ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" });
    const { challenge } = newVerifier();
    const s256 = { code_challenge: challenge, code_challenge_method: "S256" };
    const application = await registered();
    const page = await authorize(application, { redirect_uri: URI, provider_name: "google", ...s256 });
    expect(page.text).toContain(words.en);
    const onward = links(page).find((href) => href.includes("provider_name=google")) ?? "";
    const left = await call("GET", onward, { headers: { cookie: cookieOf(page) } });
    expect(returnedTo(left).searchParams.get("client_id")).toBe("id");
    const known = await newApplication();
    expect((await authorize(known, { provider_name: "google" })).status).toBe(302);
    expect((await authorize(known)).text).not.toContain(words.en);
  });
});

describe("clients that registered themselves and were never used", () => {
  const exists = async ({ clientId }: { clientId: string }) =>
    (await db().prisma.application.count({ where: { clientId } })) === 1;

  it("are removed after a day, others are kept", async () => {
    const [idle, used, fresh] = [await registered(), await registered(), await registered()];
    const known = await newApplication();
    const { accountId } = await connectAccount(used);
    await db().prisma.account.update({ where: { id: accountId }, data: { revokedAt: new Date() } });
    const old = { createdAt: new Date(Date.now() - DAY_MS - 60_000) };
    const clientId = { in: [idle.clientId, used.clientId, known.clientId] };
    await db().prisma.application.updateMany({ where: { clientId }, data: old });
    const chore = chores["erase-deleted-applications"];
    while (await chore?.work(db(), Date.now() as Instant, () => true));
    expect(await Promise.all([idle, used, fresh, known].map(exists))).toEqual([false, true, true, true]);
    expect(await db().prisma.deletedClientId.count({ where: { clientId: idle.clientId } })).toBe(0);
  });

  it("are marked for administrators", async () => {
    const { clientId } = await registered();
    const { id } = await db().prisma.application.findUniqueOrThrow({ where: { clientId } });
    const { api } = await newOperator("admin");
    expect(await api.applications.head({ id })).toMatchObject({ selfRegistered: true, publicClient: true });
  });
});
