import { expect, it } from "vitest";
import { ownDatabase } from "../api/own-database";
import { address } from "../api/service";
import { setSyncDue } from "../fakes/stored";
import { connectGooglePerson, google } from "./google-person";
import { day } from "./world";

ownDatabase(() => ({ LOG_LEVEL: "error" }));

const EMAIL = "ada@example.com";

it("a change is read as soon as Google notifies us of it, by two requests, and our own writes wake nobody for nothing", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  const hook = `${await address()}/hooks/google`;
  const { syncing } = person.loops({ hookUrl: () => hook });
  await setSyncDue(person.profileId, new Date());
  await syncing.drain(60_000);
  expect(provider.channels).toHaveLength(2);
  const calendarId = await person.calendarId(EMAIL);
  provider.requests.length = 0;
  const { primary } = provider.account(EMAIL);
  const at = (time: string) => ({ dateTime: `${day(2)}T${time}:00`, timeZone: "Europe/Berlin" });
  primary.putEvent({ summary: "Stand-up", start: at("10:00"), end: at("11:00") });
  await expect
    .poll(async () => {
      await syncing.drain(60_000);
      return (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
    })
    .toEqual(["Stand-up"]);
  expect(provider.requests.filter(({ path }) => path.startsWith("/calendar/v3")).length).toBeLessThanOrEqual(2);
  await syncing.stop();
});
