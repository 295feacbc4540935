import { expect, it } from "vitest";
import { EVENT_ID_PROPERTY } from "@/server/providers/microsoft/properties";
import { exchange, withToken } from "../api/grants";
import { fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/microsoft/account-state";
import { type MicrosoftScene, syncedMicrosoft, timed } from "./microsoft-scene";
import { day } from "./world";

const DAY_MS = 86_400_000;
const weekly = (first: number) => ({
  pattern: { type: "daily" as const, interval: 7 },
  range: { type: "noEnd" as const, startDate: day(first) },
});

/** Ada, whose calendar is read over months: `pass` lets days go by and syncs, `names` reads a range. */
async function months(options: MicrosoftScene) {
  const clock = fakeClock();
  const set = await syncedMicrosoft(options);
  const { fake, person, calendarId } = set;
  const pass = async (days: number) => {
    clock.advance(days * DAY_MS);
    fake.advance(days * DAY_MS);
    await person.sync();
    expect(await person.profile()).toMatchObject({ sync_error: null });
  };
  const names = async (from: number, to: number) => {
    const { code } = await person.connectAgain(null);
    const { json } = await exchange(person.application, code);
    const query = { tzid: "Etc/UTC", from: day(from), to: day(to), "calendar_ids[]": calendarId };
    const response = await withToken("GET", `/v1/events?${new URLSearchParams(query)}`, json.access_token);
    return response.json.events.map(({ summary }: { summary: string }) => summary);
  };
  return { ...set, pass, names };
}

it("an event beyond the first window is there once it comes near", async () => {
  const { pass, names } = await months({
    fill: ({ primary }: AccountState) => {
      primary.putEvent({ subject: "In 300 days", ...timed(300) });
    },
  });
  expect(await names(299, 302)).toEqual([]);
  for (let passed = 0; passed < 150; passed += 25) await pass(25);
  expect(await names(299, 302)).toEqual(["In 300 days"]);
});

it("a series that never ends has its occurrences in every window", async () => {
  const { pass, names } = await months({
    fill: ({ primary }: AccountState) => {
      primary.putEvent({ subject: "Weekly", ...timed(1), recurrence: weekly(1) });
    },
  });
  for (let passed = 0; passed < 100; passed += 25) await pass(25);
  expect(await names(260, 281)).toEqual(Array(3).fill("Weekly"));
});

it("the next window leaves no gap, no ghost and no double", async () => {
  const ids: Record<string, string> = {};
  const { calendar, pass, names } = await months({
    fill: ({ primary }: AccountState) => {
      for (const offset of [2, 20, 100, 200, 230, 240]) {
        ids[offset] = primary.putEvent({ subject: `On ${offset}`, ...timed(offset) });
      }
      ids.weekly = primary.putEvent({ subject: "Weekly", ...timed(150), recurrence: weekly(150) });
    },
  });
  calendar.deleteOccurrence(ids.weekly ?? "", day(157));
  await pass(24);
  calendar.deleteEvent(ids[100] ?? "");
  calendar.expireDeltaTokens();
  await pass(24);
  expect(await names(10, 160)).toEqual(["On 20", "Weekly"]);
  const later = await names(161, 245);
  expect(later.filter((name: string) => name !== "Weekly")).toEqual(["On 200", "On 230", "On 240"]);
  // From the 164th day to the 241st.
  expect(later.filter((name: string) => name === "Weekly")).toHaveLength(12);
});

it("an event is not taken for gone that was moved out of the window, and comes back with it", async () => {
  const { calendar, person, pass, names } = await months({
    fill: ({ primary }: AccountState) => {
      primary.putEvent({ subject: "Moved", ...timed(20) });
    },
  });
  const id = calendar.events()[0]?.id ?? "";
  calendar.changeEvent(id, timed(280));
  await person.sync();
  expect(await names(-1, 200)).toEqual([]);
  for (let passed = 0; passed < 100; passed += 25) await pass(25);
  expect(await names(279, 282)).toEqual(["Moved"]);
});

it("what an application wrote far ahead is there still after the token was lost", async () => {
  const property = { id: EVENT_ID_PROPERTY, value: "far" };
  const { calendar, person, pass, names } = await months({
    fill: ({ primary }: AccountState) => {
      primary.putEvent({ subject: "Far", ...timed(20), singleValueExtendedProperties: [property] });
    },
  });
  calendar.changeEvent(calendar.events()[0]?.id ?? "", timed(290));
  calendar.expireDeltaTokens();
  await person.sync();
  for (let passed = 0; passed < 100; passed += 25) await pass(25);
  expect(await names(289, 292)).toEqual(["Far"]);
});

it("the window is read whole every few weeks alone", async () => {
  const { calendar, fake, pass } = await months({});
  fake.requests.length = 0;
  for (let days = 0; days < 60; days += 1) {
    calendar.putEvent({ subject: `On ${days}`, ...timed(days) });
    await pass(1);
  }
  const whole = fake.requests.filter(({ path, query }) => path.endsWith("/delta") && "startDateTime" in query);
  expect(whole).toHaveLength(2);
}, 120_000);
