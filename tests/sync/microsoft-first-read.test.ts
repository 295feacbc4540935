import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/microsoft/account-state";
import type { FaultInput } from "../fakes/microsoft/faults";
import { connectMicrosoftPerson, microsoft } from "./microsoft-person";
import { ADA, asked, CALENDAR, timed } from "./microsoft-scene";
import { day } from "./world";

const daily = {
  pattern: { type: "daily" as const, interval: 1 },
  range: { type: "numbered" as const, startDate: day(2), numberOfOccurrences: 3 },
};
const series = (primary: AccountState["primary"], count: number) =>
  Array.from({ length: count }, (_, i) => primary.putEvent({ subject: `S${i}`, ...timed(2), recurrence: daily }));

/** Ada, whose calendar holds 30 series and 30 single events. Nothing is synced yet. */
async function full(provider: "microsoft" | "outlook" = "microsoft") {
  const clock = fakeClock();
  const fake = await microsoft({ provider });
  const { primary } = fake.account(ADA);
  series(primary, 30);
  for (let i = 0; i < 30; i += 1) primary.putEvent({ subject: `N${i}`, ...timed(8) });
  const person = await connectMicrosoftPerson(fake);
  const names = async () => {
    const events = await person.events(await person.calendarId(CALENDAR));
    return new Set(events.map(({ summary }) => summary)).size;
  };
  const pass = (ms: number) => {
    clock.advance(ms);
    fake.advance(ms);
  };
  return { fake, person, names, pass };
}

describe("the first read of a calendar", () => {
  it.each(["microsoft", "outlook"] as const)("is whole, with one request at a time: %s", async (provider) => {
    const { fake, person, names } = await full(provider);
    fake.counters.reset();
    await person.sync();
    expect(await names()).toBe(60);
    expect(fake.counters.mostAtOnce[ADA]).toBe(1);
    const batches = fake.requests.filter(({ path }) => path.endsWith("/$batch"));
    expect(batches).toHaveLength(2);
  });

  const interruptions: [string, FaultInput][] = [
    [
      "a part of a batch is throttled",
      { path: /\/events\/[^/]+$/, after: 7, respond: "mailboxConcurrency", retryAfter: 60 },
    ],
    ["a whole batch is throttled", { path: /\/\$batch$/, after: 1, respond: "tooManyRequests", retryAfter: 60 }],
    ["a page is throttled", { path: /\/delta$/, respond: "tooManyRequests", retryAfter: 60 }],
  ];

  it.each(interruptions)("waits as long as Graph says where %s, and is whole then", async (_, fault) => {
    const { fake, person, names, pass } = await full();
    fake.faults.next(fault);
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "throttled" });
    fake.requests.length = 0;
    pass(55_000);
    await person.syncing.drain(60_000);
    expect(asked(fake)).toEqual([]);
    pass(10_000);
    await person.sync();
    expect(await person.profile()).toMatchObject({ sync_error: null });
    expect(await names()).toBe(60);
    expect(fake.counters.violations).toEqual([]);
  });

  const outages: [string, FaultInput][] = [
    ["a part of a batch fails", { path: /\/events\/[^/]+$/, after: 7, respond: "serviceUnavailable" }],
    ["a page fails", { path: /\/delta$/, respond: "gatewayTimeout" }],
    ["connections break", { path: /\/\$batch$/, breakConnection: true, times: 2 }],
    ["a page is cut off", { path: /\/delta$/, respond: { status: 200, body: '{"value":[{"id":"a"' } }],
    ["a page has neither a next one nor an end", { path: /\/delta$/, respond: { status: 200, body: { value: [] } } }],
  ];

  it.each(outages)("is whole after the next try where %s", async (_, fault) => {
    const { fake, person, names } = await full();
    fake.faults.next(fault);
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 1 });
    await person.sync();
    expect(await person.profile()).toMatchObject({ sync_error: null, initial_sync_required: false });
    expect(await names()).toBe(60);
  });

  it("goes on past series that are deleted while they are asked for", async () => {
    const { fake, person, names } = await full();
    const { primary } = fake.account(ADA);
    const ids = primary.events().map(({ id }) => id ?? "");
    const run = () => {
      for (const id of ids.slice(10, 13)) primary.deleteEvent(id);
    };
    fake.faults.next({ path: /\/events\/[^/]+$/, after: 3, run });
    await person.sync();
    expect(await names()).toBe(57);
    await person.sync();
    expect(await names()).toBe(57);
  });
});
