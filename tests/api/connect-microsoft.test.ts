import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type MicrosoftFake, startMicrosoft } from "../fakes/microsoft/microsoft";
import { authorize, CANCELLED, cookieOf, returnedTo } from "./connect-page";
import { applicationId, exchange, withToken } from "./grants";
import { ownDatabase } from "./own-database";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "./service";

const ADA = "ada@example.com";
const BOB = "bob@outlook.example";

let microsoft: MicrosoftFake;

beforeAll(async () => {
  const accounts = [
    { email: ADA, name: "Ada" },
    { email: BOB, name: "Bob", kind: "personal" as const },
    { email: "nobox@example.com", hasMailbox: false },
    { email: "asks@example.com", needsAdmin: true },
  ];
  const redirectUris = [`${env().APP_URL}/oauth/callback/microsoft`];
  microsoft = await startMicrosoft({ accounts, clients: [{ id: "almanac", secret: "hush", redirectUris }] });
});
afterAll(() => microsoft.close());
ownDatabase(() => ({
  ...{ MICROSOFT_CLIENT_ID: "almanac", MICROSOFT_CLIENT_SECRET: "hush", MICROSOFT_BASE_URL: microsoft.origin },
}));
beforeEach(async () => {
  Object.assign(microsoft.knobs, { consent: "given", wrongKind: "redirects", signedIn: ADA });
  microsoft.faults.clear();
  for (const email of [ADA, BOB]) microsoft.revokeConsent(email);
  await newProcessServices();
});

type Provider = "office365" | "live_connect";

