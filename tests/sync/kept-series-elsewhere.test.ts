import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { syncedGoogle } from "./google-scene";
import { syncedMicrosoft } from "./microsoft-scene";
import { day, ours, watch } from "./world";

/** As kept-series.test.ts, at providers that keep exceptions as items of their own. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const tzid = "America/New_York";
const recurrence = { rules: [{ frequency: "daily", count: 6 }] };
const inNewYork = (offset: number, time: string) => ({ time: `${day(offset)}T${time}:00`, tzid });
const tens = (...offsets: number[]) => offsets.map((offset) => `${day(offset)}T10:00`);

type Synced =
  | Pick<Awaited<ReturnType<typeof syncedGoogle>>, "person" | "calendarId" | "path">
  | Pick<Awaited<ReturnType<typeof syncedMicrosoft>>, "person" | "calendarId" | "path">;

/** A series of the application's, daily at ten in New York, that its provider has. `again`: everything is read once more. */
async function written({ person, calendarId, path }: Synced, again: () => void) {
  const write = async (more: object = {}) => {
    const times = { start: inNewYork(2, "10:00"), end: inNewYork(2, "11:00"), tzid };
    expect((await person.post(path, ours("daily", { ...times, ...more }))).status).toBe(202);
  };
  await write({ recurrence });
  await person.push();
  await person.sync();
  const channel = await watch(person, receiver);
  const others = async (change: () => void) => {
    change();
    await person.sync();
    expect(await channel.settled()).toEqual(["change"]);
    channel.forget();
  };
  const starts = async () => {
    const events = await person.events(calendarId, { tzid, localized_times: "true" });
    return events.map(({ start }) => start.slice(0, 16));
  };
  const skip = (offset: number) => person.remove(path, { event_id: "daily", occurrence_date: day(offset) });
  const rename = (offset: number, summary: string) =>
    person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(offset), summary });
  /** What is read before the write is brought to the provider, after it, and when all is read anew: the same. */
  const everywhere = async (expected: string[]) => {
    expect(await starts()).toEqual(expected);
    await person.push();
    await person.sync();
    expect(await starts()).toEqual(expected);
    again();
    await person.sync();
    expect(await starts()).toEqual(expected);
    expect(await channel.settled()).toEqual([]);
  };
  const summaries = async () => (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  return { write, others, starts, skip, rename, everywhere, summaries };
}

describe("at Google", () => {
  async function scene() {
    const set = await syncedGoogle();
    const { calendar } = set;
    const way = await written(set, () => calendar.expireSyncTokens());
    const id = calendar.events()[0]?.id ?? "";
    return { ...set, ...way, id, event: () => calendar.event(id) };
  }
  const wholeDays = { start: { date: day(2) }, end: { date: day(3) } };
  const months = "BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12";
  const berlin = (offset: number, time: string) => ({
    dateTime: `${day(offset)}T${time}:00`,
    timeZone: "Europe/Berlin",
  });

  it("a series that others made one of whole days is at the application's times when it is written again", async () => {
    const { calendar, id, event, others, write, everywhere } = await scene();
    await others(() => {
      calendar.changeEvent(id, { ...wholeDays, recurrence: [`RRULE:FREQ=DAILY;COUNT=4;${months}`] });
      calendar.deleteOccurrence(id, { date: day(3) });
    });
    await write({ description: "Again" });
    await everywhere(tens(2, 4, 5));
    expect(event()).toMatchObject({ start: { timeZone: tzid, dateTime: expect.stringContaining(`${day(2)}T1`) } });
  });

  it("a series that others moved to another clock and rule is at the application's times when it is written again", async () => {
    const { calendar, id, event, others, write, everywhere } = await scene();
    const until = `${day(5).replaceAll("-", "")}T150000Z`;
    await others(() => {
      calendar.changeEvent(id, {
        ...{ start: berlin(2, "16:00"), end: berlin(2, "17:00") },
        recurrence: [
          `RRULE:FREQ=DAILY;UNTIL=${until};${months}`,
          `EXDATE;TZID=Europe/Berlin:${day(3).replaceAll("-", "")}T160000`,
        ],
      });
      calendar.deleteOccurrence(id, berlin(4, "16:00"));
    });
    await write({ description: "Again" });
    await everywhere(tens(2, 5));
    expect(event()?.recurrence?.join()).toContain("TZID=America/New_York");
  });

  it("a day of a series that others gave another rule is skipped, changed and brought back", async () => {
    const { calendar, id, others, skip, rename, everywhere, summaries } = await scene();
    await others(() => calendar.changeEvent(id, { recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] }));
    expect((await skip(3)).status).toBe(202);
    expect((await rename(4, "Own")).status).toBe(202);
    await everywhere(tens(2, 4, 5));
    expect(await summaries()).toEqual(["Ours daily", "Own", "Ours daily"]);
    expect((await rename(3, "Back")).status).toBe(202);
    await everywhere(tens(2, 3, 4, 5));
    expect(await summaries()).toEqual(["Ours daily", "Back", "Own", "Ours daily"]);
    expect(await skip(9)).toMatchObject({ status: 422, text: expect.stringContaining("errors.not_an_occurrence") });
  });
});

