import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { fakeClock } from "../fakes/clock";
import { type MicrosoftRequest, microsoftRefusal, notMicrosofts } from "../fakes/microsoft/refusals";
import { fileEnvironment } from "./file-environment";
import { connectMicrosoftPerson, microsoft } from "./microsoft-person";
import { ADA, asked, CALENDAR, syncedMicrosoft, timed, watchedMicrosoft } from "./microsoft-scene";
import { day, ours, POLL_MS } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "fatal" }));

const HOUR_MS = 3_600_000;

it("a grant that was revoked is noticed by a notice, and the profile is disconnected half a minute later", async () => {
  const clock = fakeClock();
  const { fake, person, calendar, noticed, syncing } = await watchedMicrosoft();
  fake.revokeConsent(ADA);
  calendar.putEvent({ subject: "Unseen", ...timed(2) });
  await noticed();
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "credentials_rejected" });
  clock.advance(31_000);
  await syncing.drain(60_000);
  expect(await person.profile()).toMatchObject({ connected: false });
  expect(fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(2);
});

it.each([
  [401, "ExtensionError"],
  [403, "ExtensionError"],
  [400, "ValidationError"],
  [400, "InvalidRequest"],
  [403, "ErrorAccessDenied"],
  [401, "InvalidAuthenticationToken"],
])(
  "a refused subscription (%i %s) disconnects nobody: the calendar is polled, and it is asked for again",
  async (status, word) => {
    const clock = fakeClock();
    const refuse = microsoftRefusal("open_watch", status, word);
    const scene = await watchedMicrosoft({
      pollMs: POLL_MS,
      fill: (_, { faults }) => faults.next({ ...refuse, times: 9 }),
    });
    const { fake, person, calendar, syncing, summaries } = scene;
    const pass = async (ms: number) => {
      clock.advance(ms);
      fake.advance(ms);
      await syncing.drain(60_000);
    };
    calendar.putEvent({ subject: "Stand-up", ...timed(2) });
    for (let polls = 0; polls < 4; polls += 1) await pass(1.2 * POLL_MS);
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(asked(fake).filter((one) => one === "POST subscriptions")).toEqual([]);
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
    const watches = () => db().prisma.providerWatch.findMany({ where: { profileId: person.profileId } });
    expect((await watches()).map(({ refusedFor }) => refusedFor)).toContain(`http_${status}_${word}`);
    fake.faults.clear();
    await pass(HOUR_MS);
    expect(fake.subscriptions.active()).toHaveLength(1);
    expect((await watches()).map(({ refusedFor }) => refusedFor)).toEqual([null, null]);
  },
);

describe("an accepted write", () => {
  const kinds: readonly [MicrosoftRequest, object][] = [
    ["create_event", {}],
    ["change_event", { summary: "Renamed" }],
  ];
  const pages = [400, 403, 404, 409, 413].flatMap((status) =>
    kinds.map(([kind, more]) => [status, kind, null, more] as const),
  );
  const moved = ["MailboxNotEnabledForRESTAPI", "ErrorMailboxMoveInProgress", "ErrorMailboxStoreUnavailable"].flatMap(
    (word) =>
      kinds.map(([kind, more]) => [word === "MailboxNotEnabledForRESTAPI" ? 404 : 400, kind, word, more] as const),
  );

  it.each([...pages, ...moved])("is not lost to %i at %s with %s", async (status, kind, word, more) => {
    const { fake, person, path, calendar, summaries } = await syncedMicrosoft();
    if (kind === "change_event") {
      await person.post(path, ours("one"));
      await person.push();
    }
    fake.faults.next(word === null ? notMicrosofts(kind, status) : microsoftRefusal(kind, status, word));
    await person.post(path, ours("one", more));
    await person.push();
    await person.sync();
    await person.push();
    const summary = "summary" in more ? "Renamed" : "Ours one";
    expect(calendar.events().map(({ subject }) => subject)).toEqual([summary]);
    expect(await summaries()).toEqual([summary]);
  });

  it("that is a deletion is not lost while the mailbox is moved", async () => {
    const { fake, person, path, calendar } = await syncedMicrosoft();
    await person.post(path, ours("one"));
    await person.push();
    await person.remove(path, { event_id: "one" });
    fake.faults.next(microsoftRefusal("delete_event", 404, "MailboxNotEnabledForRESTAPI"));
    await person.push();
    expect(calendar.events()).toHaveLength(1);
    await person.push();
    expect(calendar.events()).toEqual([]);
  });
});