/** Goes to Microsoft's page and comes back. */
async function connect(application: Application, provider_name: Provider, more = {}): Promise<ApiResponse> {
  const begun = await authorize(application, { provider_name, ...more });
  const page = await fetch(returnedTo(begun), { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  return await call("GET", back.pathname + back.search, { headers: { cookie: cookieOf(begun) } });
}

async function profilesOf(application: Application, response: ApiResponse) {
  const code = returnedTo(response).searchParams.get("code") ?? "";
  const { json } = await exchange(application, code);
  return (await withToken("GET", "/v1/profiles", json.access_token)).json.profiles;
}

/** The sentence of the page, in the words that its reader sees. */
function alertOf({ text }: ApiResponse): string {
  const [, alert = ""] = /role="alert"[^>]*>(.*?)<\/p>/s.exec(text) ?? [];
  return alert.replace(/<svg.*?<\/svg>|<[^>]+>/gs, "").trim();
}

async function nothingIsKept(application: Application): Promise<void> {
  const { prisma } = db();
  expect(await prisma.profile.count({ where: { applicationId: await applicationId(application) } })).toBe(0);
}

describe("what Microsoft is asked for", () => {
  it.each([
    [{}, "Calendars.ReadWrite"],
    [{ access: "read" }, "Calendars.Read"],
    [{ access: "free_busy" }, "Calendars.Read"],
  ])("is no more than %j needs", async (more, calendars) => {
    for (const provider_name of ["office365", "live_connect"] as const) {
      const begun = await authorize(await newApplication(), { provider_name, ...more });
      const scopes = returnedTo(begun).searchParams.get("scope")?.split(" ") ?? [];
      expect(scopes.filter((scope) => scope.startsWith("Calendars."))).toEqual([calendars]);
    }
  });

  it.each(["office365", "live_connect"] as const)(
    "is enough to connect, and leaves calendars read-only: %s",
    async (provider) => {
      microsoft.knobs.signedIn = provider === "office365" ? ADA : BOB;
      const application = await newApplication();
      for (const [more, isReadonly] of [
        [{ access: "read" }, true],
        [{}, false],
        [{ access: "free_busy" }, true],
      ] as const) {
        const [profile] = await profilesOf(application, await connect(application, provider, more));
        expect(profile.profile_calendars).toMatchObject([{ calendar_readonly: isReadonly }]);
      }
    },
  );
});

describe("a user whose account is not connected reads what to do", () => {
  it.each([
    [BOB, "office365", "Microsoft 365", "Outlook.com", "redirects"],
    [ADA, "live_connect", "Outlook.com", "Microsoft 365", "redirects"],
    [BOB, "office365", "Microsoft 365", "Outlook.com", "signs in"],
    [ADA, "live_connect", "Outlook.com", "Microsoft 365", "signs in"],
  ] as const)("as %s at %s, with the way to the other provider", async (signedIn, name, tried, other, wrongKind) => {
    const application = await newApplication();
    Object.assign(microsoft.knobs, { signedIn, wrongKind });
    const response = await connect(application, name);
    expect(alertOf(response)).toBe(
      `This account doesn’t belong to ${tried}. Nothing was connected. Connect it with ${other} instead. Continue with ${other}`,
    );
    const [, href = ""] = /<a href="([^"]+)">Continue with/.exec(response.text) ?? [];
    expect(new URLSearchParams(href.replaceAll("&amp;", "&").split("?")[1]).get("provider_name")).toBe(
      name === "office365" ? "live_connect" : "office365",
    );
    await nothingIsKept(application);
  });

  it.each([
    ["admin consent", /requires an administrator’s approval.*approve access in Microsoft 365/],
    ["not consented", /requires an administrator’s approval/],
    ["conditional access", /security policy blocked the Microsoft 365 sign-in/],
  ] as const)("when Microsoft says: %s", async (consent, sentence) => {
    const application = await newApplication();
    microsoft.knobs.consent = consent;
    expect(alertOf(await connect(application, "office365"))).toMatch(sentence);
    await nothingIsKept(application);
  });

  it("in an organization whose administrator has to agree", async () => {
    const application = await newApplication();
    microsoft.knobs.signedIn = "asks@example.com";
    expect(alertOf(await connect(application, "office365"))).toMatch(/Ask your administrator/);
    await nothingIsKept(application);
  });

  it("without a mailbox", async () => {
    const application = await newApplication();
    microsoft.knobs.signedIn = "nobox@example.com";
    expect(alertOf(await connect(application, "office365"))).toMatch(/has no Microsoft 365 mailbox/);
    await nothingIsKept(application);
  });

  it.each(["de", "es", "fr", "ja"])("in their own language: %s", async (locale) => {
    microsoft.knobs.signedIn = BOB;
    const english = /isn’t|Nothing was/;
    const said = alertOf(await connect(await newApplication(), "office365", { locale }));
    expect(said).toMatch(/Microsoft 365.*Outlook\.com.*Outlook\.com/);
    expect(said).not.toMatch(english);
    expect(said).not.toMatch(/[{}]/);
  });

  it.each(["serviceUnavailable", "internalServerError"] as const)(
    "when the code cannot be exchanged: %s",
    async (respond) => {
      microsoft.faults.next({ path: /\/token$/, respond });
      expect(alertOf(await connect(await newApplication(), "office365"))).toMatch(
        /Microsoft 365 isn’t responding right now/,
      );
    },
  );
});

describe("a user with a Microsoft account", () => {
  it("goes back to the application when they decline", async () => {
    microsoft.knobs.consent = "denied";
    expect(returnedTo(await connect(await newApplication(), "office365")).href).toBe(CANCELLED);
  });

  it.each([
    [ADA, "office365"],
    [BOB, "live_connect"],
  ] as const)("is connected: %s as %s, and is the same profile when they connect again", async (email, name) => {
    microsoft.knobs.signedIn = email;
    const application = await newApplication();
    const [first] = await profilesOf(application, await connect(application, name));
    expect(first).toMatchObject({ provider_name: name, profile_name: email, profile_connected: true });
    const [again, ...more] = await profilesOf(application, await connect(application, name));
    expect([again.profile_id, more]).toEqual([first.profile_id, []]);
  });

  it("sees both kinds of accounts on the connect page", async () => {
    const { text } = await authorize(await newApplication(), {});
    expect(text).toMatch(/Microsoft 365[\s\S]*Outlook\.com/);
  });
});
