import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson } from "./oauth-person";
import { day, ours, watch } from "./world";

let provider: OAuthCalendars;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());
beforeEach(async () => {
  provider = await startOAuthCalendars();
  return provider.close;
});

/** A daily series of the application, two of whose occurrences it renames. The provider has none of it yet. */
async function withSeries() {
  const person = await connectOAuthPerson(provider);
  await person.sync();
  const calendarId = await person.calendarId("Work");
  const path = `/v1/calendars/${calendarId}/events`;
  const recurrence = { rules: [{ frequency: "daily", interval: 1, count: 6 }] };
  const span = {
    start: { time: `${day(2)}T14:00:00`, tzid: "Etc/UTC" },
    end: { time: `${day(2)}T15:00:00`, tzid: "Etc/UTC" },
  };
  const written = [await person.post(path, ours("series", { ...span, recurrence }))];
  const rename = async (offset: number, summary: string) => {
    const at = { start: `${day(offset)}T16:00:00Z`, end: `${day(offset)}T17:00:00Z` };
    const body = { event_id: "series", occurrence_date: day(offset), ...at, summary };
    written.push(await person.post(`${path}/occurrences`, body));
  };
  await rename(3, "First");
  await rename(4, "Second");
  expect(written.map(({ status, text }) => ({ status, text }))).toEqual(Array(3).fill({ status: 202, text: "" }));
  const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary);
  return { person, rename, summaries, ...(await watch(person, receiver)) };
}

const stored = async (profileId: string) => {
  const { etag, parts, writes } = await db().prisma.event.findFirstOrThrow({
    where: { eventId: "series", calendar: { profileId } },
    include: { writes: true },
  });
  return { etag, parts, deferred: writes[0]?.remoteChangeDeferred ?? null };
};
const items = () => [...provider.events.values()].filter(({ state }) => state !== null);
const etags = () => Object.fromEntries(items().flatMap(({ name, of, etag }) => (of ? [[name, etag]] : [])));

it("a series is written in parts, and read back it is no change", async () => {
  const { person, settled } = await withSeries();
  await person.push();
  expect(items()).toHaveLength(3);
  expect(await stored(person.profileId)).toMatchObject({ parts: etags(), deferred: null });
  provider.asked.length = 0;
  await person.sync();
  expect(provider.asked.some((asked) => asked.includes("series="))).toBe(false);
  expect(await settled()).toEqual([]);
});

it("a half-done write is not taken for a change of others, and goes on where it stopped", async () => {
  const { person, settled, summaries } = await withSeries();
  provider.failsAfter = 2;
  await person.push();
  expect(items()).toHaveLength(2);
  expect(await stored(person.profileId)).toMatchObject({ parts: etags(), deferred: false });
  await person.sync();
  expect(await stored(person.profileId)).toMatchObject({ parts: etags(), deferred: false });
  provider.failsAfter = null;
  await person.push();
  await person.sync();
  expect(items()).toHaveLength(3);
  expect(await stored(person.profileId)).toMatchObject({ parts: etags(), deferred: null });
  expect(await settled()).toEqual([]);
  expect(await summaries()).toEqual(expect.arrayContaining(["Ours series", "First", "Second"]));
});

it("an exception that others change is read with its series, and the application is notified", async () => {
  const { person, settled, summaries, rename } = await withSeries();
  await person.push();
  await person.sync();
  const [first] = items().filter(({ of }) => of !== null);
  if (!first) throw new Error("there is no exception");
  const change = { ...(first.state as object), texts: { summary: "Theirs" } };
  provider.put(first.name, change, { of: first.of });
  await person.sync();
  expect(await summaries()).toEqual(expect.arrayContaining(["Ours series", "Theirs", "Second"]));
  expect(await settled()).toEqual(["change"]);
  expect(await stored(person.profileId)).toMatchObject({ parts: etags() });
  await rename(4, "Third");
  await person.push();
  expect(items().map(({ state }) => state)).toMatchObject([
    {},
    { texts: { summary: "Theirs" } },
    { texts: { summary: "Third" } },
  ]);
});