it("a mailbox that is moved loses nothing that was read from it", async () => {
  const { fake, person, calendar, summaries } = await syncedMicrosoft();
  calendar.putEvent({ subject: "Known", ...timed(2) });
  await person.sync();
  fake.faults.next({ ...microsoftRefusal("list_calendars", 404, "MailboxNotEnabledForRESTAPI"), times: 2 });
  for (let syncs = 0; syncs < 2; syncs += 1) await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "no_mailbox" });
  expect(await summaries()).toEqual(["Known"]);
  await person.sync();
  expect(await person.profile()).toMatchObject({ sync_error: null });
});

describe("a second version of an event whose first response was lost", () => {
  it.each([
    [400, "the id"],
    [409, "the id"],
    [400, "no id"],
    [412, "no id"],
  ])("arrives although Graph says %i, with %s of the first", async (status, named) => {
    const { fake, person, path, calendar } = await syncedMicrosoft();
    const create = { method: "POST", path: /\/events$/ };
    fake.faults.next({ ...create, breakConnection: true, afterWork: true });
    await person.post(path, ours("one"));
    await person.push();
    const [first] = calendar.events();
    const code = "ErrorDuplicateTransactionId";
    const existing = named === "the id" ? { innerError: { existingEventId: first?.id } } : {};
    fake.faults.next({
      ...create,
      respond: { status, body: { error: { code, message: "Used before.", ...existing } } },
    });
    await person.post(path, ours("one", { summary: "Second version" }));
    await person.push();
    await person.sync();
    expect(calendar.events().map(({ subject }) => subject)).toEqual(["Second version"]);
    expect(await person.events(await person.calendarId(CALENDAR))).toMatchObject([{ summary: "Second version" }]);
    expect(await db().prisma.providerWrite.count({ where: { profileId: person.profileId } })).toBe(0);
  });
});

describe("a delta token that Graph refuses", () => {
  it.each([
    [404, "syncStateNotFound"],
    [404, "ErrorSomethingElse"],
    [400, "SyncStateInvalid"],
    [410, "resyncRequired"],
    [409, "resyncChangesApplyDifferences"],
  ])("(%i %s) has the calendar read again in full, in the same sync", async (status, word) => {
    const { fake, person, calendar, summaries } = await syncedMicrosoft();
    calendar.putEvent({ subject: "Stand-up", ...timed(2) });
    fake.faults.next(microsoftRefusal("list_event_changes", status, word));
    await person.sync();
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(await person.profile()).toMatchObject({ sync_error: null });
  });

  it("is not silent if the calendar, which is listed, is said to be gone", async () => {
    const { fake, person } = await syncedMicrosoft();
    fake.faults.next({ ...microsoftRefusal("list_event_changes", 404, "ErrorItemNotFound"), times: 9 });
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "gone" });
  });
});

it("a first read ends although Graph refuses to list by our property, and finds the application's events", async () => {
  const { fake, person, path, calendar, calendarId } = await syncedMicrosoft();
  await person.post(path, ours("one", { url: "https://a.example/x" }));
  await person.push();
  calendar.putEvent({ subject: "Theirs", ...timed(3) });
  calendar.expireDeltaTokens();
  const list = { method: "GET", path: /\/events$/, query: { $filter: /singleValueExtendedProperties/ } };
  const body = {
    error: { code: "ErrorInvalidUrlQueryFilter", message: "The query filter contains one or more invalid nodes." },
  };
  fake.faults.next({ ...list, respond: { status: 400, body }, times: 9 });
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { subject: "Renamed by them" });
  await person.sync();
  expect(await person.profile()).toMatchObject({ sync_error: null });
  expect(await person.events(calendarId)).toMatchObject([
    { summary: "Renamed by them", event_id: "one", url: "https://a.example/x" },
    { summary: "Theirs" },
  ]);
});

