import { beforeEach, expect, it } from "vitest";
import { env, provideEnv } from "@/server/env";
import { loopOf } from "@/server/jobs/work-kinds";
import { setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, google } from "./google-person";
import { asked } from "./google-scene";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const LIST_WATCH = "POST users/me/calendarList/watch";

beforeEach(() => {
  const { BASE_URL, GOOGLE_BASE_URL = "" } = env();
  return () => void provideEnv({ BASE_URL, GOOGLE_BASE_URL });
});

/** Ada's calendars, synced by the service as it is configured. No notice is sent: nobody listens at these addresses. */
async function syncedBy(configured: { BASE_URL: string; GOOGLE_BASE_URL: string }) {
  provideEnv(configured);
  const provider = await google();
  provider.notices.mode = "drop";
  const person = await connectGooglePerson(provider);
  await setSyncDue(person.profileId, new Date());
  await loopOf("sync").drain(60_000);
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
  return provider;
}

it.each([
  ["https, and Google is Google", { BASE_URL: "https://almanac.acme.io", GOOGLE_BASE_URL: "" }],
  ["https, and Google is a stand-in", { BASE_URL: "https://almanac.acme.io", GOOGLE_BASE_URL: "http://localhost:1" }],
  ["http, and Google is a stand-in", { BASE_URL: "http://localhost:3000", GOOGLE_BASE_URL: "http://localhost:1" }],
])("Google notifies us at our own address when that is %s", async (_, configured) => {
  const { channels } = await syncedBy(configured);
  const hook = `${configured.BASE_URL}/hooks/google`;
  expect(channels.map(({ address }) => address)).toEqual([hook, hook]);
});

it("Google is not asked for notices when our own address is http, which it refuses", async () => {
  const provider = await syncedBy({ BASE_URL: "http://localhost:3000", GOOGLE_BASE_URL: "" });
  expect(provider.channels).toEqual([]);
  expect(asked(provider)).not.toContain(LIST_WATCH);
});
