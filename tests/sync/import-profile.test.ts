import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideConnector } from "@/server/providers/connectors";
import { basic } from "../api/availability";
import { withToken } from "../api/grants";
import { type Application, call, newApplication, openCalendar } from "../api/service";
import { connectGooglePerson, google } from "./google-person";
import { microsoft } from "./microsoft-person";

const CALENDAR = "https://www.googleapis.com/auth/calendar";

const importing = (application: Application, body: object, headers = basic(application)) =>
  call("POST", "/v1/profiles/import", { json: body, headers });

/** Google, as Almanac is configured with it, and the refresh token that Ada gave the same client elsewhere. */
async function atGoogle(scopes = `openid email profile ${CALENDAR}`) {
  const fake = await google();
  provideConnector("google", fake.connector);
  onTestFinished(() => provideConnector("google", null));
  const redirectUri = fake.client.redirectUris[0] ?? "";
  const { url, secret } = fake.connector.signIn.begin({ redirectUri, state: "s" });
  const page = new URL(url);
  page.searchParams.set("scope", scopes);
  const back = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "");
  const form = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: back.searchParams.get("code") ?? "", redirect_uri: redirectUri },
    ...{ client_id: fake.client.id, client_secret: fake.client.secret, code_verifier: JSON.parse(secret).verifier },
  });
  const { refresh_token } = await (await fetch(`${fake.origin}/token`, { method: "POST", body: form })).json();
  return { fake, refresh_token: refresh_token as string };
}

async function atMicrosoft() {
  const fake = await microsoft();
  provideConnector("microsoft", fake.connector);
  onTestFinished(() => provideConnector("microsoft", null));
  const redirectUri = fake.client.redirectUris[0] ?? "";
  const { url, secret } = fake.connector.signIn.begin({ redirectUri, state: "s" });
  const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "");
  const signedIn = await fake.connector.signIn.finish({ redirectUri, query: back.searchParams, secret });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  return { fake, refresh_token: signedIn.credential };
}

const count = () => db().prisma.profile.count();

describe("an imported refresh token", () => {
  it("connects the account as the exchange of a code does, and a second time the same one", async () => {
    const application = await newApplication();
    const { refresh_token } = await atGoogle();
    const first = await importing(application, { provider_name: "google", refresh_token });
    expect(first.status, first.text).toBe(200);
    expect(first.json).toMatchObject({
      ...{ token_type: "bearer", access_token: expect.any(String), refresh_token: expect.any(String) },
      ...{ sub: expect.any(String), linking_profile: { provider_name: "google", profile_name: "ada@example.com" } },
    });
    const { calendars } = (await withToken("GET", "/v1/calendars", first.json.access_token)).json;
    expect(calendars.length).toBeGreaterThan(0);
    const again = await importing(application, { provider_name: "google", refresh_token });
    expect([again.json.sub, again.json.linking_profile]).toEqual([first.json.sub, first.json.linking_profile]);
    const other = await importing(await newApplication(), { provider_name: "google", refresh_token });
    expect(other.json.sub).not.toBe(first.json.sub);
  });

  it("joins the account that sub names, unless another has it or it is not the application's", async () => {
    const application = await newApplication();
    const ada = await openCalendar(application);
    const { refresh_token } = await atGoogle();
    const body = { provider_name: "google", refresh_token };
    const joined = await importing(application, { ...body, sub: ada.accountId });
    expect(joined.json.sub).toBe(ada.accountId);
    const [other, stranger] = [await openCalendar(application), await openCalendar()];
    for (const sub of [other.accountId, stranger.accountId, "acc_unknown"]) {
      const { status, json } = await importing(application, { ...body, sub });
      expect([status, Object.keys(json.errors ?? {})]).toEqual([422, ["sub"]]);
    }
  });

  it("leaves a profile what its user agreed to on the connect page", async () => {
    const application = await newApplication();
    const { fake, refresh_token } = await atGoogle();
    const ada = await connectGooglePerson(fake, application, "free_busy");
    const agreed = () =>
      db().prisma.profile.findUniqueOrThrow({
        where: { id: ada.profileId },
        select: { accountId: true, access: true, foreignEdits: true },
      });
    const before = await agreed();
    expect(before).toMatchObject({ access: "free_busy", foreignEdits: true });
    const { status, json } = await importing(application, { provider_name: "google", refresh_token });
    expect([status, json.sub]).toEqual([200, ada.accountId]);
    expect(await agreed()).toEqual(before);
  });

  it("works for Microsoft, whose tokens are longer", async () => {
    const application = await newApplication();
    const { refresh_token } = await atMicrosoft();
    expect(refresh_token.length).toBeGreaterThan(1_000);
    const { status, json } = await importing(application, { provider_name: "office365", refresh_token });
    expect([status, json.linking_profile?.profile_name]).toEqual([200, "ada@example.com"]);
    const refused = await importing(application, { provider_name: "office365", refresh_token: "wrong" });
    expect([refused.status, Object.keys(refused.json.errors ?? {})]).toEqual([422, ["refresh_token"]]);
  });

  it("is refused with what is wrong with it, and nothing is stored", async () => {
    const application = await newApplication();
    const { fake, refresh_token } = await atGoogle();
    const before = await count();
    const faults = async (body: object) => {
      const { status, json } = await importing(application, body);
      const [[field, [issue]] = ["", [{ description: "" }]]] = Object.entries(json.errors ?? {}) as [
        string,
        { description: string }[],
      ][];
      return [status, field, issue?.description];
    };
    const provider_name = "google";
    expect(await faults({ provider_name, refresh_token: "1//wrong" })).toEqual([
      422,
      "refresh_token",
      expect.stringContaining("expired, was revoked"),
    ]);
    expect(await faults({ provider_name: "icloud", refresh_token })).toEqual([422, "provider_name", expect.anything()]);
    expect(await faults({ provider_name: "myspace", refresh_token })).toEqual([
      422,
      "provider_name",
      expect.anything(),
    ]);
    expect(await faults({ provider_name })).toEqual([422, "refresh_token", expect.stringContaining("required")]);
    fake.faults.next({ path: /^\/token$/, respond: "serviceUnavailable" } as never);
    const { status, headers } = await importing(application, { provider_name, refresh_token });
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await count()).toBe(before);
    expect((await importing(application, { provider_name, refresh_token })).status).toBe(200);
  });

  it.each(["openid email", CALENDAR])("has to allow enough and say whose it is: %s", async (scopes) => {
    const application = await newApplication();
    const { refresh_token } = await atGoogle(scopes);
    const { status, json } = await importing(application, { provider_name: "google", refresh_token });
    expect([status, json.errors?.refresh_token?.[0].description]).toEqual([
      422,
      expect.stringContaining("does not allow enough"),
    ]);
  });

  it("takes the application's credentials and no others", async () => {
    const application = await newApplication();
    const { accessToken } = await openCalendar(application);
    const body = { provider_name: "google", refresh_token: "x" };
    for (const headers of [
      {},
      { authorization: `Bearer ${accessToken}` },
      basic({ ...application, clientSecret: "wrong" }),
    ] as Record<string, string>[])
      expect((await importing(application, body, headers as ReturnType<typeof basic>)).status).toBe(401);
  });
});