it("events that have our property are asked for in the way that is known to work", async () => {
  const { fake, person, calendar } = await syncedMicrosoft();
  calendar.expireDeltaTokens();
  await person.sync();
  const filters = fake.requests.flatMap(({ query }) => query.$filter ?? []);
  expect(filters).toEqual([expect.stringMatching(/^singleValueExtendedProperties\/any\(.+ and ep\/value ne null\)$/)]);
});

describe("the account of a Microsoft user", () => {
  it("has the user's own name, and the time zone of their mailbox", async () => {
    const accounts = [{ email: ADA, name: "Ada Lovelace", timeZone: "Tokyo Standard Time" }];
    const fake = await microsoft({ accounts });
    const person = await connectMicrosoftPerson(fake);
    expect((await person.get("/v1/account")).json.account).toMatchObject({
      ...{ name: "Ada Lovelace", email: ADA, default_tzid: "Asia/Tokyo" },
    });
    expect((await person.get("/v1/userinfo")).json).toMatchObject({ name: "Ada Lovelace", zoneinfo: "Asia/Tokyo" });
    expect((await person.get("/v1/profiles")).json.profiles).toMatchObject([{ profile_name: ADA }]);
    await person.sync();
    fake.requests.length = 0;
    for (let syncs = 0; syncs < 3; syncs += 1) await person.sync();
    expect(asked(fake)).not.toContain("GET me/mailboxSettings");
  });

  it.each([403, 500])("is in UTC if the settings of the mailbox can't be read (%i)", async (status) => {
    const fake = await microsoft();
    fake.faults.next(microsoftRefusal("read_settings", status, "ErrorAccessDenied"));
    const person = await connectMicrosoftPerson(fake);
    expect((await person.get("/v1/account")).json.account).toMatchObject({ default_tzid: "Etc/UTC" });
    await person.sync();
    expect(await person.profile()).toMatchObject({ sync_error: null });
  });
});

describe("a series that Microsoft cannot have", () => {
  const monthly = (by_day: object[]) => ({ rules: [{ frequency: "monthly", by_day }] });
  const start = "2027-03-01";

  it("on several weekdays of a month is refused at once, and nothing is sent", async () => {
    const { fake, person, path } = await syncedMicrosoft();
    const body = {
      ...ours("one", { start: `${start}T09:00:00Z`, end: `${start}T10:00:00Z`, tzid: "Etc/UTC" }),
      recurrence: monthly([
        { day: "monday", nth_of_period: 1 },
        { day: "wednesday", nth_of_period: 1 },
      ]),
    };
    const { status, json } = await person.post(path, body);
    expect([status, json.errors["recurrence.rules[0].by_day"]]).toMatchObject([422, [{ key: "errors.not_supported" }]]);
    await person.push();
    expect(asked(fake)).toEqual([]);
    expect(
      (await person.post(path, { ...body, recurrence: monthly([{ day: "monday", nth_of_period: 1 }]) })).status,
    ).toBe(202);
  });

  it("in a time zone that Windows has no name for is refused at once, too", async () => {
    const { person, path } = await syncedMicrosoft();
    const recurrence = { rules: [{ frequency: "daily" }] };
    const times = { start: `${day(2)}T09:00:00Z`, end: `${day(2)}T10:00:00Z`, tzid: "Antarctica/Troll" };
    const { status, json } = await person.post(path, ours("one", { ...times, recurrence }));
    expect([status, json.errors.tzid]).toMatchObject([422, [{ key: "errors.invalid" }]]);
    expect((await person.post(path, ours("one", times))).status).toBe(202);
  });
});
