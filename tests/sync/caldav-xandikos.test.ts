import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount, PasswordConnector } from "@/server/providers/connector";
import { writeToProvider } from "@/server/sync/write-event";
import { listedCalendars, mailboxOf, noNote } from "../fakes/mailbox";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { startXandikos, type Xandikos } from "../fakes/xandikos";
import { eventState, pullAll, summaries, versionsOf, vevent } from "./caldav-pulls";

let xandikos: Xandikos;
let connector: PasswordConnector;
let account: CalendarAccount;
let calendarId: string;
let other: OtherClient;

beforeAll(async () => {
  xandikos = await startXandikos();
  connector = caldavConnector({ entry: new URL(xandikos.url).origin });
  account = await connector.signIn.verify({ username: xandikos.user, password: xandikos.password });
  const url = await xandikos.makeCalendar("Team");
  calendarId = new URL(url).pathname;
  other = otherClient(url, xandikos);
});

afterAll(() => xandikos.close());

describe("calendars on Xandikos", () => {
  it("are listed, and what is in them is pulled", async () => {
    const listed = await listedCalendars(mailboxOf(connector, account));
    expect(listed).toContainEqual(expect.objectContaining({ externalId: calendarId, name: "Team", readonly: false }));
    expect(listed.filter(({ primary }) => primary)).toHaveLength(1);
    for (const name of ["a", "b", "c"]) await other.create(name, vevent(name));
    const first = await pullAll(connector, account, { calendarId });
    expect(summaries(first)).toEqual(["a", "b", "c"]);

    await other.change("/a.ics", (ics) => ics.replace("SUMMARY:a", "SUMMARY:a2"));
    await other.remove("/b.ics");
    const second = await pullAll(connector, account, { calendarId, syncToken: first.end.syncToken });
    expect(summaries(second)).toEqual(["a2"]);
    expect(second.gone).toEqual([`${calendarId}b.ics`]);
    const versions = versionsOf(first);
    expect(summaries(await pullAll(connector, account, { calendarId, versions }))).toEqual(["a2"]);
    expect((await pullAll(connector, account, { calendarId, syncToken: second.end.syncToken })).pages).toBe(0);
  });

  it("refuse a sync token that is not theirs by falling over: it is stale, the server is not down", async () => {
    const syncToken = "0123456789012345678901234567890123456789";
    await expect(pullAll(connector, account, { calendarId, syncToken })).rejects.toMatchObject({
      fault: { kind: "sync_token_expired" },
    });
  });

  it("take writes: a new event, a change that keeps what others wrote, and a deletion", async () => {
    const asked = { calendarId, uid: "evt_x", name: connector.nameOf("evt_x"), removedGuests: [], notify: true };
    const created = await writeToProvider(
      mailboxOf(connector, account),
      {
        ...asked,
        externalId: null,
        version: null,
        state: eventState(),
      },
      noNote,
    );
    if (created.kind !== "done") throw new Error(created.reason);
    const { externalId, version } = created;
    const theirs = await other.change(externalId, (ics) => ics.replace("END:VEVENT", "X-THEIRS:kept\r\nEND:VEVENT"));
    const state = eventState({ summary: "Later" });
    const changed = await writeToProvider(
      mailboxOf(connector, account),
      { ...asked, externalId, version, state },
      noNote,
    );
    const kept = await other.find(externalId);
    expect(kept?.etag).not.toBe(theirs.etag);
    expect(kept?.ics).toMatch(/SUMMARY:Later/);
    expect(kept?.ics).toMatch(/X-THEIRS:kept/);
    expect(changed).toMatchObject({ kind: "done", version: kept?.etag, state: { summary: "Later" } });
    await writeToProvider(
      mailboxOf(connector, account),
      { ...asked, externalId, version: kept?.etag ?? null, state: null },
      noNote,
    );
    expect(await other.find(externalId)).toBeUndefined();
  });

  it("are signed out of by another password, and named the same with the new one", async () => {
    await xandikos.changePassword("new-password");
    await expect(listedCalendars(mailboxOf(connector, account))).rejects.toMatchObject({
      fault: { kind: "credentials_rejected" },
    });
    const again = await connector.signIn.verify({ username: xandikos.user, password: xandikos.password });
    expect(again.subject).toBe(account.subject);
  });
});
