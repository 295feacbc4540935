import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import type { ChangePage, ChangesEnd, ChangesInput, Connector, Mailbox } from "@/server/providers/connector";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import { withMailbox, withWrites } from "../fakes/mailbox";
import { otherClient } from "../fakes/other-client";
import { setSyncDue } from "../fakes/stored";
import { scene } from "./scene";
import { connectPerson, ical, ours, type Person, POLL_MS, watch } from "./world";

/** A push that is stored between what a sync reads and what it makes of it. */
const made = scene();

async function withMeeting(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const write = (more: object = {}) => person.post(`/v1/calendars/${calendarId}/events`, ours("meeting", more));
  await write();
  await person.push();
  await person.sync();
  const uids = async () => (await person.events(calendarId)).map(({ event_uid }) => event_uid);
  return { other, person, calendarId, write, uids, ...(await watch(person, made.receiver)) };
}

/** The profile is synced by a process for which something happens when a page of the calendar, or all of it, has been read. */
async function syncWith(person: Person, happens: { page?(): Promise<void>; end?(): Promise<void> }): Promise<void> {
  const { connector } = person;
  const changesOf = async function* (own: Mailbox, from: ChangesInput): AsyncGenerator<ChangePage, ChangesEnd> {
    const pages = own.changes(from);
    for (;;) {
      const page = await pages.next();
      if (page.done) {
        await happens.end?.();
        return page.value;
      }
      await happens.page?.();
      yield page.value;
    }
  };
  const crew = syncs({
    db,
    connectorOf: dav(withMailbox(connector, (own) => ({ changes: (from) => changesOf(own, from) }))),
    pollMs: POLL_MS,
  });
  onTestFinished(() => crew.stop());
  await setSyncDue(person.profileId, new Date(Date.now() - 1_000));
  await crew.drain(60_000);
}

const dav = (connector: Connector) => (name: string) => (name === "icloud" ? connector : null);

it("an event that a push made again after everything was listed is no ghost", async () => {
  const { other, person, write, uids, settled } = await withMeeting("Swept");
  const before = await uids();
  await other.remove("Ours meeting");
  await made.radicale.forgetTokens();
  await write({ summary: "Made again" });
  let ends = 0;
  await syncWith(person, {
    end: async () => {
      ends += 1;
      await person.push();
    },
  });
  expect(ends).toBeGreaterThan(0);
  expect(await other.find("Made again")).toBeDefined();
  expect(await uids()).toEqual(before);
  await person.sync();
  expect(await uids()).toEqual(before);
  expect(await settled()).toEqual([]);
});

it("an event that a push made again after it was told gone stays", async () => {
  const { other, person, write, uids, settled } = await withMeeting("Told gone");
  const before = await uids();
  await other.remove("Ours meeting");
  await write({ summary: "Made again" });
  await syncWith(person, { page: () => person.push() });
  expect(await other.find("Made again")).toBeDefined();
  expect(await uids()).toEqual(before);
  await person.sync();
  expect(await uids()).toEqual(before);
  expect(await settled()).toEqual([]);
});

it("what others deleted after the push is gone after the next sync, although the first could not know", async () => {
  const { other, person, write, uids, settled } = await withMeeting("Gone after all");
  await write({ summary: "Pushed" });
  await syncAround(person, () => other.remove("Pushed"));
  await person.sync();
  expect(await uids()).toEqual([]);
  expect(await settled()).toEqual(["change"]);
});

it("what others changed after the push is read by the next sync, although the first could not know", async () => {
  const { other, person, calendarId, write, settled } = await withMeeting("Changed after all");
  await write({ summary: "Pushed" });
  await syncAround(person, async () => {
    await other.change("Pushed", (ics) => ics.replace("END:VEVENT", "LOCATION:Room 1\r\nEND:VEVENT"));
  });
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([
    { summary: "Pushed", location: { description: "Room 1" }, event_id: "meeting" },
  ]);
  expect(await settled()).toEqual(["change"]);
});

describe("a sync that takes what it read while the push is under way loses nothing of", () => {
  it("what others changed after the push", async () => {
    const { other, person, calendarId, write, settled } = await withMeeting("Changed before stored");
    await write({ summary: "Pushed" });
    await syncBetween(person, async () => {
      await other.change("Pushed", (ics) => ics.replace("END:VEVENT", "LOCATION:Room 1\r\nEND:VEVENT"));
    });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([
      { summary: "Pushed", location: { description: "Room 1" }, event_id: "meeting" },
    ]);
    expect(await settled()).toEqual(["change"]);
  });

  it("an occurrence that others had taken out before", async () => {
    const { other, person, calendarId, write, settled, forget } = await withMeeting("Merged before stored");
    await write({ tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "daily", count: 3 }] } });
    await person.push();
    await person.sync();
    expect(await person.events(calendarId)).toHaveLength(3);
    forget();
    await other.change("Ours meeting", (ics) =>
      ics.replace("END:VEVENT", `EXDATE:${ical(3, "140000Z")}\r\nEND:VEVENT`),
    );
    await write({ summary: "Pushed" });
    await syncBetween(person);
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Pushed" }, { summary: "Pushed" }]);
    expect(await settled()).toEqual(["change"]);
  });

  it("that others deleted it after the push", async () => {
    const { other, person, uids, write, settled } = await withMeeting("Deleted before stored");
    await write({ summary: "Pushed" });
    await syncBetween(person, () => other.remove("Pushed"));
    await person.sync();
    expect(await uids()).toEqual([]);
    expect(await settled()).toEqual(["change"]);
  });

  it("an event that it tells for the first time", async () => {
    const { other, person, calendarId, settled } = await withMeeting("First before stored");
    await person.post(`/v1/calendars/${calendarId}/events`, ours("second"));
    await syncBetween(person, async () => {
      await other.change("Ours second", (ics) => ics.replace("END:VEVENT", "LOCATION:Room 1\r\nEND:VEVENT"));
    });
    await person.sync();
    const events = await person.events(calendarId);
    expect(events).toHaveLength(2);
    expect(events.find(({ event_id }) => event_id === "second")).toMatchObject({ location: { description: "Room 1" } });
    expect(await settled()).toEqual(["change"]);
  });
});

/** A push reaches the provider, others do something, a sync reads it and takes what it read, and the push is stored. */
async function syncBetween(person: Person, others: () => Promise<unknown> = async () => {}): Promise<void> {
  const after = async () => {
    await others();
    await syncWith(person, {});
  };
  const crew = pushes({ db, connectorOf: dav(withWrites(person.connector, after)) });
  onTestFinished(() => crew.stop());
  await crew.drain(60_000);
}

/** A push reaches the provider, others do something, a sync reads it, the push is stored, and the sync takes what it read. */
async function syncAround(person: Person, others: () => Promise<void>): Promise<void> {
  let isRead = () => {};
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  let synced: Promise<void> | undefined;
  const after = async () => {
    await others();
    synced = syncWith(person, {
      page: async () => {
        isRead();
        await pushed;
      },
    });
    await read;
  };
  const crew = pushes({ db, connectorOf: dav(withWrites(person.connector, after)) });
  onTestFinished(() => crew.stop());
  const pushed = crew.drain(60_000);
  await pushed;
  await synced;
}
