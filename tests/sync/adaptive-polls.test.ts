import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { setSyncDueNow, storedCalendars } from "../fakes/stored";
import { eventState } from "./caldav-pulls";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson } from "./oauth-person";
import { ours } from "./world";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const POLL_MS = 60_000;
const LONGEST_POLL_MS = 10 * 60_000;
/** What a slow machine takes between a poll and the look at when the next one is due. */
const SLOWNESS = 15;

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

let provider: OAuthCalendars;
beforeEach(async () => {
  provider = await startOAuthCalendars();
  provider.putCalendar("home");
  return provider.close;
});

/** Somebody whose provider sends no notices, polled with waits that chance leaves as they are. */
async function polled(more: { longestPollMs?: number } = { longestPollMs: LONGEST_POLL_MS }) {
  const person = await connectOAuthPerson(provider);
  const { syncing } = person.loops({ pollMs: POLL_MS, random: () => 0.5, ...more });
  onTestFinished(() => syncing.stop());
  /** Nothing has changed in any of the calendars for so many seconds. */
  const quietFor = async (seconds: number) => {
    const changedAt = new Date(Date.now() - seconds * 1_000);
    await db().prisma.calendar.updateMany({ where: { profileId: person.profileId }, data: { changedAt } });
  };
  /** The seconds until the next poll, after one that comes now. */
  const poll = async () => {
    await setSyncDueNow(person.profileId);
    await syncing.drain();
    return Number((await person.profile()).due_in);
  };
  await poll();
  return { person, quietFor, poll };
}

function expectAbout(seconds: number, wanted: number): void {
  expect(seconds).toBeLessThanOrEqual(wanted + SLOWNESS);
  expect(seconds).toBeGreaterThanOrEqual(wanted - SLOWNESS);
}

describe("the polls of a calendar account whose provider sends no notices", () => {
  it("come as often as configured while something changes, and ever more seldom while nothing does", async () => {
    const { quietFor, poll } = await polled();
    expectAbout(await poll(), MINUTE);
    await quietFor(12 * MINUTE);
    expectAbout(await poll(), MINUTE);
    await quietFor(HOUR);
    expectAbout(await poll(), 5 * MINUTE);
    await quietFor(10 * HOUR);
    expectAbout(await poll(), 10 * MINUTE);
  });

  it("come often again once the provider has a change in one of the calendars", async () => {
    const { quietFor, poll } = await polled();
    await quietFor(10 * HOUR);
    provider.put("standup", eventState(), { calendar: "home" });
    expectAbout(await poll(), MINUTE);
  });

  it("come often again once the application writes", async () => {
    const { person, quietFor, poll } = await polled();
    await quietFor(10 * HOUR);
    const calendarId = await person.calendarId("Work");
    expect((await person.post(`/v1/calendars/${calendarId}/events`, ours("one"))).status).toBe(202);
    expectAbout(await poll(), MINUTE);
  });

  it("come as often however quiet it is where no longer wait is configured", async () => {
    const { quietFor, poll } = await polled({});
    await quietFor(10 * HOUR);
    expectAbout(await poll(), MINUTE);
  });

  it("of a calendar that the provider does not notify us of, beside others, follow its own changes", async () => {
    const { person, quietFor, poll } = await polled();
    const due = async () =>
      (await storedCalendars(person.accountId))
        .map(({ pollDueAt }) => Math.round((Number(pollDueAt) - Date.now()) / 1_000))
        .sort((one, other) => one - other);
    await quietFor(HOUR);
    provider.putCalendar("work", { hasVersion: false });
    provider.putCalendar("home", { hasVersion: false });
    provider.put("standup", eventState(), { calendar: "home" });
    await poll();
    const [home = 0, work = 0] = await due();
    expectAbout(home, MINUTE);
    expectAbout(work, 5 * MINUTE);
  });
});
