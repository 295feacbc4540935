import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { connectorOf } from "@/server/providers/connectors";
import { workRevocations } from "@/server/sync/revocations";
import { authorize, cookieOf, returnedTo } from "../api/connect-page";
import { exchange } from "../api/grants";
import { type Application, call, newApplication, newProcessServices } from "../api/service";
import { fakeClock } from "../fakes/clock";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { fileEnvironment } from "./file-environment";
import { ADA, BOB } from "./google-scene";

let google: GoogleFake;
beforeAll(async () => {
  const redirectUris = [`${env().APP_URL}/oauth/callback/google`];
  const accounts = [{ email: ADA }, { email: BOB }];
  google = await startGoogle({ accounts, clients: [{ id: "almanac", secret: "hush", redirectUris }] });
});
afterAll(() => google.close());
fileEnvironment(() => ({ GOOGLE_CLIENT_ID: "almanac", GOOGLE_CLIENT_SECRET: "hush", GOOGLE_BASE_URL: google.origin }));
beforeEach(async () => {
  google.knobs.signedIn = ADA;
  await newProcessServices();
});

/** Goes to Google's page, consents to this, and comes back. */
async function signIn(application: Application, consent: "given" | "without calendar scopes") {
  google.knobs.consent = consent;
  const begun = await authorize(application, { provider_name: "google" });
  const page = await fetch(returnedTo(begun), { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  return await call("GET", back.pathname + back.search, { headers: { cookie: cookieOf(begun) } });
}

async function connect(application: Application): Promise<void> {
  const code = returnedTo(await signIn(application, "given")).searchParams.get("code") ?? "";
  expect((await exchange(application, code)).status).toBe(200);
}

/** What is revoked at Google once nobody can come back to the page any more. */
async function revokedAfterAnHour(): Promise<number> {
  fakeClock(Date.now() + 3_600_000);
  google.requests.length = 0;
  await workRevocations(db(), connectorOf);
  return google.requests.filter(({ path, status }) => path === "/revoke" && status === 200).length;
}

describe("a user who leaves the boxes of the calendars empty", () => {
  it("is not connected, and our access to their account ends", async () => {
    const { text } = await signIn(await newApplication(), "without calendar scopes");
    expect(text).toMatch(/didn’t allow access to your Google calendars/);
    expect(await revokedAfterAnHour()).toBe(1);
  });

  it("and ticks them the second time stays connected", async () => {
    const application = await newApplication();
    await signIn(application, "without calendar scopes");
    await connect(application);
    expect(await revokedAfterAnHour()).toBe(0);
    expect(await db().prisma.providerRevocation.count()).toBe(0);
  });

  it("loses nothing that another application has of them", async () => {
    google.knobs.signedIn = BOB;
    await connect(await newApplication());
    await signIn(await newApplication(), "without calendar scopes");
    expect(await revokedAfterAnHour()).toBe(0);
  });
});
