import { expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/google/account-state";
import { fileEnvironment } from "./file-environment";
import type { Google } from "./google-person";
import { ADA, asked, askedDuring, timed, watchedGoogle } from "./google-scene";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The usual interval here. */
const POLL_MS = 10 * MINUTE_MS;
const TEAM = "team@group";
const LIST = "GET users/me/calendarList";
const read = (calendarId: string) => `GET calendars/${calendarId}/events`;

const withTeam = { pollMs: POLL_MS, fill: (ada: AccountState) => void ada.addCalendar({ id: TEAM, summary: "Team" }) };

type KnownFault = "forbidden" | "notFound" | "serviceUnavailable";

/** No read of the calendar succeeds from now on. */
const fail = ({ faults }: Google, respond: KnownFault = "forbidden") =>
  faults.next({ method: "GET", path: /team@group\/events$/, respond, times: 9_999 });

it.each([
  ["may not be read any more", "forbidden", "calendar_failed"],
  ["is listed, but not found", "notFound", null],
  ["always fails", "serviceUnavailable", "down"],
] as const)(
  "a calendar that %s is tried again after longer and longer waits, and the others are not polled",
  async (_, respond, error) => {
    fakeClock();
    const scene = await watchedGoogle(withTeam);
    const { provider, person, calendar, noticed, summaries } = scene;
    fail(provider, respond);
    provider.calendar(TEAM).putEvent({ summary: "Theirs", ...timed(2) });
    await noticed();
    expect(asked(provider)).toEqual([read(TEAM)]);
    // 10, 20 and 40 minutes, then an hour each: with a tenth more or less 70 minutes after the first, and every hour from then on.
    expect(await askedDuring(scene, 80 * MINUTE_MS)).toEqual(Array(3).fill(read(TEAM)));
    expect(await askedDuring(scene, HOUR_MS)).toEqual([read(TEAM)]);
    provider.requests.length = 0;
    calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await noticed();
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(asked(provider)).toEqual([read(ADA)]);
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: error });
  },
);

it("a calendar that can be read again after failures is like any other", async () => {
  fakeClock();
  const scene = await watchedGoogle(withTeam);
  const { provider, person, noticed } = scene;
  fail(provider);
  provider.calendar(TEAM).putEvent({ summary: "Theirs", ...timed(2) });
  await noticed();
  await askedDuring(scene, HOUR_MS);
  provider.faults.clear();
  expect(await askedDuring(scene, HOUR_MS + 1_000)).toEqual([read(TEAM)]);
  expect(await person.events(await person.calendarId("Team"))).toMatchObject([{ summary: "Theirs" }]);
  expect(await person.profile()).toMatchObject({ sync_error: null, sync_failures: 0 });
  expect(Number((await person.profile()).due_in)).toBeGreaterThan(HOUR_MS / 1_000);
  fail(provider);
  provider.calendar(TEAM).putEvent({ summary: "Theirs again", ...timed(3) });
  await noticed();
  expect(await askedDuring(scene, 12 * MINUTE_MS)).toEqual([read(TEAM)]);
});

it("a calendar that fails from the beginning stops no first sync, and the account is not polled for it", async () => {
  fakeClock();
  const scene = await watchedGoogle({
    ...withTeam,
    fill: (ada, provider) => {
      withTeam.fill(ada);
      fail(provider);
    },
  });
  expect(await askedDuring(scene, 25 * MINUTE_MS)).toEqual(Array(2).fill(read(TEAM)));
  expect(await scene.person.profile()).toMatchObject({ initial_sync_required: false, sync_error: "calendar_failed" });
  const later = await askedDuring(scene, 4 * HOUR_MS);
  expect(new Set(later)).toEqual(new Set([read(TEAM)]));
  expect(later.length).toBeLessThanOrEqual(5);
  expect(await askedDuring(scene, 3 * HOUR_MS)).toContain(LIST);
});
