import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/google/account-state";
import type { Channel } from "../fakes/google/channels";
import { latch } from "../fakes/latch";
import { setSyncDue, storedSync } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, askedDuring, BOB, timed, watchedGoogle } from "./google-scene";
import { ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The usual interval here. */
const POLL_MS = 10 * 60_000;
const LIST = "GET users/me/calendarList";
const read = (calendarId: string) => `GET calendars/${calendarId}/events`;
const watch = (calendarId: string) => `POST calendars/${calendarId}/events/watch`;

const open = (channels: Channel[]) => channels.filter(({ stopped }) => !stopped);
const headersOf = ({ id, token = "" }: Pick<Channel, "id" | "token">, state = "exists") => ({
  ...{ "x-goog-channel-id": id, "x-goog-channel-token": token, "x-goog-resource-state": state },
});

describe("a change at Google", () => {
  it("is found by the poll when its notice is lost", async () => {
    const { provider, calendar, poll, noticed, summaries } = await watchedGoogle();
    provider.notices.mode = "drop";
    calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await noticed();
    expect(await summaries()).toEqual([]);
    expect(provider.requests).toEqual([]);
    await poll();
    expect(await summaries()).toEqual(["Stand-up"]);
  });

  it("is read once when its notice comes three times", async () => {
    const { provider, calendar, noticed, summaries } = await watchedGoogle();
    provider.notices.copies = 3;
    calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await noticed();
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(provider.notices.sent.filter(({ state }) => state === "exists")).toHaveLength(3);
    expect(asked(provider)).toEqual([read(ADA)]);
  });

  it("is read once with the others when their notices come in another order", async () => {
    const { provider, ada, calendar, noticed, person } = await watchedGoogle({
      fill: (account) => void account.addCalendar({ id: "home@group", summary: "Home" }),
    });
    provider.notices.mode = "hold";
    const first = calendar.putEvent({ summary: "First", ...timed(2) });
    provider.calendar("home@group").putEvent({ summary: "At home", ...timed(2) });
    calendar.changeEvent(first, { summary: "First, renamed" });
    ada.changeEntry("home@group", { summaryOverride: "My home" });
    await provider.notices.release("reversed");
    await noticed();
    expect(await person.events(await person.calendarId(ADA))).toMatchObject([{ summary: "First, renamed" }]);
    expect(await person.events(await person.calendarId("My home"))).toMatchObject([{ summary: "At home" }]);
    expect(asked(provider).filter((one) => one === read(ADA))).toHaveLength(1);
  });
});

describe("a notice", () => {
  it("of a channel that was replaced has no effect, however late it comes", async () => {
    const clock = fakeClock();
    const { provider, calendar, hook, poll, noticed } = await watchedGoogle();
    const before = provider.channels.map((channel) => ({ ...channel }));
    clock.advance(4 * DAY_MS);
    await poll();
    expect(open(provider.channels)).toHaveLength(2);
    expect(open(provider.channels).filter(({ id }) => before.some((old) => old.id === id))).toEqual([]);
    provider.requests.length = 0;
    for (const old of before) await fetch(hook, { method: "POST", headers: headersOf(old) });
    await noticed();
    expect(provider.requests).toEqual([]);
    provider.notices.lingering = true;
    calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await noticed();
    expect(provider.notices.sent.filter(({ state }) => state === "exists")).toHaveLength(2);
    expect(asked(provider)).toEqual([read(ADA)]);
  });

  it("that is forged costs Google no request, and says nothing of which channels there are", async () => {
    const { provider, hook, noticed } = await watchedGoogle();
    const [channel] = provider.channels;
    if (!channel) throw new Error("nothing is watched");
    const forged = [
      headersOf({ id: channel.id, token: "guessed" }),
      headersOf({ id: "6b2c1a52-unknown", token: channel.token }),
      headersOf({ id: channel.id, token: undefined }),
      headersOf(channel, "sync"),
      {},
    ];
    const answers = await Promise.all(forged.map((headers) => fetch(hook, { method: "POST", headers })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await noticed();
    expect(provider.requests).toEqual([]);
  });

  it("of the list shows a calendar that was added, which is watched from then on", async () => {
    const { provider, ada, noticed, person } = await watchedGoogle();
    ada.addCalendar({ id: "home@group", summary: "Home" });
    const { noticedAt: before } = await storedSync(person.profileId);
    await noticed();
    expect((await storedSync(person.profileId)).noticedAt?.getTime()).toBeGreaterThan(before?.getTime() ?? 0);
    provider.calendar("home@group").putEvent({ summary: "At home", ...timed(2) });
    await noticed();
    expect(await person.events(await person.calendarId("Home"))).toMatchObject([{ summary: "At home" }]);
    expect(asked(provider).filter((one) => one === watch("home@group"))).toHaveLength(1);
  });
});

describe("a calendar that leaves the list", () => {
  const home = "home@group";
  const withHome = { fill: (ada: AccountState) => void ada.addCalendar({ id: home, summary: "Home" }) };
  const watching = (channels: Channel[]) => open(channels).map(({ watched }) => watched);

  it.each([
    ["as the user unsubscribes", (ada: AccountState) => ada.unsubscribe(home)],
    ["as it is deleted", (ada: AccountState) => ada.removeCalendar(home)],
  ])("%s has its channel stopped, and no other", async (_, leave) => {
    const { provider, ada, noticed } = await watchedGoogle(withHome);
    expect(watching(provider.channels)).toContain(`events ${home}`);
    leave(ada);
    await noticed();
    expect(asked(provider).filter((one) => one === "POST channels/stop")).toHaveLength(1);
    expect(watching(provider.channels).sort()).toEqual([`events ${ADA}`, expect.stringMatching(/^list /)]);
  });

  it("has its channel stopped at the next poll when Google could not do it at once", async () => {
    const { provider, ada, noticed, poll } = await watchedGoogle(withHome);
    provider.faults.next({ path: /channels\/stop$/, respond: "backendError" });
    ada.unsubscribe(home);
    await noticed();
    expect(watching(provider.channels)).toContain(`events ${home}`);
    await poll();
    expect(watching(provider.channels)).not.toContain(`events ${home}`);
    provider.requests.length = 0;
    await poll();
    expect(asked(provider)).not.toContain("POST channels/stop");
  });

  it("is watched again by a channel of its own when it comes back", async () => {
    const { provider, ada, noticed, person } = await watchedGoogle(withHome);
    ada.unsubscribe(home);
    await noticed();
    ada.subscribe(home);
    await noticed();
    expect(watching(provider.channels).filter((one) => one === `events ${home}`)).toHaveLength(1);
    provider.calendar(home).putEvent({ summary: "At home", ...timed(2) });
    await noticed();
    expect(await person.events(await person.calendarId("Home"))).toMatchObject([{ summary: "At home" }]);
  });
});

describe("a calendar that Google does not notify us of", () => {
  const holidays = "de.german#holiday@group.v.calendar.google.com";
  const withHolidays = {
    accounts: [{ email: ADA }, { email: BOB }],
    fill: (ada: AccountState) =>
      void ada.addSharedCalendar({
        ...{ id: holidays, summary: "Holidays", owner: BOB, accessRole: "reader", isGenerated: true },
      }),
  };

  it("is read at the usual interval, and the others and the list every six hours", async () => {
    fakeClock();
    const refused = "team@group";
    const scene = await watchedGoogle({
      pollMs: POLL_MS,
      accounts: [{ email: ADA }, { email: BOB }],
      fill: (ada, { faults }) => {
        ada.addSharedCalendar({ id: refused, summary: "Team", owner: BOB, accessRole: "reader" });
        faults.next({ path: /team@group\/events\/watch$/, respond: "forbidden", times: 99 });
      },
    });
    scene.provider.calendar(refused).putEvent({ summary: "Theirs", ...timed(2) });
    const during = await askedDuring(scene, 2 * HOUR_MS);
    expect(await scene.person.events(await scene.person.calendarId("Team"))).toMatchObject([{ summary: "Theirs" }]);
    expect(new Set(during)).toEqual(new Set([read(refused)]));
    expect(during.length).toBeGreaterThanOrEqual(10);
    expect(during.length).toBeLessThanOrEqual(13);
    const later = await askedDuring(scene, 6 * HOUR_MS);
    for (const one of [LIST, read(ADA)]) expect(later.filter((each) => each === one)).toHaveLength(1);
    expect(later.filter((one) => one === watch(refused)).length).toBeLessThanOrEqual(1);
  });

  it("because Google generates it is not asked about again for days", async () => {
    fakeClock();
    const scene = await watchedGoogle({ pollMs: POLL_MS, ...withHolidays });
    const { provider, person } = scene;
    expect(Math.abs(Number((await person.profile()).due_in) - POLL_MS / 1_000)).toBeLessThanOrEqual(POLL_MS / 10_000);
    expect(provider.channels).toHaveLength(2);
    expect(new Set(await askedDuring(scene, 2 * POLL_MS))).toEqual(new Set([read(holidays)]));
    const aDay = await askedDuring(scene, DAY_MS);
    expect(aDay.filter((one) => one === watch(holidays))).toEqual([]);
    expect(aDay.filter((one) => one === LIST).length).toBeLessThanOrEqual(5);
    expect(open(provider.channels)).toHaveLength(2);
  });

  it("costs nothing more when another calendar changes", async () => {
    const { provider, calendar, noticed } = await watchedGoogle(withHolidays);
    calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await noticed();
    expect(asked(provider)).toEqual([read(ADA)]);
  });
});

it("a change that is read while the application writes its event is not left for hours when the next notice is lost", async () => {
  const { provider, person, calendar, calendarId, syncing, noticed } = await watchedGoogle({ knobs: { pageSize: 1 } });
  const write = (more: object = {}) => person.post(`/v1/calendars/${calendarId}/events`, ours("one", more));
  await write();
  await person.push();
  await noticed();
  const slow = latch();
  provider.faults.next({ path: /\/events$/, query: { pageToken: /./ }, until: slow.opened });
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { location: "Room 1" });
  calendar.putEvent({ summary: "Theirs", ...timed(8) });
  await provider.notices.settled();
  const reading = syncing.drain(60_000);
  await expect.poll(() => provider.faults.left()).toBe(0);
  provider.notices.mode = "drop";
  await write({ summary: "Renamed" });
  await person.push();
  slow.open();
  await reading;
  expect(Number((await person.profile()).due_in)).toBeLessThanOrEqual(66);
  provider.requests.length = 0;
  await setSyncDue(person.profileId, new Date());
  await syncing.drain(60_000);
  expect(asked(provider)).toEqual([read(ADA), read(ADA)]);
  expect(Number((await person.profile()).due_in)).toBeGreaterThan(HOUR_MS / 1_000);
});

it("an account that Google notifies us of costs no requests but its renewals", async () => {
  const clock = fakeClock();
  const { provider, person, syncing } = await watchedGoogle();
  const end = clock.now() + DAY_MS;
  while (clock.now() < end) {
    clock.advance(Number((await person.profile()).due_in) * 1_000 + 1);
    await syncing.drain(60_000);
  }
  const polls = asked(provider).filter((one) => one === LIST);
  expect(polls.length).toBeLessThanOrEqual(5);
  expect(asked(provider)).toHaveLength(2 * polls.length);
});
