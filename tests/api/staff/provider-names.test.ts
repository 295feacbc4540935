import { beforeAll, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { changeProfile } from "../../fakes/stored";
import { applicationId, connectAccount } from "../grants";
import { type Application, newApplication } from "../service";
import { newOperator as newPerson, signedInBrowser } from "./browser";
import { newOperator, type Operator } from "./staff-caller";

let admin: Operator;
let application: Application;
let id: string;

beforeAll(async () => {
  application = await newApplication();
  id = await applicationId(application);
  admin = await newOperator("admin");
  const server = { name: "Harbor Cloud", url: "https://dav.harbor.io/remote.php/dav", help: "" };
  await admin.api.applications.addCaldavServer({ id, ...server });
});

/** What the account's panel and its timeline call the provider of its only profile. */
async function labels(profile: Parameters<typeof changeProfile>[1]) {
  const { accountId, profileId } = await connectAccount(application);
  await changeProfile(profileId, profile);
  const [panel, timeline] = [
    await admin.api.accounts.get({ id: accountId }),
    await admin.api.accounts.timeline({ id: accountId }),
  ];
  return [...panel.profiles, ...timeline.profiles].map(({ providerLabel }) => providerLabel);
}

const atServer = (subject: string) => ({ provider: "caldav" as const, service: "caldav" as const, subject });

it("a CalDAV server has the application's name for it, or its host, and never iCloud's", async () => {
  const named = atServer("https://dav.harbor.io/principals/ada/");
  expect(await labels(named)).toEqual(["Harbor Cloud", "Harbor Cloud"]);
  expect(await labels(atServer("https://dav.other.io/ada/"))).toEqual(["dav.other.io", "dav.other.io"]);
  expect(await labels({ provider: "icloud", service: "icloud" })).toEqual(["iCloud", "iCloud"]);
});

it("the server in iCloud's place has the operator's name for it, or its host", async () => {
  provideEnv({ ICLOUD_CALDAV_URL: "https://cloud.acme.io/dav" });
  const icloud = { provider: "icloud" as const, service: "icloud" as const };
  expect(await labels(icloud)).toEqual(["cloud.acme.io", "cloud.acme.io"]);
  provideEnv({ ICLOUD_CALDAV_URL: "https://cloud.acme.io/dav", ICLOUD_CALDAV_NAME: "Acme Cloud" });
  expect(await labels(icloud)).toEqual(["Acme Cloud", "Acme Cloud"]);

  const browser = await signedInBrowser(await newPerson({ role: "support" }));
  const { text } = await browser.get(`/api/branding?application=${id}`, { "sec-fetch-site": "same-origin" });
  expect(text).toContain("<bdi>Acme Cloud</bdi>");
  expect(text).toContain("<bdi>Harbor Cloud</bdi>");
  expect(text).not.toContain("iCloud");
});
