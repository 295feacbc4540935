import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { type FeedServer, startFeedServer } from "../fakes/feed-server";
import { type PlainDav, startPlainDav } from "../fakes/plain-dav";
import { subscriber } from "./feed-person";
import { fileEnvironment } from "./file-environment";
import { connectPerson } from "./world";

/** Calendar files that were once misread, as they are: see ADR 92. */
const folder = join(import.meta.dirname, "odd-calendars");
/** What they are about. */
const NOW = Date.parse("2026-11-27T12:00:00Z");
const RANGE = { from: "2026-11-25", to: "2026-12-31" };

let dav: PlainDav;
let server: FeedServer;
beforeAll(async () => {
  [dav, server] = await Promise.all([startPlainDav(), startFeedServer()]);
});
fileEnvironment(() => ({ LOG_LEVEL: "error", ICLOUD_CALDAV_URL: dav.url, FEED_ALLOWED_ORIGINS: server.origin }));
afterAll(() => Promise.all([dav, server].map((one) => one.close())));

const names = readdirSync(folder);
const cases = names.map((name) => ({ name, file: enlarged(readFileSync(join(folder, name))) }));

/** The attachment of one is over 1 MiB: see ADR 92. */
function enlarged(file: Buffer): Buffer {
  const text = file.toString("latin1").replace("BINARY:QUJDQUJDQUJD", `BINARY:${"QUJD".repeat(300_000)}`);
  return Buffer.from(text, "latin1");
}

/** An event without the ids and times that each calendar gives it. */
function content(event: Record<string, unknown>) {
  const { event_uid: _, calendar_id: __, created: ___, updated: ____, series_identifier: series, ...rest } = event;
  return { ...rest, isOfSeries: series !== undefined };
}

it("has the files", () => {
  expect(names).toHaveLength(33);
});

it.each(cases)("$name reads the same through a feed and through CalDAV", async ({ file }) => {
  fakeClock(NOW);
  for (const name of dav.names()) dav.put(name, null);
  dav.put("a.ics", file);
  const owner = await connectPerson({ url: dav.url }, { user: "anna@example.org", password: "secret" });
  await owner.sync();
  const overCaldav = await owner.events(await owner.calendarId("Team"), RANGE);
  const person = await subscriber(server, { body: file });
  await person.sync();
  const overFeed = await person.events(RANGE);
  expect(overFeed.map(content)).toEqual(overCaldav.map(content));
  expect(overFeed.length).toBeGreaterThan(0);
});