describe("at Microsoft", () => {
  async function scene() {
    const set = await syncedMicrosoft();
    const { calendar } = set;
    const way = await written(set, () => calendar.expireDeltaTokens());
    const id = calendar.events()[0]?.id ?? "";
    return { ...set, ...way, id, event: () => calendar.event(id) };
  }
  const windows = (offset: number, time: string, timeZone = "Eastern Standard Time") => ({
    ...{ dateTime: `${day(offset)}T${time}:00`, timeZone },
  });
  const daily = (numberOfOccurrences: number) => ({
    pattern: { type: "daily" as const, interval: 1 },
    range: { type: "numbered" as const, startDate: day(2), numberOfOccurrences },
  });

  it("a series that others made one of whole days is at the application's times when it is written again", async () => {
    const { calendar, id, event, others, write, everywhere } = await scene();
    await others(() => {
      calendar.changeEvent(id, {
        ...{ isAllDay: true, start: windows(2, "00:00"), end: windows(3, "00:00"), recurrence: daily(4) },
      });
      calendar.deleteOccurrence(id, day(3));
    });
    await write({ description: "Again" });
    await everywhere(tens(2, 4, 5));
    expect(event()).toMatchObject({ isAllDay: false });
  });

  it("a series that others moved to another clock and rule is at the application's times when it is written again", async () => {
    const { calendar, id, others, write, everywhere } = await scene();
    const zone = "W. Europe Standard Time";
    await others(() => {
      calendar.changeEvent(id, {
        ...{ start: windows(2, "16:00", zone), end: windows(2, "17:00", zone), recurrence: daily(5) },
      });
      calendar.deleteOccurrence(id, day(4));
    });
    await write({ description: "Again" });
    await everywhere(tens(2, 3, 5, 6));
  });

  it("a day of a series that others gave another rule is skipped, changed and brought back", async () => {
    const { calendar, id, others, skip, rename, everywhere, summaries } = await scene();
    await others(() => calendar.changeEvent(id, { recurrence: daily(4) }));
    expect((await skip(3)).status).toBe(202);
    expect((await rename(4, "Own")).status).toBe(202);
    await everywhere(tens(2, 4, 5));
    expect(await summaries()).toEqual(["Ours daily", "Own", "Ours daily"]);
    expect((await rename(3, "Back")).status).toBe(202);
    await everywhere(tens(2, 3, 4, 5));
    expect(await summaries()).toEqual(["Ours daily", "Back", "Own", "Ours daily"]);
    expect(await skip(9)).toMatchObject({ status: 422, text: expect.stringContaining("errors.not_an_occurrence") });
  });
});
