import { beforeEach, expect, it } from "vitest";
import { env, provideEnv } from "@/server/env";
import { loopOf } from "@/server/jobs/work-kinds";
import { setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectMicrosoftPerson, microsoft } from "./microsoft-person";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

beforeEach(() => {
  const { BASE_URL, MICROSOFT_BASE_URL = "" } = env();
  return () => void provideEnv({ BASE_URL, MICROSOFT_BASE_URL });
});

/** The addresses that Microsoft is asked to notify by the service as it is configured. Nobody listens there, so each one is refused. */
async function addressesAsked(configured: { BASE_URL: string; MICROSOFT_BASE_URL: string }) {
  provideEnv(configured);
  const fake = await microsoft({ knobs: { noticeTimeout: 100 } });
  const person = await connectMicrosoftPerson(fake);
  await setSyncDue(person.profileId, new Date());
  await loopOf("sync").drain(60_000);
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
  const posts = fake.requests.filter(({ method, path }) => method === "POST" && path === "/v1.0/subscriptions");
  return posts.map(({ body }) => {
    const { notificationUrl, lifecycleNotificationUrl } = JSON.parse(body);
    return { notificationUrl, lifecycleNotificationUrl };
  });
}

it.each([
  ["https", { BASE_URL: "https://localhost:1", MICROSOFT_BASE_URL: "" }],
  ["http, and Microsoft is a stand-in", { BASE_URL: "http://localhost:1", MICROSOFT_BASE_URL: "http://localhost:2" }],
])("Microsoft is asked to notify our own address when that is %s", async (_, configured) => {
  const hook = `${configured.BASE_URL}/hooks/microsoft`;
  expect(await addressesAsked(configured)).toEqual([{ notificationUrl: hook, lifecycleNotificationUrl: hook }]);
});

it("Microsoft is not asked for notices when our own address is http, which it refuses", async () => {
  expect(await addressesAsked({ BASE_URL: "http://localhost:1", MICROSOFT_BASE_URL: "" })).toEqual([]);
});
