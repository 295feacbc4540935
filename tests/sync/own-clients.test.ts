import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { connectorOf } from "@/server/providers/connectors";
import { forgetBudgets, readBudgetFigures } from "@/server/store/mailboxes/provider-budgets";
import { pushes } from "@/server/sync/pushes";
import { workRevocations } from "@/server/sync/revocations";
import { syncs } from "@/server/sync/syncs";
import { basic } from "../api/availability";
import { authorize, cookieOf, returnedTo } from "../api/connect-page";
import { applicationId, exchange, withToken } from "../api/grants";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "../api/service";
import { auditOf, newOperator, type Operator, refusal } from "../api/staff/staff-caller";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { type MicrosoftFake, startMicrosoft } from "../fakes/microsoft/microsoft";
import { setSyncDue, storedSync } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { ours } from "./world";

const [OURS, OWN] = ["almanac", "acme-own"];
const PROVIDERS = ["google", "microsoft"] as const;
const names = { google: "google", microsoft: "office365" };
const redirect = (provider: string) => [`${env().APP_URL}/oauth/callback/${provider}`];
const clientsOf = (provider: string) => [
  { id: OURS, secret: "hush", redirectUris: redirect(provider) },
  { id: OWN, secret: "own-secret", redirectUris: redirect(provider) },
];

let google: GoogleFake;
let microsoft: MicrosoftFake;
let admin: Operator;
let clock: FakeClock;

beforeAll(async () => {
  google = await startGoogle({ clients: clientsOf("google"), knobs: { consent: "given" } });
  microsoft = await startMicrosoft({ clients: clientsOf("microsoft"), knobs: { consent: "given" } });
});
afterAll(() => Promise.all([google.close(), microsoft.close()]));
fileEnvironment(() => ({
  ...{ GOOGLE_CLIENT_ID: OURS, GOOGLE_CLIENT_SECRET: "hush", GOOGLE_BASE_URL: google.origin },
  ...{ MICROSOFT_CLIENT_ID: OURS, MICROSOFT_CLIENT_SECRET: "hush", MICROSOFT_BASE_URL: microsoft.origin },
  LOG_LEVEL: "error",
}));
beforeEach(async () => {
  admin = await newOperator("admin");
  clock = fakeClock();
  await db().prisma.profile.updateMany({ data: { connected: false } });
  await db().prisma.providerBudget.deleteMany();
  await db().prisma.providerPause.deleteMany();
  await db().prisma.providerRevocation.deleteMany();
  forgetBudgets();
  google.faults.clear();
  await newProcessServices();
});

type At = (typeof PROVIDERS)[number];
const fakeOf = (provider: At) => (provider === "google" ? google : microsoft);

const setClient = async (application: Application, provider: At, clientId = OWN, clientSecret = "own-secret") =>
  await admin.api.applications.setOauthClient({
    ...{ id: await applicationId(application), provider, clientId, clientSecret },
  });

/** A user connects on the connect page, and is asked for their consent in the name of the client that is returned. */
async function connect(application: Application, provider: At) {
  const answer = await authorize(application, { provider_name: names[provider] });
  return await comeBack(application, answer);
}

async function comeBack(application: Application, answer: ApiResponse) {
  const to = returnedTo(answer);
  const page = await fetch(to, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const connected = await call("GET", back.pathname + back.search, { headers: { cookie: cookieOf(answer) } });
  const { json } = await exchange(application, returnedTo(connected).searchParams.get("code") ?? "");
  const profileId: string = json.linking_profile.profile_id;
  return { client: to.searchParams.get("client_id"), profileId, token: json.access_token as string };
}

/** The clients that asked for tokens since the last look. */
function tokensFor(provider: At): (string | null)[] {
  const asked = fakeOf(provider).requests.filter(({ method, path }) => method === "POST" && /\/token$/.test(path));
  const clients = asked.map(({ body }) => new URLSearchParams(body).get("client_id"));
  fakeOf(provider).requests.length = 0;
  return clients;
}

async function sync(profileId: string): Promise<void> {
  await setSyncDue(profileId, new Date(clock.now() - 1_000));
  const loop = syncs({ db, connectorOf, pollMs: 60_000 });
  await loop.drain(60_000);
  await loop.stop();
}

/** The access token ends, and the profile is synced with a new one. */
async function syncAnew(provider: At, profileId: string) {
  await db().prisma.providerToken.updateMany({ where: { profileId }, data: { expiresAt: new Date(0) } });
  tokensFor(provider);
  await sync(profileId);
  return tokensFor(provider);
}

describe.each(PROVIDERS)("an application with its own client at %s", (provider) => {
  it("has its users consent to that, and reads and writes with it alone", async () => {
    const application = await newApplication();
    await setClient(application, provider);
    tokensFor(provider);
    const { client, profileId, token } = await connect(application, provider);
    expect([client, tokensFor(provider)]).toEqual([OWN, [OWN]]);
    expect(await syncAnew(provider, profileId)).toEqual([OWN]);
    expect(await syncAnew(provider, profileId)).toEqual([OWN]);
    expect(await storedSync(profileId)).toMatchObject({ syncFailures: 0, syncError: null });

    const { calendars } = (await withToken("GET", "/v1/calendars", token)).json;
    await withToken("POST", `/v1/calendars/${calendars[0].calendar_id}/events`, token, ours("review"));
    const pushing = pushes({ db, connectorOf });
    await pushing.drain(60_000);
    await pushing.stop();
    const isWritten = `SELECT external_id IS NOT NULL AS "isWritten" FROM events WHERE calendar_id = $1 AND event_id = 'review'`;
    expect(await db().query(isWritten, [calendars[0].calendar_id])).toEqual([{ isWritten: true }]);

    const others = await connect(await newApplication(), provider);
    expect(others.client).toBe(OURS);
    expect(await syncAnew(provider, others.profileId)).toEqual([OURS]);
  });

  it("keeps what it connected when the client is removed or replaced, and connects by the other from then on", async () => {
    const application = await newApplication();
    await setClient(application, provider);
    const { profileId } = await connect(application, provider);
    await admin.api.applications.removeOauthClient({ id: await applicationId(application), provider });
    expect(await syncAnew(provider, profileId)).toEqual([OWN]);
    expect(await connect(application, provider)).toMatchObject({ client: OURS, profileId });
    expect(await syncAnew(provider, profileId)).toEqual([OURS]);

    // A user who is at the provider meanwhile comes back to the client that they went with.
    const answer = await authorize(application, { provider_name: names[provider] });
    const { id } = await setClient(application, provider);
    tokensFor(provider);
    expect((await comeBack(application, answer)).profileId).toBe(profileId);
    expect(tokensFor(provider)).toEqual([OURS]);
    expect(await connect(application, provider)).toMatchObject({ client: OWN, profileId });
    expect(await setClient(application, provider)).toEqual({ id });
    expect(await syncAnew(provider, profileId)).toEqual([OWN]);
  });
});

describe("an application's own client", () => {
  it("imports the refresh tokens that were issued to it, and those alone", async () => {
    const [application, other] = [await newApplication(), await newApplication()];
    await setClient(application, "google");
    const way = connectorOf("google")?.signIn;
    if (way?.kind !== "oauth") throw new Error("no OAuth");
    const signIn = way.as({ clientId: OWN, clientSecret: "own-secret" });
    const [redirectUri = ""] = redirect("google");
    const { url, secret } = signIn.begin({ redirectUri, state: "s" });
    const page = new URL(url);
    page.searchParams.set("scope", "openid email profile https://www.googleapis.com/auth/calendar");
    const back = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "");
    const account = await signIn.finish({ redirectUri, query: back.searchParams, secret });
    if ("problem" in account) throw new Error(account.problem);
    const json = { provider_name: "google", refresh_token: account.credential };
    const imported = (to: Application) => call("POST", "/v1/profiles/import", { json, headers: basic(to) });
    expect((await imported(other)).status).toBe(422);
    const { status, text, json: answer } = await imported(application);
    expect(status, text).toBe(200);
    expect(await syncAnew("google", answer.linking_profile.profile_id)).toEqual([OWN]);
  });

  it("is stored only if the provider knows it, its secret is encrypted and never shown", async () => {
    const application = await newApplication();
    const id = await applicationId(application);
    expect(await refusal(setClient(application, "google", OWN, "wrong"))).toMatchObject({
      kind: "conflict",
      text: expect.stringMatching(/^Google refuses this client ID and secret \(invalid_client/),
    });
    expect(await refusal(setClient(application, "microsoft", "unknown"))).toMatchObject({
      text: expect.stringMatching(/^Microsoft refuses/),
    });
    expect(await refusal(setClient(application, "google", OURS, "hush"))).toMatchObject({
      text: "This is the client of the installation, which every application has.",
    });
    google.faults.next({ method: "POST", path: /token/, respond: "internal_failure" });
    expect(await refusal(setClient(application, "google"))).toMatchObject({
      text: expect.stringMatching(/^Google’s response doesn’t say whether they are right/),
    });
    expect(await refusal(setClient(application, "google", "  ", "own-secret"))).toMatchObject({ kind: "invalid" });
    expect(await db().prisma.oauthClient.count({ where: { applicationId: id } })).toBe(0);
    await setClient(application, "google");
    const { oauthClients } = await admin.api.applications.get({ id });
    expect(oauthClients).toEqual([{ provider: "google", clientId: OWN, createdAt: expect.any(String) }]);
    const stored = await db().prisma.oauthClient.findMany({ where: { applicationId: id } });
    expect(JSON.stringify(stored)).not.toContain("own-secret");
    await admin.api.applications.removeOauthClient({ id, provider: "google" });
    expect(await refusal(admin.api.applications.removeOauthClient({ id, provider: "google" }))).toMatchObject({
      kind: "not_found",
    });
    expect(await auditOf(id)).toMatchObject([
      { action: "oauth_client.set", detail: { provider: "google", client: OWN } },
      { action: "oauth_client.removed", detail: { provider: "google" } },
    ]);
  });

  it("has a quota of its own: what the provider refuses it for pauses its mailboxes alone, and the other way round", async () => {
    const [own, usual] = [await newApplication(), await newApplication()];
    await setClient(own, "google");
    const [ada, other] = [await connect(own, "google"), await connect(usual, "google")];
    await sync(ada.profileId);
    await sync(other.profileId);
    const budgets = async () =>
      (await db().prisma.providerBudget.findMany({ orderBy: { quota: "asc" } })).map(({ quota, share }) => ({
        quota: quota.slice(0, 6),
        share,
      }));

    google.faults.next({ method: "GET", path: /calendarList/, respond: "projectQuotaExceeded" });
    await sync(ada.profileId);
    expect(await budgets()).toContainEqual({ quota: expect.stringMatching(/^oac_/), share: 0.5 });
    expect(await budgets()).toContainEqual({ quota: "google", share: 1 });
    const figures = (await readBudgetFigures()).map(({ quota, applicationId, clientId, limit, allowed }) => ({
      ...{ quota, applicationId, clientId, isCut: allowed < limit },
    }));
    expect(figures.filter(({ quota }) => quota === "google")).toEqual([
      { quota: "google", applicationId: null, clientId: null, isCut: false },
      { quota: "google", applicationId: await applicationId(own), clientId: OWN, isCut: true },
    ]);
    expect(await db().prisma.providerPause.count()).toBe(0);
    google.requests.length = 0;
    await sync(ada.profileId);
    expect(google.requests).toEqual([]);
    await sync(other.profileId);
    expect(google.requests).not.toEqual([]);

    clock.advance(60_000);
    await setSyncDue(ada.profileId, new Date(clock.now() + 60_000));
    google.faults.next({ method: "GET", path: /calendarList/, respond: "projectQuotaExceeded" });
    await sync(other.profileId);
    expect(await budgets()).toContainEqual({ quota: "google", share: 0.5 });
    google.requests.length = 0;
    // The budget of the installation has room for a piece of work again, which this one then does not use.
    clock.advance(1_000);
    await sync(ada.profileId);
    expect(google.requests).not.toEqual([]);
  });

  it("ends the grant that it was given when the account is deleted", async () => {
    const application = await newApplication();
    await setClient(application, "google");
    const { token } = await connect(application, "google");
    google.requests.length = 0;
    const { sub } = (await withToken("GET", "/v1/userinfo", token)).json;
    expect(sub).toBeTruthy();
    await call("POST", "/oauth/token/revoke", {
      form: { client_id: application.clientId, client_secret: application.clientSecret, token },
    });
    clock.advance(60_000);
    await workRevocations(db(), connectorOf);
    const ended = google.requests.filter(({ path }) => /revoke/.test(path));
    expect(ended.map(({ status, body }) => [status, body.includes("client")])).toEqual([[200, false]]);
  });
});
